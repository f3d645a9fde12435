// yore.hpp — what was asked and concluded in past conversations with coding agents, as a library.
//
//   yore::CorpusOptions options;                       // every agent's transcripts on this machine
//   options.projects = {"shop"};                       // answers come from these projects only
//   auto corpus = yore::Corpus::open(options);
//   if (!corpus) return complain(corpus.error().message);
//   if (auto fresh = corpus->refresh(); !fresh) return complain(fresh.error().message);
//   yore::SearchQuery query;
//   query.text = "why does the checkout time out";
//   query.surfaces = {"assistant_summary"};            // what was concluded, not what was asked
//   auto found = corpus->search(query);
//   if (found && !found->hits.empty()) print(found->hits.front().assistant_summary);
//
// Everything that comes back is a value: it stays valid whatever happens to the corpus. Whatever
// can fail gives a Result: the value, or an Error with a code and a sentence. Nothing here throws.
//
// Words used below. A session is one conversation. A turn is one message of the user with
// everything the assistant did until the next one; turns are numbered from 0. A surface is a side
// of a turn:
//
//   user_prompt         what the user asked
//   assistant_summary   the last piece of the assistant's text: what was concluded
//   assistant_full      all of the assistant's text
//   tool                names of tools, their input and their output
//   thinking            what the assistant thought
//   title               the title of the session
//
// Threads: all members of one Corpus may be called from any number of threads at once. Reading
// never waits for a refresh(); calls of refresh() wait for each other.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "yore/result.hpp"
#include "yore/source.hpp"
#include "yore/turn_walk.hpp"

namespace yore {

// ---- The corpus and its scope ------------------------------------------------------------------

// The scope (since, projects, agents, max_sessions, sources) narrows what this corpus answers. What
// is read and kept is the same for all: another corpus on the same data_dir finds everything its
// own scope lets through.
struct CorpusOptions {
  // Where the index lies. "": the user's own ($YORE_DATA_DIR, else $XDG_DATA_HOME/yore, else
  // ~/.local/share/yore), shared with the command line.
  std::string data_dir;

  std::optional<TimePoint> since;     // turns (of list: sessions) that were active at or after
  std::vector<std::string> projects;  // part of a project's name, folder or path; any of them
  std::vector<std::string> agents;    // "claude-code", "openclaw", …; any of them
  std::size_t max_sessions = 0;       // only this many, the newest; 0: all
  // Searches look at what was asked, concluded and at titles. This adds the rest of what the
  // assistant said. A query that names its surfaces gets those.
  bool include_full = false;

  // Keys, tokens and passwords in answers are "[masked:KIND]". False: they are shown as they are.
  bool mask_secrets = true;

  // Folders beside those that are found on the machine, as FORMAT:PATH ("openclaw:~/old/sessions").
  // Answers then come from these and from all projects of Claude Code.
  std::vector<std::string> sources;
  // Read this and nothing else. Needs a data_dir of its own. Shared with the caller, who may want
  // to put more into it.
  std::shared_ptr<TranscriptSource> source;
};

// How much of what is there can be found.
struct Coverage {
  std::uint64_t sessions_known = 0;     // as of the last refresh() of this corpus; 0 before
  std::uint64_t sessions_indexed = 0;   // of these
  std::uint64_t behind_bytes = 0;       // not read yet
  std::uint64_t passages = 0;           // pieces of text that can be found
  std::uint64_t passages_embedded = 0;  // of these also by meaning
};

// What a refresh() has done.
struct RefreshReport {
  std::uint64_t sessions_known = 0;
  std::uint64_t sessions_read = 0;     // new ones and those that changed
  std::uint64_t sessions_removed = 0;  // no longer listed by a TranscriptSource
  std::uint64_t sessions_behind = 0;   // could not be read; the notes say why
  std::uint64_t behind_bytes = 0;
  std::vector<std::string> notes;  // sentences
};

// ---- Asking ------------------------------------------------------------------------------------

// How to look: by words and by meaning, or by one of them. Meaning counts as far as passages have
// been embedded (see Corpus::embed).
enum class SearchBy : std::uint8_t { both, words, meaning };

// A question to search(). Only the text is needed.
struct SearchQuery {
  // Words are ORed and ranked; a pasted question or error message will do. "a phrase", +must, -not,
  // begin*, and fields: project: agent: branch: model: file: tool: session: has:tool.
  std::string text;
  std::vector<std::string> surfaces;  // see above; none: as CorpusOptions::include_full says
  std::size_t limit = 10;
  SearchBy by = SearchBy::both;

  // Filters, all of which must hold; of a list, any one.
  std::vector<std::string> projects;          // part of a project's name, folder or path
  std::vector<std::string> exclude_projects;  // none of these
  std::vector<std::string> agents;
  std::optional<TimePoint> since;  // active at or after
  std::optional<TimePoint> until;  // and before
  std::string session;             // an id or the beginning of one
  std::string branch;              // part of it; likewise model and file
  std::string model;
  std::string file;
  std::string tool;  // its name
  bool has_tool = false;

  bool newest_first = false;                  // instead of best first
  std::optional<double> half_life_days = 30;  // of a turn's weight; none: age does not matter
  std::size_t per_session = 3;                // most hits from one session; 0: any number
  bool include_subagents = false;             // conversations between agents
  bool include_automated = false;             // sessions that a machine started
  bool facets = false;                        // count all that matches, see Facets
};

// A turn that was found.
struct SearchHit {
  double score = 0;  // compares within one answer only
  std::string session_id;
  std::uint32_t turn_number = 0;
  std::string chunk_id;  // names the turn on the command line: yore chunk ID
  std::string agent;
  std::string project;
  std::string title;
  std::optional<TimePoint> time;
  std::vector<std::string> surfaces;  // that matched, best first
  std::string snippet;                // around the match, at most 300 characters
  std::vector<std::pair<std::size_t, std::size_t>> matches;  // bytes [begin, end) of the snippet
  std::string user_prompt;                                   // these three are whole
  std::string assistant_summary;
  std::string assistant_full;
  std::size_t copies = 0;       // other sessions that hold the same turn (forks)
  bool abandoned = false;       // the user went back and took another way
  bool source_missing = false;  // the agent has deleted its file; yore kept the text
  bool superseded = false;      // the agent has rewritten the session without this turn; likewise
};

// How many turns share a value: of an agent, a project, a branch …
struct FacetValue {
  std::string value;  // as the filter of that name takes it
  std::uint64_t count = 0;
};

// One bar of a histogram over time.
struct HistogramBar {
  std::string first;  // "2026-11-18": it begins with this day, by this machine's clock
  std::string until;  // and ends before this one
  std::uint64_t count = 0;
};

// All that a search has found, counted: turns, one of each set of copies, that hold a word of the
// question and pass its filters, however many of them are shown; and of those that were found by
// meaning alone the nearest (at least 64). Nothing is counted when nothing was to the point.
struct Facets {
  std::uint64_t matched = 0;
  std::vector<FacetValue> agents;  // most frequent first; at most 50 values each
  std::vector<FacetValue> projects;
  std::vector<FacetValue> branches;
  std::vector<FacetValue> models;
  std::vector<FacetValue> tools;     // in small letters
  std::vector<FacetValue> types;     // user, assistant, tool, thinking: where the words were found
  std::vector<FacetValue> times;     // "today", "1w", "1m", "1y", each with those before it
  std::vector<FacetValue> machines;  // "local": this one
  std::uint64_t starred = 0;         // by themselves or by their session
  std::string histogram_unit;        // "day", "week", "month" or "year"
  std::vector<HistogramBar> histogram;
  std::uint64_t undated = 0;
};

// The answer of search(); one without hits is not an error.
struct SearchResults {
  std::vector<SearchHit> hits;         // best first
  std::vector<SearchHit> closest;      // without hits: what comes nearest, hardly to the point
  bool more = false;                   // a larger limit would give more
  std::uint64_t hidden_subagents = 0;  // hits that were left out, see include_subagents
  std::uint64_t hidden_automated = 0;
  std::vector<std::string> notes;  // sentences: an unknown field, what is still missing …
  std::optional<Facets> facets;    // when they were asked for
  Coverage coverage;
};

// Which sessions list() gives; by default all, in pages.
struct ListQuery {
  std::vector<std::string> projects;
  std::vector<std::string> agents;
  std::optional<TimePoint> since;  // last active at or after
  std::optional<TimePoint> until;  // and before
  bool include_subagents = false;
  std::size_t limit = 50;
  std::size_t offset = 0;
  bool include_automated = false;  // sessions that nobody typed in
};

// What is known of a session without reading it.
struct SessionInfo {
  std::string id;
  std::string parent_id;  // of a sub-agent's session
  std::string agent;
  std::string project;
  std::string project_path;
  std::string title;
  std::string branch;  // last seen
  std::string model;
  std::optional<TimePoint> first_time;
  std::optional<TimePoint> last_time;
  std::uint32_t turn_count = 0;
  bool source_missing = false;
};

// A page of sessions.
struct SessionList {
  std::vector<SessionInfo> sessions;  // last active first; those without a turn are left out
  bool more = false;
};

// A turn, to be read.
struct Turn {
  std::uint32_t number = 0;
  std::optional<TimePoint> time;
  std::string user_text;
  std::string assistant_text;
  std::vector<std::string> tools_used;  // a JSON object each: {"tool":"Read","file":"/x"}
  bool abandoned = false;
};

// A session, or the part of it that read() was asked for.
struct Conversation {
  SessionInfo session;
  std::uint32_t total_turns = 0;
  std::vector<Turn> turns;
};

// ---- The corpus itself -------------------------------------------------------------------------

// All the transcripts that one scope lets through. A handle: copies are the same corpus.
class Corpus {
 public:
  // Reads no transcript; what an earlier process has indexed can be asked for at once.
  // invalid_argument: options that contradict each other, settings that cannot be read; io: the
  // data_dir cannot be made.
  static Result<Corpus> open(CorpusOptions options);

  // Reads what is new or has changed. What other processes add is found without it, but not by a
  // corpus with a scope: which sessions that lets through is worked out here and in open().
  // What could not be read is counted and in the notes. An error: there is no index and none can be
  // made, the TranscriptSource cannot list its sessions, or (busy) another process keeps writing.
  Result<RefreshReport> refresh();

  // Makes up to `max_passages` more passages searchable by meaning, newest first; how many are left
  // to do. Takes about 20 ms of a processor each. unsupported: the model is not there; busy:
  // another process does it.
  Result<std::uint64_t> embed(std::size_t max_passages = SIZE_MAX);

  // All of these: not_found when nothing was ever indexed.

  // invalid_argument: no text, no such surface, a limit of 0; not_found: no session of that id or
  // project; ambiguous: the beginning of several ids, which are in the hint. A keyword index that
  // turns out to be damaged is built again from what is stored, and the notes say so; corrupt: it
  // cannot be.
  [[nodiscard]] Result<SearchResults> search(const SearchQuery& query) const;
  [[nodiscard]] Result<SessionList> list(const ListQuery& query = {}) const;
  // Turns offset..offset+limit-1 of a session, by its id or the beginning of it. Read again from
  // the agent's file while that is there.
  [[nodiscard]] Result<Conversation> read(const std::string& session_id, std::uint32_t offset = 0,
                                          std::uint32_t limit = 10) const;
  // All turns, one after the other; from what is stored, the agents' files are not needed.
  [[nodiscard]] Result<TurnWalk> turns(const TurnScope& scope = {}) const;

 private:
  friend class TurnWalk;
  struct State;
  explicit Corpus(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace yore
