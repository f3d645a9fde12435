// store.hpp — the record store: one SQLite database that owns the truth.
//
// Everything that makes search fast is derived from here and can be deleted at any moment.
// Writes go through store/writer.hpp; this class opens the database and answers questions.
//
// Crash: a commit holds passages, turns and the position they were read up to, so a kill at any
// moment loses at most what was not committed and never counts anything twice.
// Threads: one Store per thread; any number of processes may read while one writes (WAL).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "store/pack.hpp"
#include "transcript/adapter.hpp"
#include "turns/turn_types.hpp"

namespace yore::store {

enum class SessionId : std::int64_t {};
enum class RootId : std::int64_t {};
enum class PassageId : std::int64_t {};
constexpr std::int64_t number(SessionId id) {
  return static_cast<std::int64_t>(id);
}

// What a row of sessions is. Values are stored: never renumber. All but the first are searched like
// the rest but count in no statistic of the collection.
enum class Standing : std::uint8_t {
  conversation = 0,
  edition = 1,    // turns that stood in the session `base` and stand nowhere any more
  unsettled = 2,  // likewise, while it is not known yet which of them still stand in it
  prompts = 3,    // prompts alone: their conversation was never seen
  note = 4,       // what was written down to be remembered
};

Standing standing_of(transcript::SessionContent content);
transcript::SessionContent content_of(Standing standing);

// Between the id of a session and the number of its edition: "<uid>~2".
inline constexpr char kEditionMark = '~';

// In turn.flags: it was forgotten on purpose.
inline constexpr int kForgottenFlag = 8;
inline constexpr int kScriptedFlag = 16;

// Whether nothing of a session is kept, and why. Values are stored.
enum class Excluded : std::uint8_t {
  no = 0,
  by_settings = 1,    // it was read once, then its project turned out to be excluded
  by_its_author = 2,  // a person wrote "yore: private" in it
  made_by_yore = 3,   // its first prompt is nothing but what yore made
};

struct RootRow {
  RootId id{};
  std::string agent;
  std::string path;
  bool named = false;
};

// What planning needs of every known session; cheap to load for tens of thousands.
struct KnownSession {
  SessionId id{};
  std::string agent;
  RootId root{};
  transcript::SessionRef ref;  // as it was listed; its stamp is what was read
  std::string other_files;
  std::uint64_t ref_hash = 0;
  bool missing = false;
  bool broken = false;  // the last reading failed: try again even when the stamp stands
  Excluded excluded = Excluded::no;
  std::string project;
};

struct SessionRow {
  SessionId id{};
  std::string uid;
  std::string agent;
  RootId root{};
  std::string path;
  std::string row;
  std::vector<std::string> other_files;  // that hold the same session
  FileStamp stamp;
  Time missing_since = kNoTime;  // kNoTime: its source is there
  transcript::SessionKind kind = transcript::SessionKind::main;
  bool automated = false;
  std::string parent;
  std::string directory;
  std::string fixed_project;
  std::string ref_cwd;
  std::string ref_title;
  std::string resume_key;
  std::string project;
  std::string project_path;
  std::string title;
  std::string title_kind;  // "custom", "summary", "ai", "index", "compaction", "slug", "prompt", ""
  turns::SessionFacts facts;
  std::uint64_t bytes_read = 0;
  bool excluded = false;                    // only session(id) gives such a row
  int reading = transcript::kFirstReading;  // the version of the reading by which it was read
  std::string host;                         // the machine it is from; "": this one
  Standing standing = Standing::conversation;
  SessionId base{};               // of an edition: the session it was; 0: none
  std::uint32_t editions = 0;     // the number of its last edition
  std::uint32_t superseded = 0;   // turns in its editions
  turns::TurnNumber settled = 0;  // turns that were compared with its editions (editions.cpp)
};
// What an adapter needs to read the session again.
transcript::SessionRef session_ref(const SessionRow& session);

struct ProblemRow {
  SessionId session{};
  std::string uid;
  std::string path;
  transcript::ProblemKind kind{};
  std::uint64_t count = 0;
  std::string lines;  // "3, 17, 20": the first few
};

struct UnknownRow {
  std::string agent;
  std::string what;
  std::uint64_t count = 0;
  std::uint64_t sessions = 0;
};

struct TroubleRow {
  std::string agent;
  std::string path;
  std::string message;
};

// Per agent, for status and agents.
struct AgentCounts {
  std::string agent;
  std::uint64_t sessions = 0;
  std::uint64_t subagents = 0;
  std::uint64_t turns = 0;
  std::uint64_t missing = 0;
  std::uint64_t automated = 0;
  std::uint64_t bytes = 0;
  std::uint64_t problems = 0;
  std::uint64_t superseded = 0;  // turns that stand nowhere any more
  std::uint64_t prompts = 0;     // without their conversation
  std::uint64_t notes = 0;
  std::uint64_t other_files = 0;  // sessions that several files hold
  Time newest = kNoTime;
  std::string versions;  // smallest to largest version text seen
};

enum class ChangeOp : std::uint8_t {
  add_passages = 1,     // subject: first passage id, count
  remove_passages = 2,  // likewise
  turn_changed = 3,     // subject: session id, count: turn number
  session_changed = 4,  // subject: session id; title, project, kind or place
  // subject: session id, count: first part of its record keys that is new. More was read: times,
  // titles in its records and counts may be others.
  session_grown = 6,
  commit = 5,  // ends every commit that changed something; subject: a random number
};

// Names one state of one database: what is derived from it tells by this what it covers.
struct CommitMark {
  std::int64_t seq = 0;  // 0: nothing was ever written
  std::uint64_t nonce = 0;
  friend bool operator==(const CommitMark&, const CommitMark&) = default;
};

struct Change {
  std::int64_t seq = 0;
  ChangeOp op{};
  std::int64_t subject = 0;
  std::int64_t count = 0;
};

// How much around a passage is of interest: a long private key.
inline constexpr std::size_t kContextBytes = 8192;

class Store {
 public:
  // The database in `data_dir`, made when missing (files 0600). corrupt: not a database of ours.
  // REQUIRES, where it may be missing: the process holds the WriterLock.
  static Result<Store> open(const std::string& data_dir);
  // not_found when there is no database yet.
  static Result<Store> open_existing(const std::string& data_dir);
  static std::string database_path(const std::string& data_dir);

  Result<std::vector<RootRow>> roots();
  Result<std::vector<KnownSession>> known_sessions();
  Result<std::vector<std::pair<std::string, FileStamp>>> containers();

  // All but excluded ones and editions, newest activity first, then by uid; stops when `visit`
  // returns false.
  Status each_session(const std::function<bool(SessionRow&&)>& visit);
  // Likewise with editions: everything that can be found.
  Status each_searchable(const std::function<bool(SessionRow&&)>& visit);
  // The editions of a session, oldest first.
  Result<std::vector<SessionRow>> editions_of(SessionId session);
  Result<std::optional<SessionRow>> session(SessionId id);
  // Not an excluded one.
  Result<std::optional<SessionRow>> session_by_uid(std::string_view uid);
  // Every uid, of editions and of excluded sessions too, sorted.
  Result<std::vector<std::string>> all_uids();
  // Sessions whose uid, or the part after "agent:" or "/", begins with `prefix`; where it holds a
  // slash, both parts may be the starts of what they name. At most `limit`.
  // Editions only when the prefix has their '~'.
  Result<std::vector<SessionRow>> sessions_by_prefix(std::string_view prefix, int limit);

  // Sessions that are read from this file or database; not excluded ones.
  Result<std::vector<SessionRow>> sessions_at(std::string_view path);

  Result<std::vector<turns::Turn>> turns_of(SessionId session);
  // Of these at most `limit`, from number `first` on.
  Result<std::vector<turns::Turn>> turns_from(SessionId session, turns::TurnNumber first,
                                              int limit);
  // Sessions of other machines, each with its machine.
  Result<std::vector<std::pair<SessionId, std::string>>> hosts();
  // Passages of turns first..last, in stored order, with their ids; only from packs of these kinds.
  Result<std::vector<std::pair<PassageId, turns::Passage>>> passages_of(
      SessionId session, turns::TurnNumber first, turns::TurnNumber last,
      unsigned kinds = kAllPassages);

  Result<std::vector<AgentCounts>> agent_counts();
  Result<std::vector<ProblemRow>> problems();
  Result<std::vector<UnknownRow>> unknowns();
  Result<std::vector<TroubleRow>> troubles();
  Result<std::uint64_t> passage_count();
  Result<std::vector<Change>> changes_after(std::int64_t seq, int limit);
  // How many passages were added since, removed ones included.
  Result<std::int64_t> passages_added_after(std::int64_t seq);
  Result<std::string> uuid();
  Result<CommitMark> last_commit();
  // Is it one of this database's own? A restored backup does not know later ones.
  Result<bool> has_commit(const CommitMark& mark);

  // The text of one passage, with what stands before and behind it in the same block.
  struct PassageInContext {
    std::string before;  // about kContextBytes at most, as also behind
    std::string text;
    std::string after;
  };
  Result<std::optional<PassageInContext>> passage_in_context(PassageId id);
  // The text of one passage.
  Result<std::optional<turns::Passage>> passage(PassageId id);

  struct PackRow {
    std::int64_t first = 0;  // id of its first passage
    std::int64_t count = 0;
    SessionId session{};
    std::vector<turns::Passage> passages;
  };
  // Packs that begin at ids from..to-1 and hold something of `kinds`, in order, until `visit`
  // returns false.
  Status each_pack(std::int64_t from, std::int64_t to, unsigned kinds,
                   const std::function<bool(PackRow&&)>& visit);
  // First id of every such pack, in order; cheap.
  Result<std::vector<std::int64_t>> pack_ids(unsigned kinds);
  Result<std::optional<turns::Turn>> turn(SessionId session, turns::TurnNumber number);
  // Where a turn is now whose chunk id (48 bits) leads to no turn any more: with it in another
  // session.
  Result<std::optional<std::pair<SessionId, turns::TurnNumber>>> moved_chunk(
      std::string_view prefix);
  // Where turns of this origin are, living sessions first; none for origin 0.
  Result<std::vector<std::pair<SessionId, turns::TurnNumber>>> turns_of_origin(
      std::uint64_t origin);
  // One more than the largest turn number; 0 without turns.
  Result<turns::TurnNumber> turn_end(SessionId session);
  // Visits the turns of all sessions, ordered by session and number.
  Status each_turn(const std::function<void(SessionId, turns::Turn&&)>& visit);
  // SQLite's own check of the file: "ok" or what it found.
  Result<std::string> integrity();

  Database& database() { return database_; }  // of this room and of tests: see check_layers.py

 private:
  // Prepared on first use, kept, and ready to be bound.
  Result<Statement*> statement(const char* sql);
  Status each_session_where(const std::string& condition,
                            const std::function<bool(SessionRow&&)>& visit);
  explicit Store(Database database) : database_(std::move(database)) {}
  static Result<Store> prepare(Database database);
  Database database_;
  std::vector<std::pair<const char*, std::unique_ptr<Statement>>> statements_;  // by address
};

}  // namespace yore::store
