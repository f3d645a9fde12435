// reader.hpp — the read path without search: list, find, read. Never writes, never waits for a
// writer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "search/scope_filter.hpp"
#include "search/session_id.hpp"
#include "search/vocabulary.hpp"
#include "store/marks.hpp"
#include "store/store.hpp"
#include "turns/turn_reader.hpp"

namespace yore::search {

// A place in the list: right behind this session, whether or not it is still there.
struct ListPlace {
  Time last_time = kNoTime;
  std::string uid;
  friend bool operator==(const ListPlace&, const ListPlace&) = default;
};

// Is one of the places the folder, or inside it? By path alone.
bool is_of_folder(std::string_view folder, std::initializer_list<std::string_view> places);

struct ListFilter {
  std::vector<std::string> words;     // each in title, first prompt, slug, name or project
  std::vector<std::string> projects;  // substrings of project name, folder name or path; any of
  std::vector<std::string> exclude;   // likewise; none of
  std::vector<std::string> agents;    // exact names; any of
  std::optional<Time> since;          // last activity at or after
  std::optional<Time> until;          // last activity before
  bool subagents = false;
  bool automated = false;  // false: hidden and counted, unless it is all there is
  bool beside = false;     // notes, and prompts without their conversation, too
  std::size_t limit = kSessionsListed;
  std::size_t offset = 0;
  std::optional<ListPlace> after;  // only what comes behind it
  std::vector<std::string> tags;   // on the session or one of its turns; any of
  bool starred = false;            // likewise
  bool superseded = false;         // only sessions with turns that stand nowhere any more
  std::string folder;              // absolute: only sessions that ran in it, or inside
  bool leave_out_empty = false;    // sessions without turns are counted, not listed
  bool count_hidden = true;        // false: what is hidden behind the page is not looked for
};

struct ListAnswer {
  std::vector<store::SessionRow> sessions;  // newest last activity first
  bool more = false;                        // the limit cut the list
  std::uint64_t hidden_empty = 0;
  std::uint64_t hidden_subagents = 0;
  std::uint64_t hidden_automated = 0;
  std::vector<std::string> notes;  // when nothing was found: agents that have no sessions
  std::map<std::string, store::MarksOn, std::less<>> marks;  // of sessions listed, by id
};

struct ReadAnswer {
  store::SessionRow session;
  std::vector<turns::WholeTurn> turns;
  // For an edition, whose turns keep their old numbers: one more than the largest of them.
  std::uint32_t total_turns = 0;
  bool source_missing = false;  // the file is gone: read from the archive or the store
  bool superseded = false;      // an edition of a session that was rewritten since
  store::MarksOn marks;         // of the session
  std::map<std::uint32_t, store::MarksOn> marks_of_turns;  // of the turns read, by number
};
// The number at which the next page begins.
std::uint32_t next_offset(const ReadAnswer& answer, std::uint32_t offset);

// Which turns are read, and how much of them.
struct TurnRange {
  std::uint32_t offset = 0;
  std::uint32_t limit = 0;
  turns::Detail detail = turns::Detail::sides;
};

struct ProjectRow {
  std::string project;
  std::string path;  // working directory, when known: of several that of the newest session
  std::vector<std::string> joined;  // the others that have this name, newest first
  std::vector<std::string> agents;
  std::uint64_t sessions = 0;
  std::uint64_t turns = 0;
  Time last_time = kNoTime;
};

class Reader {
 public:
  // not_found: no index yet. `store`: when the caller has it open already.
  static Result<Reader> open(const config::World& world, const config::Settings& settings,
                             const config::Scope& scope, std::optional<store::Store> store = {});

  // Roots that were registered since count from now on; free without a scope.
  Status refresh();
  Result<ListAnswer> list(const ListFilter& filter);
  Result<std::vector<ProjectRow>> projects(const ListFilter& filter);
  // An id or a unique prefix of one, with or without the agent part; else a name that somebody gave
  // a session. not_found; ambiguous: the candidates are in the hint, one a line.
  Result<store::SessionRow> find_session(std::string_view id);
  // The shortest form of every id, as find_session() takes it.
  Result<ShortIds> short_ids();
  // `limit` turns from number `offset` on, read again from the source when it is there,
  // else from the archive, else from the store.
  Result<ReadAnswer> read(const store::SessionRow& session, std::uint32_t offset,
                          std::uint32_t limit, turns::Detail detail = turns::Detail::sides);
  // What was marked, as it is now.
  [[nodiscard]] Result<store::Marks> marks() const { return store::Marks::load(data_dir_); }
  // Where the subject of a mark is now, with the turn's number unless it is a session; nullopt: it
  // is not there, or not in scope.
  struct MarkedPlace {
    store::SessionRow session;
    std::optional<turns::Turn> turn;
  };
  Result<std::optional<MarkedPlace>> find_marked(const store::MarkSubject& subject);
  store::Store& store() { return store_; }
  [[nodiscard]] const ScopeFilter& scope() const { return scope_; }
  [[nodiscard]] const transcript::AgentRegistry& agents() const { return *agents_; }

 private:
  Reader(config::World world, const config::Settings& settings, store::Store store,
         ScopeFilter scope)
      : world_(std::move(world)),
        agents_(settings.agents),
        data_dir_(settings.data_dir),
        store_(std::move(store)),
        scope_(std::move(scope)) {}
  [[nodiscard]] bool in_scope(const store::SessionRow& session) const;
  Result<std::vector<store::SessionRow>> candidates_for(std::string_view id);
  Result<ReadAnswer> read_unmarked(const store::SessionRow& session, const TurnRange& range);
  Status note_agents(const ListFilter& filter, ListAnswer& answer);
  Status add_marks(ReadAnswer& answer);
  Result<std::optional<store::SessionRow>> session_named(std::string_view name);
  Result<std::set<std::int64_t>> sessions_marked(const ListFilter& filter,
                                                 const store::Marks& marks);
  Status leave_out_forgotten(ReadAnswer& answer);
  // False: it is not kept, or not as it was last read.
  bool read_kept(const transcript::Adapter& adapter, const TurnRange& range,
                 ReadAnswer& answer) const;
  Status read_stored(const TurnRange& range, ReadAnswer& answer);

  config::World world_;
  transcript::Agents agents_;
  std::string data_dir_;
  store::Store store_;
  ScopeFilter scope_;
};

// argv of the agent's own command that resumes the session; not_found when it has none.
Result<std::vector<std::string>> resume_command(const store::SessionRow& session,
                                                const transcript::AgentRegistry& agents);

}  // namespace yore::search
