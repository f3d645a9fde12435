// searcher.hpp — the read path of a search: question in, turns out.
//
//   parse → terms → stage 1: best passages in the keyword index, filters inside
//                 → and the turns nearest in meaning (search/semantic_search.hpp)
//         → stage 2: candidates judged with their whole turn and session, meaning, recency, caps
//         → the page: text, titles and places from the store
//
// Never writes and never waits for a writer; service/freshness.hpp brings things up to date before.
// Threads: a Searcher belongs to one thread; make one per thread, they share the mapped files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "derive/warm_handles.hpp"
#include "search/facets.hpp"
#include "search/vocabulary.hpp"
#include "store/coverage.hpp"
#include "store/marks.hpp"
#include "store/store.hpp"
#include "text/snippet.hpp"
#include "turns/chunk_id.hpp"
#include "turns/turn_reader.hpp"

namespace yore::search {

struct SearchRequest {
  std::string query;                  // in the language of query.hpp; "" with filters alone
  std::vector<std::string> projects;  // substrings of project, folder or path, any of
  std::vector<std::string> exclude;   // likewise, none of
  std::vector<std::string> agents;
  std::optional<Time> since;          // last activity of the turn at or after
  std::optional<Time> until;          // before
  std::vector<std::string> types;     // any of kTypes
  std::vector<std::string> surfaces;  // or of kSurfaces
  std::string session;                // id or prefix
  std::string branch;                 // substrings, ignoring case
  std::string model;
  std::string file;
  std::string tool;  // exact name, ignoring case
  bool has_tool = false;
  std::vector<std::string> tags;  // on the turn or its session; any of
  bool starred = false;           // likewise
  bool superseded = false;        // only turns that stand nowhere any more
  std::string folder;             // absolute: only sessions that ran in it, or inside
  std::size_t limit = kHits;
  SearchMode mode = SearchMode::hybrid;
  SortBy sort = SortBy::relevance;
  std::optional<double> half_life_days = kHalfLifeDays;  // nullopt: off
  std::size_t per_session = kHitsPerSession;             // 0: no cap
  bool subagents = false;
  bool automated = false;     // what nobody typed, too
  std::uint32_t context = 0;  // turns around a hit
  bool beside = false;        // what was asked right before a hit, and concluded right after it
  // The asker's own, as its agent knows it: left out and counted.
  std::string current_session;
  // The asker's own, asked for: shown whoever began it.
  std::string included_session;
  bool explain = false;
  bool facets = false;  // counts over all that was found, see facets.hpp
  // Should coverage say how much can be searched by meaning, even where it is searched by words
  // alone? Costs a join of all passages with all vectors.
  bool count_embedded = true;
  bool projects_must_exist = true;  // false: none of them is there is a note, not an error
  std::optional<Time> now;          // ages are counted from here; nullopt: when it was opened
};

struct Message {
  std::string role;  // "user", "assistant"
  std::string content;
  std::uint32_t turn_number = 0;
  bool is_hit = true;  // false: a neighbour, with `context`
};

// Does it narrow what may be found, apart from its query?
bool has_filters(const SearchRequest& request);
// Does it say what to look for by filters alone? The newest come first then.
bool is_filters_alone(const SearchRequest& request);

// Of the turn right before or after a hit.
struct Beside {
  std::uint32_t turn_number = 0;
  std::string text;
};
// More of it is not kept.
inline constexpr std::size_t kBesideChars = 2000;

// One line of --explain: what it is, its number, and how it came about.
struct ScorePart {
  std::string name;
  double value = 0;
  std::string detail;
};

// The passage that a snippet was cut from, with what stands before and behind it in the same block:
// a secret may lie across. Gone once the answer was masked (service/masking.hpp).
struct FoundPassage {
  std::string before;
  std::string text;
  std::string after;
};
inline constexpr std::size_t kSnippetLength = 300;  // characters

struct Hit {
  std::size_t rank = 0;
  double score = 0;
  int percent = 100;  // of the best hit of this answer
  // How likely it is what was asked for, 0..1; nullopt: nothing tells (a search by date alone).
  std::optional<double> relevance;
  store::SessionRow session;
  std::uint32_t turn_number = 0;
  std::uint64_t line = 0;             // of its first record in the source; 0: unknown
  std::string chunk_id;               // 12 hex digits
  std::string chunk_short;            // shortest unique prefix of at least 8
  Time timestamp = kNoTime;           // of the prompt, else latest activity
  std::vector<std::string> surfaces;  // that matched, best first
  std::vector<Message> messages;      // oldest first
  std::optional<Beside> before;       // the prompt, with SearchRequest::beside
  std::optional<Beside> after;        // the conclusion
  // Byte of the hit's assistant text at which its conclusion begins; 0: all of it is one.
  std::size_t conclusion_begin = 0;
  text::Snippet snippet;  // of the best passage, at most 300 characters
  std::string snippet_surface;
  FoundPassage found;
  std::uint32_t masked = 0;             // secrets that are not shown in names and messages
  std::uint32_t masked_in_snippet = 0;  // and in names and the snippet
  std::size_t copies = 0;               // other sessions that hold the same turn
  bool abandoned = false;
  bool source_missing = false;
  bool superseded = false;  // it stands nowhere any more: its agent rewrote the session
  // What it is when it is no turn of a conversation: "note", "prompts"; else "".
  std::string_view kind;
  // Where its file lies, when that is another disk: "Windows (ann)", "network disk /net/home".
  // Filled in by whoever knows (service/access.hpp).
  std::string place;
  std::uint64_t origin = 0;         // of the turn: copies of it have the same
  store::MarksOn marks;             // of the turn and of its session
  std::vector<std::string> resume;  // argv; empty when there is none
  std::vector<ScorePart> explain;
};

// What of it is about files is filled in by whoever knows (service/access.hpp).
struct Coverage : store::FileCoverage {
  std::uint64_t passages = 0;
  std::uint64_t passages_embedded = 0;
};

struct Hidden {
  std::uint64_t subagents = 0;
  std::uint64_t automated = 0;
  std::uint64_t current = 0;
  [[nodiscard]] bool any() const { return subagents + automated + current != 0; }
};

struct SearchAnswer {
  std::string query;
  SearchMode mode =
      SearchMode::keyword;  // how it was searched: words alone where meaning is absent
  std::vector<Hit> hits;
  bool more = false;
  std::vector<Hit> closest;  // without hits: what comes nearest, though it is hardly to the point
  std::vector<std::string> notes;  // sentences: unknown fields, clamped limits, stop words …
  Hidden hidden;
  std::optional<Facets> facets;  // when they were asked for; nothing is in them without hits
  Coverage coverage;
  bool incomplete = false;   // the keyword index is being built: more comes by itself
  text::MatchTerms matched;  // for highlighting whole messages
  double seconds = 0;
};

// One turn by its chunk id.
struct ChunkAnswer {
  std::uint64_t chunk = 0;
  std::uint64_t origin = 0;
  store::MarksOn marks;  // of the turn and of its session
  store::SessionRow session;
  std::vector<turns::WholeTurn> turns;  // the turn and its neighbours, in order
  std::uint32_t turn_number = 0;
  std::string chunk_id;
  bool source_missing = false;
  bool superseded = false;
};

class Searcher {
 public:
  // not_found: no index yet.
  static Result<Searcher> open(const config::World& world, const config::Settings& settings,
                               const config::Scope& scope, derive::WarmHandles opened = {});
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  ~Searcher();

  // Takes the newest publication; search() and chunk() do so by themselves. not_found: there is
  // none any more; corrupt.
  Status refresh();
  // invalid_argument: "Query required", an unknown surface …; not_found: "No sessions found for
  // project X"; ambiguous: a session prefix.
  Result<SearchAnswer> search(const SearchRequest& request);
  // A chunk id or a unique prefix of one (at least 4 digits). not_found, ambiguous.
  Result<ChunkAnswer> chunk(std::string_view id, std::uint32_t neighbours,
                            turns::Detail detail = turns::Detail::sides);

 private:
  friend class SearchRun;
  struct State;
  explicit Searcher(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace yore::search
