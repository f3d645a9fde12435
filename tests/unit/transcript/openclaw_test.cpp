#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/sqlite.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/openclaw/archive.hpp"
#include "transcript/agents/openclaw/prompt.hpp"
#include "transcript/agents/openclaw/records.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader =
    R"({"type":"session","version":3,"id":"s1","timestamp":"2026-05-05T10:00:00Z","cwd":"/w"})";
constexpr std::string_view kAsk =
    R"({"type":"message","id":"a1","parentId":null,"timestamp":"2026-05-05T10:00:05Z",)"
    R"("message":{"role":"user","content":[{"type":"text","text":"what is on my list?"}]}})";
constexpr std::string_view kAnswer =
    R"({"type":"message","id":"b2","parentId":"a1","timestamp":"2026-05-05T10:00:09Z",)"
    R"("message":{"role":"assistant","model":"m","content":[{"type":"text","text":"Milk."}]}})";
constexpr std::string_view kThanks =
    R"({"type":"message","id":"c3","parentId":"b2","timestamp":"2026-05-05T10:01:00Z",)"
    R"("message":{"role":"user","content":"thanks"}})";

constexpr const char* kSchema23 = R"(
  PRAGMA user_version = 23;
  CREATE TABLE session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL,
    entry_json TEXT NOT NULL, parent_session_key TEXT, spawned_by TEXT, label TEXT,
    display_name TEXT) STRICT;
  CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL,
    parent_session_key TEXT, spawned_by TEXT, display_name TEXT) STRICT;
  CREATE TABLE transcript_events(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
    created_at INTEGER NOT NULL DEFAULT 0, event_zstd BLOB, PRIMARY KEY(session_id, seq)) STRICT;
  CREATE TABLE transcript_rewrite_watermarks(session_id TEXT PRIMARY KEY, generation TEXT NOT NULL,
    updated_at INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE session_transcript_cold_archives(session_id TEXT PRIMARY KEY,
    archive_name TEXT NOT NULL, event_count INTEGER NOT NULL, last_seq INTEGER NOT NULL,
    storage TEXT NOT NULL, archive_blob BLOB) STRICT;
)";

std::string compressed(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

// Writes down what it is given, one line a record.
class Log final : public RecordSink {
 public:
  void record(const Record& record) override {
    static constexpr const char* kKinds[] = {"meta",    "prompt",    "joined",      "queued",
                                             "command", "assistant", "tool_output", "note"};
    std::string line = kKinds[static_cast<int>(record.kind)];
    line.append(" ").append(record.key).append("<").append(record.parent_key);
    for (const Block& block : record.blocks) line.append("|").append(block.text);
    lines.push_back(std::move(line));
  }
  void problem(ProblemKind kind, std::uint64_t line) override {
    lines.push_back(std::string(problem_name(kind)) + " " + std::to_string(line));
  }
  void unknown(std::string_view what) override { lines.push_back("unknown " + std::string(what)); }

  std::vector<std::string> lines;
};

// A store as OpenClaw would have written it.
class Store {
 public:
  explicit Store(const std::string& path, const char* schema = kSchema23)
      : db_(*Database::open(path, Database::Mode::create)) {
    run("PRAGMA synchronous = OFF");
    run(schema);
  }

  void run(const std::string& sql) {
    const auto status = db_.run(sql);
    EXPECT_TRUE(status.ok()) << sql << ": " << status.error().message;
  }
  void add_event(std::string_view session, int seq, std::string_view json) {
    auto insert = db_.prepare(
        "INSERT OR REPLACE INTO transcript_events(session_id, seq, event_json) VALUES(?1, ?2, ?3)");
    ASSERT_TRUE(insert.ok()) << insert.error().message;
    EXPECT_TRUE(insert->bind(1, session).bind(2, seq).bind(3, json).execute().ok());
  }
  void add_zstd_event(std::string_view session, int seq, std::string_view bytes) {
    auto insert = db_.prepare(
        "INSERT INTO transcript_events(session_id, seq, event_zstd) VALUES(?1, ?2, ?3)");
    ASSERT_TRUE(insert.ok()) << insert.error().message;
    EXPECT_TRUE(insert->bind(1, session).bind(2, seq).bind_blob(3, bytes).execute().ok());
  }
  void add_archive(std::string_view session, std::string_view name, std::string_view storage,
                   std::string_view blob) {
    auto insert =
        db_.prepare("INSERT INTO session_transcript_cold_archives VALUES(?1, ?2, 2, 1, ?3, ?4)");
    ASSERT_TRUE(insert.ok()) << insert.error().message;
    insert->bind(1, session).bind(2, name).bind(3, storage).bind_blob(4, blob);
    EXPECT_TRUE(insert->execute().ok());
  }
  void set_generation(const std::string& session, const std::string& generation) {
    run("INSERT OR REPLACE INTO transcript_rewrite_watermarks VALUES('" + session + "', '" +
        generation + "', 0)");
  }

 private:
  Database db_;
};

class OpenClaw : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "yore-openclaw-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern).string();
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  [[nodiscard]] std::string in(std::string_view name) const { return path_join(root_, name); }

  void write(std::string_view name, std::string_view bytes) const {
    fs::create_directories(fs::path(in(name)).parent_path());
    std::ofstream(in(name), std::ios::binary) << bytes;
  }

  // The agent "main" with an empty store.
  [[nodiscard]] Store new_store(const char* schema = kSchema23) const {
    fs::create_directories(in("agents/main/agent"));
    return Store(store_path(), schema);
  }
  [[nodiscard]] std::string store_path() const {
    return in("agents/main/agent/openclaw-agent.sqlite");
  }

  [[nodiscard]] Listing list(const std::string& path, const PreviousListing& known = {}) const {
    auto listing = openclaw::kAdapter.sessions({path, false}, known);
    EXPECT_TRUE(listing.ok()) << listing.error().message;
    return listing.ok() ? *std::move(listing) : Listing{};
  }
  [[nodiscard]] Listing list() const { return list(root_); }

  [[nodiscard]] SessionRef only_session() const {
    auto listing = list();
    EXPECT_EQ(listing.sessions.size(), 1U);
    return listing.sessions.empty() ? SessionRef{} : listing.sessions.front();
  }

  static std::vector<std::string> ids(const Listing& listing) {
    std::vector<std::string> result;
    for (const auto& session : listing.sessions) result.push_back(session.id);
    std::sort(result.begin(), result.end());
    return result;
  }

  static const SessionRef& find(const Listing& listing, std::string_view id) {
    static const SessionRef kNone;
    for (const auto& session : listing.sessions) {
      if (session.id == id) return session;
    }
    ADD_FAILURE() << "no session " << id;
    return kNone;
  }

  // Everything after `cursor`, which moves on.
  static std::vector<std::string> read(const SessionRef& session, Cursor& cursor,
                                       std::uint64_t max_bytes = UINT64_MAX) {
    Log log;
    for (bool more = true; more;) {
      const auto step = openclaw::kAdapter.read(session, cursor, {max_bytes}, log);
      EXPECT_TRUE(step.ok()) << step.error().message;
      if (!step.ok()) break;
      cursor = step->cursor;
      more = step->more;
    }
    return log.lines;
  }
  static std::vector<std::string> read(const SessionRef& session) {
    Cursor cursor;
    return read(session, cursor);
  }

 private:
  std::string root_;
};

using Lines = std::vector<std::string>;
const Lines kConversation = {"meta <", "prompt a1<|what is on my list?", "assistant b2<a1|Milk."};

std::string jsonl(std::initializer_list<std::string_view> entries) {
  std::string text;
  for (const auto entry : entries) text.append(entry).append("\n");
  return text;
}

// ---- which files are sessions ----

TEST_F(OpenClaw, ListsTheTranscriptsOfEveryAgentAndNoneOfTheirCopies) {
  write("agents/main/sessions/s1.jsonl", kHeader);
  write("agents/main/sessions/s1-topic-77.jsonl", kHeader);
  write("agents/worker/sessions/s2.jsonl", kHeader);
  for (const char* copy :
       {"sessions.json.tmp", "s1.jsonl.bak-12-34", "s1.full.bak", "s1.trajectory.jsonl", ".jsonl",
        "s1.jsonl.reset.2026-05-04T14-58-56.795Z", "s1.jsonl.deleted.2026-05-04T14-58-56.795Z",
        "s1.checkpoint.11111111-2222-4333-8444-555555555555.jsonl", "s1.trajectory-path.json"}) {
    write("agents/main/sessions/" + std::string(copy), kHeader);
  }
  const auto listing = list();
  EXPECT_EQ(ids(listing), (Lines{"openclaw:s1", "openclaw:s1-topic-77", "openclaw:s2"}));
  EXPECT_EQ(find(listing, "openclaw:s1").project, "openclaw-main");
  EXPECT_EQ(find(listing, "openclaw:s2").project, "openclaw-worker");
  EXPECT_EQ(find(listing, "openclaw:s2").path, in("agents/worker/sessions/s2.jsonl"));
  EXPECT_TRUE(listing.problems.empty());
}

TEST_F(OpenClaw, TakesAnAgentASessionsFolderOrAnyFolderAsRoot) {
  write("clawd/sessions/s1.jsonl", kHeader);
  write("loose/s2.jsonl", kHeader);
  EXPECT_EQ(list(in("clawd")).sessions.at(0).project, "openclaw-clawd");
  EXPECT_EQ(list(in("clawd/sessions")).sessions.at(0).project, "openclaw-clawd");
  EXPECT_EQ(list(in("clawd/sessions/")).sessions.at(0).project, "openclaw-clawd");
  EXPECT_EQ(list(in("loose")).sessions.at(0).project, "openclaw-loose");
}

TEST_F(OpenClaw, SaysWhenTheRootIsMissing) {
  const auto listing = openclaw::kAdapter.sessions({in("nowhere"), true}, {});
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.error().code, Errc::not_found);
}

TEST_F(OpenClaw, LearnsTitleKeyKindAndParentFromTheSessionMap) {
  for (const char* name : {"s1", "s2", "s3", "s4", "s5-topic-9", "s6"}) {
    write("agents/main/sessions/" + std::string(name) + ".jsonl", kHeader);
  }
  write("agents/main/sessions/sessions.json", R"({
    "agent:main:main": {"sessionId": "s1", "skillsSnapshot": {"big": [1, 2, {"label": "no"}]},
                        "displayName": "Display", "label": "Label"},
    "agent:main:subagent:x": {"sessionId": "s2", "spawnedBy": "agent:main:main"},
    "agent:main:subagent:y": {"sessionId": "s3", "spawnedBy": "agent:gone:main", "label": 7},
    "cron:nightly": {"sessionId": "s4", "displayName": "Nightly"},
    "agent:main:telegram:group:1:topic:9": {"sessionId": "s5", "label": "Topic",
        "sessionFile": "/elsewhere/s5-topic-9.jsonl"},
    "odd": "not an entry"
  })");
  const auto listing = list();
  EXPECT_TRUE(listing.problems.empty());
  EXPECT_EQ(find(listing, "openclaw:s1").title, "Label");
  EXPECT_EQ(find(listing, "openclaw:s1").resume_key, "agent:main:main");
  EXPECT_EQ(find(listing, "openclaw:s1").kind, SessionKind::main);
  EXPECT_EQ(find(listing, "openclaw:s2").kind, SessionKind::subagent);
  EXPECT_EQ(find(listing, "openclaw:s2").parent_id, "openclaw:s1");
  EXPECT_EQ(find(listing, "openclaw:s3").kind, SessionKind::subagent);
  EXPECT_EQ(find(listing, "openclaw:s3").parent_id, "");
  EXPECT_TRUE(find(listing, "openclaw:s4").automated);
  EXPECT_EQ(find(listing, "openclaw:s4").title, "Nightly");
  EXPECT_EQ(find(listing, "openclaw:s5-topic-9").title, "Topic");
  EXPECT_FALSE(find(listing, "openclaw:s6").automated);
  EXPECT_EQ(find(listing, "openclaw:s6").resume_key, "");
}

TEST_F(OpenClaw, ListsSessionsBesideADamagedSessionMap) {
  write("agents/main/sessions/s1.jsonl", kHeader);
  write("agents/main/sessions/sessions.json",
        R"({"agent:main:main": {"sessionId": "s1", "label": "Kept"}, "x": {"sessionId": )");
  const auto listing = list();
  EXPECT_EQ(ids(listing), Lines{"openclaw:s1"});
  ASSERT_EQ(listing.problems.size(), 1U);
  EXPECT_EQ(listing.problems[0].first, in("agents/main/sessions/sessions.json"));
  EXPECT_EQ(listing.sessions[0].title, "Kept");
}

// ---- the store ----

TEST_F(OpenClaw, ReadsTheSameFromTheStoreAsFromAFile) {
  write("agents/main/sessions/s1.jsonl", jsonl({kHeader, kAsk, kAnswer}));
  const auto from_file = read(only_session());
  fs::remove(in("agents/main/sessions/s1.jsonl"));
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  store.add_zstd_event("s1", 1, compressed(kAsk));
  store.add_event("s1", 2, kAnswer);
  EXPECT_EQ(from_file, kConversation);
  EXPECT_EQ(read(only_session()), from_file);
}

TEST_F(OpenClaw, PrefersTheStoreToFilesOfTheSameSession) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  store.add_archive("s1", "x", "sqlite", compressed(kHeader));
  write("agents/main/sessions/s1.jsonl", kHeader);
  const auto listing = list();
  ASSERT_EQ(ids(listing), (Lines{"openclaw:s1", "openclaw:s1", "openclaw:s1"}));
  std::vector<int> ranks;
  for (const auto& session : listing.sessions) ranks.push_back(session.rank);
  EXPECT_EQ(ranks, (std::vector<int>{2, 1, 0}));
}

TEST_F(OpenClaw, LearnsTitlesAndParentsFromTheStore) {
  auto store = new_store();
  store.run(R"(INSERT INTO session_nodes VALUES
    ('agent:main:main', 's2', '{}', NULL, NULL, NULL, 'Display'),
    ('agent:main:subagent:x', 's3', '{}', NULL, 'agent:main:main', 'Label', 'Display');
    INSERT INTO session_windows VALUES ('s1', 'agent:main:main', NULL, NULL, 'Older'),
    ('s2', 'agent:main:main', NULL, NULL, NULL),
    ('s3', 'agent:main:subagent:x', NULL, NULL, NULL),
    ('s4', 'agent:main:cron:job', NULL, NULL, 'Window');)");
  for (const char* session : {"s1", "s2", "s3", "s4"}) store.add_event(session, 0, kHeader);
  const auto listing = list();
  EXPECT_EQ(find(listing, "openclaw:s1").resume_key, "agent:main:main");
  EXPECT_EQ(find(listing, "openclaw:s2").title, "Display");
  EXPECT_EQ(find(listing, "openclaw:s3").title, "Label");
  EXPECT_EQ(find(listing, "openclaw:s3").kind, SessionKind::subagent);
  EXPECT_EQ(find(listing, "openclaw:s3").parent_id, "openclaw:s2");
  EXPECT_EQ(find(listing, "openclaw:s4").title, "Window");
  EXPECT_TRUE(find(listing, "openclaw:s4").automated);
  EXPECT_EQ(find(listing, "openclaw:s4").project, "openclaw-main");
}

TEST_F(OpenClaw, ReadsStoresFromBeforeTheTablesWereRenamed) {
  auto store = new_store(R"(
    PRAGMA user_version = 9;
    CREATE TABLE session_entries(session_key TEXT PRIMARY KEY, session_id TEXT, entry_json TEXT);
    CREATE TABLE sessions(session_id TEXT PRIMARY KEY, session_key TEXT);
    CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT,
      created_at INTEGER, PRIMARY KEY(session_id, seq));
    INSERT INTO session_entries VALUES('agent:main:main', 's1', '{"displayName":"Old"}'),
                                      ('agent:main:odd', 's2', 'not json');
    INSERT INTO sessions VALUES('s1', 'agent:main:main');)");
  store.add_event("s1", 0, kHeader);
  store.add_event("s1", 1, kAsk);
  const auto session = only_session();
  EXPECT_EQ(session.title, "Old");
  EXPECT_EQ(session.resume_key, "agent:main:main");
  EXPECT_EQ(read(session), (Lines{"meta <", "prompt a1<|what is on my list?"}));
}

TEST_F(OpenClaw, ReportsAStoreOfANewerSchemaAndReadsTheFiles) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  store.run("PRAGMA user_version = 24");
  write("agents/main/sessions/s2.jsonl", kHeader);
  const auto listing = list();
  EXPECT_EQ(ids(listing), Lines{"openclaw:s2"});
  ASSERT_EQ(listing.problems.size(), 1U);
  EXPECT_NE(listing.problems[0].second.find("schema 24 is newer"), std::string::npos);
  EXPECT_TRUE(listing.containers.empty());
}

TEST_F(OpenClaw, ReportsAStoreThatIsNoDatabase) {
  write("agents/main/agent/openclaw-agent.sqlite", std::string(4096, 'x'));
  write("agents/main/sessions/s2.jsonl", kHeader);
  const auto listing = list();
  EXPECT_EQ(ids(listing), Lines{"openclaw:s2"});
  EXPECT_EQ(listing.problems.size(), 1U);
}

TEST_F(OpenClaw, DoesNotRunAViewThatPosesAsATable) {
  const auto store = new_store(R"(
    CREATE VIEW transcript_events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT 's' AS session_id, i AS seq, '' AS event_json FROM n;)");
  EXPECT_TRUE(list().sessions.empty());
}

TEST_F(OpenClaw, LeavesAnUnchangedStoreClosed) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  const auto first = list();
  ASSERT_EQ(first.containers.size(), 1U);
  const auto& seen = first.containers[0];
  PreviousListing same;
  same.unchanged = [&](const std::string& path, const FileStamp& stamp) {
    return path == seen.path && stamp == seen.stamp;
  };
  const auto second = list(in(""), same);
  EXPECT_EQ(second.unchanged, Lines{store_path()});
  EXPECT_TRUE(second.sessions.empty());

  store.add_event("s1", 1, std::string(10'000, ' ') + std::string(kAsk));
  EXPECT_EQ(list(in(""), same).sessions.size(), 1U);
}

TEST_F(OpenClaw, SeesWhatTheOwnerHasCommittedWhileItWrites) {
  auto store = new_store();
  store.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
  store.add_event("s1", 0, kHeader);
  store.run("BEGIN IMMEDIATE");
  store.add_event("s1", 1, kAsk);
  EXPECT_EQ(read(only_session()), Lines{"meta <"});
  store.run("COMMIT");
  EXPECT_EQ(read(only_session()).size(), 2U);
}

TEST_F(OpenClaw, StampsARowByItsEventsAndGeneration) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  const auto first = only_session().stamp;
  EXPECT_EQ(only_session().stamp, first);
  store.add_event("s1", 1, kAsk);
  const auto second = only_session().stamp;
  EXPECT_NE(second, first);
  store.set_generation("s1", "g1");
  const auto third = only_session().stamp;
  EXPECT_NE(third, second);
  store.set_generation("s1", "g2");
  EXPECT_NE(only_session().stamp, third);
}

TEST_F(OpenClaw, GoesOnAfterTheLastRowThatWasRead) {
  auto store = new_store();
  store.set_generation("s1", "g1");
  store.add_event("s1", 0, kHeader);
  store.add_event("s1", 1, kAsk);
  store.add_event("s1", 2, kAnswer);
  const auto session = only_session();
  Cursor cursor;
  EXPECT_EQ(read(session, cursor), kConversation);
  EXPECT_TRUE(*openclaw::kAdapter.resumable(session, cursor));
  store.add_event("s1", 5, kThanks);
  EXPECT_TRUE(*openclaw::kAdapter.resumable(session, cursor));
  EXPECT_EQ(read(session, cursor), Lines{"prompt c3<b2|thanks"});
  EXPECT_EQ(read(session, cursor), Lines{});
}

TEST_F(OpenClaw, StartsAgainWhenHistoryWasRewritten) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  store.add_event("s1", 1, kAsk);
  const auto session = only_session();
  Cursor cursor;
  read(session, cursor);
  store.add_event("s1", 1, kThanks);
  EXPECT_FALSE(*openclaw::kAdapter.resumable(session, cursor));
  store.add_event("s1", 1, kAsk);
  EXPECT_TRUE(*openclaw::kAdapter.resumable(session, cursor));
  store.set_generation("s1", "g2");
  EXPECT_FALSE(*openclaw::kAdapter.resumable(session, cursor));
  store.run("DELETE FROM transcript_rewrite_watermarks; DELETE FROM transcript_events");
  EXPECT_FALSE(*openclaw::kAdapter.resumable(session, cursor));
}

TEST_F(OpenClaw, TrustsNoCursorOfAnotherContainer) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  const auto session = only_session();
  for (const char* cursor : {"", "garbage", "events", "events 0", "events 0 0", "archive 1 1"}) {
    EXPECT_FALSE(*openclaw::kAdapter.resumable(session, cursor)) << cursor;
  }
}

TEST_F(OpenClaw, TakesACompressedEventForTheSameEvent) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  const auto session = only_session();
  Cursor cursor;
  read(session, cursor);
  store.run("DELETE FROM transcript_events");
  store.add_zstd_event("s1", 0, compressed(kHeader));
  EXPECT_TRUE(*openclaw::kAdapter.resumable(session, cursor))
      << "compressing an event changes nothing";
}

TEST_F(OpenClaw, ReadsTheSameInSmallSteps) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  for (int i = 1; i < 600; ++i) store.add_event("s1", i, i % 2 == 1 ? kAsk : kAnswer);
  const auto session = only_session();
  Cursor at_once;
  Cursor in_steps;
  const auto whole = read(session, at_once);
  EXPECT_EQ(whole.size(), 600U);
  EXPECT_EQ(read(session, in_steps, 1), whole);
  EXPECT_EQ(in_steps, at_once);
}

TEST_F(OpenClaw, ReadsAroundDamagedEvents) {
  auto store = new_store();
  store.add_event("s1", 0, kHeader);
  store.add_zstd_event("s1", 1, "no frame at all");
  store.add_zstd_event("s1", 2, compressed(kAsk).substr(0, 20));
  store.run("INSERT INTO transcript_events(session_id, seq) VALUES('s1', 3)");
  store.add_event("s1", 4, "{\"type\":");
  store.add_zstd_event("s1", 5, compressed(std::string(65 << 20, ' ')));
  store.add_event("s1", 6, kThanks);
  EXPECT_EQ(read(only_session()), (Lines{"meta <", "unreadable 1", "unreadable 2", "wrong-type 3",
                                         "invalid-json 4", "oversized 5", "prompt c3<b2|thanks"}));
}

// A column that is not STRICT takes any value; behind this one every number would come once more.
TEST_F(OpenClaw, ReadsNoEventTwiceForANumberThatIsNone) {
  auto store = new_store(
      "CREATE TABLE session_entries(session_key TEXT PRIMARY KEY, session_id TEXT, entry_json "
      "TEXT);"
      "CREATE TABLE sessions(session_id TEXT PRIMARY KEY, session_key TEXT);"
      "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT,"
      "  created_at INTEGER, PRIMARY KEY(session_id, seq));"
      "INSERT INTO session_entries VALUES('agent:main:main', 's1', '{}');"
      "INSERT INTO sessions VALUES('s1', 'agent:main:main');"
      "INSERT INTO transcript_events(session_id, seq, event_json) VALUES('s1', 'x', '{}'),"
      "  ('s1', 1.5, '{}')");
  store.add_event("s1", 0, kHeader);
  store.add_event("s1", 1, kAsk);
  store.add_event("s1", 2, kAnswer);
  const auto session = only_session();
  Cursor in_steps;
  EXPECT_EQ(read(session), kConversation);
  EXPECT_EQ(read(session, in_steps, 1), kConversation);
}

// ---- cold sessions ----

std::string escaped(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string cold_archive() {
  std::string text = R"({"kind":"header","version":1,"sessionId":"cold1","generation":"g"})";
  int seq = 0;
  for (const auto event : {kHeader, kAsk, kAnswer}) {
    text += "\n{\"kind\":\"event\",\"row\":{\"seq\":" + std::to_string(seq++) +
            ",\"event_json\":\"" + escaped(event) + "\",\"created_at\":1}}";
  }
  return compressed(text + "\n{\"kind\":\"fts\",\"row\":{\"text\":\"not read twice\"}}\n");
}

const std::string kColdName = std::string(64, 'a') + ".jsonl.zst";

TEST_F(OpenClaw, ReadsColdSessionsOutOfTheStore) {
  auto store = new_store();
  store.add_archive("cold1", kColdName, "sqlite", cold_archive());
  const auto session = only_session();
  EXPECT_EQ(session.id, "openclaw:cold1");
  Cursor cursor;
  EXPECT_EQ(read(session, cursor), kConversation);
  EXPECT_TRUE(*openclaw::kAdapter.resumable(session, cursor));
  EXPECT_EQ(read(session, cursor), Lines{});
}

TEST_F(OpenClaw, ReadsColdSessionsFromTheFileTheStoreNames) {
  auto store = new_store();
  store.add_archive("cold1", kColdName, "file", "");
  write("agents/main/sessions/cold/" + kColdName, cold_archive());
  Cursor cursor;
  EXPECT_EQ(read(only_session(), cursor, 1), kConversation);
}

TEST_F(OpenClaw, OpensNoFileOutsideTheColdFolder) {
  auto store = new_store();
  store.add_archive("cold1", "../../../secret.jsonl.zst", "file", "");
  write("secret.jsonl.zst", cold_archive());
  Log log;
  const auto step = openclaw::kAdapter.read(only_session(), "", {}, log);
  ASSERT_FALSE(step.ok());
  EXPECT_EQ(step.error().code, Errc::corrupt);
}

TEST_F(OpenClaw, ReadsColdFilesWithoutAStore) {
  write("agents/main/sessions/cold/" + kColdName, cold_archive());
  write("agents/main/sessions/cold/" + std::string(64, 'b') + ".jsonl.zst",
        compressed(jsonl({kHeader, kAsk})));
  write("agents/main/sessions/cold/" + std::string(64, 'c') + ".jsonl.zst", "no frame");
  const auto listing = list();
  EXPECT_EQ(ids(listing), (Lines{"openclaw:cold1", "openclaw:s1"}));
  EXPECT_EQ(listing.problems.size(), 1U);
  EXPECT_EQ(find(listing, "openclaw:cold1").rank, 1);
  Cursor cursor;
  EXPECT_EQ(read(find(listing, "openclaw:cold1"), cursor), kConversation);
  EXPECT_TRUE(*openclaw::kAdapter.resumable(find(listing, "openclaw:cold1"), cursor));
  EXPECT_FALSE(*openclaw::kAdapter.resumable(find(listing, "openclaw:s1"), cursor));
  EXPECT_EQ(read(find(listing, "openclaw:s1")),
            (Lines{"meta <", "prompt a1<|what is on my list?"}));
}

TEST_F(OpenClaw, ReadsImportedFilesOnlyWithoutAStore) {
  write("agents/main/sessions/session-sqlite-import-archive/s1.jsonl", kHeader);
  write("agents/main/sessions/session-sqlite-import-archive/2026/s2.jsonl", kHeader);
  auto listing = list();
  EXPECT_EQ(ids(listing), (Lines{"openclaw:s1", "openclaw:s2"}));
  EXPECT_EQ(find(listing, "openclaw:s1").rank, -1);
  const auto store = new_store();
  EXPECT_TRUE(list().sessions.empty());
}

TEST(OpenClawArchive, StopsAtTheLimitWhateverAFrameClaims) {
  const auto decoded = decompress(compressed(std::string(1 << 20, 'x')), 1000);
  EXPECT_EQ(decoded.state, Decoded::State::oversized);
  EXPECT_EQ(decoded.text, std::string(1000, 'x'));
}

TEST(OpenClawArchive, ReadsFramesThatFollowEachOther) {
  const auto decoded = decompress(compressed("one ") + compressed("two"));
  EXPECT_EQ(decoded.state, Decoded::State::whole);
  EXPECT_EQ(decoded.text, "one two");
}

// ---- resuming, and input of any kind ----

TEST(OpenClawResume, NamesTheSessionKey) {
  EXPECT_EQ(openclaw::kAdapter.resume("agent:main:main"),
            (Lines{"openclaw", "tui", "--session", "agent:main:main"}));
}

TEST(OpenClawResume, PrintsNothingThatAShellCouldRead) {
  for (const char* key : {"", "-x", ":x", "a b", "a;b", "$(x)", "a\nb", "a'b", "\xc3\xa4"}) {
    EXPECT_TRUE(openclaw::kAdapter.resume(key).empty()) << key;
  }
}

RC_GTEST_PROP(OpenClawPrompt, IsAlwaysTheEndOfTheText, (std::vector<std::string> pieces)) {
  static const Lines kPieces = {
      "[Tue 2026-05-05 12:00 GMT+2]", "System: ", "Sender (untrusted metadata):",
      "\n```json\n{}\n```",           "\n\n",     "["};
  std::string text;
  for (const auto& piece : pieces) text += piece + *rc::gen::elementOf(kPieces);
  const auto prompt = openclaw::clean_prompt(text);
  RC_ASSERT(std::string_view(text).ends_with(prompt.text));
}

RC_GTEST_PROP(OpenClawEntries, SurviveAnyChangeOfAByte, (std::uint8_t byte)) {
  std::string text(*rc::gen::elementOf(std::vector<std::string_view>{kHeader, kAsk, kAnswer}));
  text[*rc::gen::inRange<std::size_t>(0, text.size())] = static_cast<char>(byte);
  Log log;
  openclaw::EntryReader entries(log, openclaw::EntrySource::rows);
  read_json_text(text, {}, log, [&](simdjson::ondemand::object& object, const LineInfo& where) {
    return entries.read(object, where);
  });
  RC_ASSERT(log.lines.size() <= 8);
}

}  // namespace
}  // namespace yore::transcript
