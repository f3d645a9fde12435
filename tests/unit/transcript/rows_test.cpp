// The store `rows` over a live database: what changed, what is read again, and that its owner never
// waits.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/sqlite.hpp"
#include "support/temp_dir.hpp"
#include "transcript/spec/agent_spec.hpp"
#include "transcript/spec/spec_toml.hpp"
#include "transcript/spec/typed_text.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSpec = R"(name = "flock"
store = "rows"
places = [{ pattern = "s.db" }]
rows = { sessions = "sessions", id = "id", changed = "at", messages = "messages", session = "session_id", order = "n", edited = ["seen"] }
fields = { role = "role", text = "text" }
records = [{ when = { role = "user" }, as = "prompt" }, { as = "assistant" }]
)";

class RowWords final : public RecordSink {
 public:
  void record(const Record& record) override {
    for (const Block& block : record.blocks) all.emplace_back(block.text);
  }
  void problem(ProblemKind kind, std::uint64_t) override { all.emplace_back(problem_name(kind)); }
  void unknown(std::string_view) override {}
  std::vector<std::string> all;
};

using RowTexts = std::vector<std::string>;

// With and without a write-ahead log, with and without an index on the session.
struct Shape {
  const char* name;
  const char* journal;
  bool index;
};

class Rows : public testing::TestWithParam<Shape> {
 protected:
  void SetUp() override {
    auto spec = parse_agent(kSpec, "flock.toml");
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    adapter_ = make_adapter(*std::move(spec));
    Database database = owner();
    run(database,
        "CREATE TABLE sessions(id TEXT PRIMARY KEY, at INTEGER);"
        "CREATE TABLE messages(k INTEGER PRIMARY KEY, session_id TEXT, n INTEGER, role TEXT,"
        " text TEXT, seen INTEGER DEFAULT 0);");
    if (GetParam().index) run(database, "CREATE INDEX by_session ON messages(session_id)");
    for (const char* id : {"a", "b"}) {
      run(database, "INSERT INTO sessions VALUES('" + std::string(id) + "', 5)");
      add(database, id, "ask " + std::string(id));
    }
    close(std::move(database));
  }

  // The agent's own connection, which does not wait for anybody.
  [[nodiscard]] Database owner() const {
    auto database = Database::open(path_, Database::Mode::create);
    EXPECT_TRUE(database.ok());
    run(*database, std::string("PRAGMA synchronous=OFF; PRAGMA busy_timeout=0;"
                               "PRAGMA journal_mode=") +
                       GetParam().journal);
    return *std::move(database);
  }

  // As the last connection of a program does: our own leave the log to whoever writes next.
  void close(Database database) const {
    run(database, "PRAGMA wal_checkpoint(TRUNCATE)");
    { const Database closed = std::move(database); }
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(path_ + suffix);
  }

  static void run(Database& database, const std::string& sql) {
    const Status status = database.run(sql);
    ASSERT_TRUE(status.ok()) << sql << ": " << status.error().message;
  }

  static void add(Database& database, const std::string& session, const std::string& text) {
    run(database, "INSERT INTO messages(session_id, n, role, text) SELECT '" + session +
                      "', count(*), 'user', '" + text + "' FROM messages");
  }

  [[nodiscard]] std::map<std::string, SessionRef> list() const {
    auto listing = adapter_.sessions({folder_.path(), false}, {});
    EXPECT_TRUE(listing.ok());
    EXPECT_TRUE(listing->problems.empty());
    std::map<std::string, SessionRef> sessions;
    for (SessionRef& session : listing->sessions) sessions[session.id] = session;
    return sessions;
  }

  [[nodiscard]] RowTexts read(const SessionRef& session, Cursor& cursor,
                              const ReadLimits& limits = {}) const {
    RowWords words;
    const auto step = adapter_.read(session, cursor, limits, words);
    EXPECT_TRUE(step.ok()) << step.error().message;
    if (step.ok()) cursor = step->cursor;
    return words.all;
  }

  [[nodiscard]] bool resumable(const SessionRef& session, const Cursor& cursor) const {
    const auto answer = adapter_.resumable(session, cursor);
    EXPECT_TRUE(answer.ok());
    return answer.ok() && *answer;
  }

  [[nodiscard]] RowTexts files() const {
    RowTexts names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  fake::TempDir folder_;
  std::string path_ = path_join(folder_.path(), "s.db");
  Adapter adapter_;
};

TEST_P(Rows, TellsWhichSessionHasChanged) {
  Database database = owner();
  const auto before = list();
  ASSERT_EQ(before.size(), 2U);
  add(database, "b", "more");
  const auto grown = list();
  EXPECT_EQ(grown.at("flock:a").stamp, before.at("flock:a").stamp);
  EXPECT_NE(grown.at("flock:b").stamp, before.at("flock:b").stamp);
  // The last message is edited while the clock stands still.
  run(database, "UPDATE messages SET text='most' WHERE text='more'");
  const auto edited = list();
  EXPECT_NE(edited.at("flock:b").stamp, grown.at("flock:b").stamp);
  add(database, "b", "last");
  const auto longer = list();
  run(database, "UPDATE messages SET seen=1 WHERE text='ask b'");
  EXPECT_NE(list().at("flock:b").stamp, longer.at("flock:b").stamp) << "a column that tells of it";
  run(database, "UPDATE sessions SET at=6 WHERE id='a'");
  EXPECT_NE(list().at("flock:a").stamp, before.at("flock:a").stamp);
}

TEST_P(Rows, ReadsOnlyWhatIsNewAsLongAsTheRestIsWhatItWas) {
  Database database = owner();
  Cursor cursor;
  EXPECT_EQ(read(list().at("flock:a"), cursor), RowTexts{"ask a"});
  add(database, "a", "two");
  SessionRef session = list().at("flock:a");
  EXPECT_TRUE(resumable(session, cursor));
  EXPECT_EQ(read(session, cursor), RowTexts{"two"});
  EXPECT_EQ(read(session, cursor), RowTexts{});
  // An edit in the middle, a row that went, one that came before the others.
  for (const char* change :
       {"UPDATE messages SET text='ask?' WHERE text='ask a'",
        "DELETE FROM messages WHERE text='two'",
        "INSERT INTO messages(session_id,n,role,text) VALUES('a',-1,'user','first')"}) {
    run(database, "BEGIN; " + std::string(change));
    run(database, "COMMIT");
    session = list().at("flock:a");
    EXPECT_FALSE(resumable(session, cursor)) << change;
    cursor.clear();
    static_cast<void>(read(session, cursor));
    EXPECT_TRUE(resumable(session, cursor)) << change;
  }
  cursor.clear();
  EXPECT_EQ(read(session, cursor), (RowTexts{"first", "ask?"})) << "in the order of their column";
}

TEST_P(Rows, KnowsNoCursorOfAnotherForm) {
  const SessionRef session = list().at("flock:a");
  for (const char* other : {"", "T", "R0123456789abcdef", "T0123456789"}) {
    EXPECT_FALSE(resumable(session, other)) << other;
  }
}

TEST_P(Rows, AreReadWhileTheOwnerIsInATransaction) {
  Database database = owner();
  run(database, "BEGIN IMMEDIATE");
  add(database, "a", "not yet");
  Cursor cursor;
  EXPECT_EQ(read(list().at("flock:a"), cursor), RowTexts{"ask a"});
  run(database, "COMMIT");
  EXPECT_EQ(read(list().at("flock:a"), cursor), RowTexts{"not yet"});
}

TEST_P(Rows, NeverMakeTheOwnerWait) {
  Database database = owner();
  for (int i = 0; i < 20; ++i) add(database, "a", "row " + std::to_string(i));
  const SessionRef session = list().at("flock:a");
  Cursor cursor;
  // While a record is worked on nothing is open, whoever waits for it.
  class Writer final : public RecordSink {
   public:
    explicit Writer(Database& database) : database_(database) {}
    void record(const Record& record) override {
      if (!record.blocks.empty()) add(database_, "b", "beside it");
    }
    void problem(ProblemKind, std::uint64_t) override {}
    void unknown(std::string_view) override {}

   private:
    Database& database_;
  };
  Writer writer(database);
  const auto step = adapter_.read(session, {}, {}, writer);
  ASSERT_TRUE(step.ok()) << step.error().message;
  EXPECT_EQ(list().at("flock:b").stamp.size_bytes, 22U);
}

TEST_P(Rows, LeaveNothingBesideADatabaseThatNobodyHasOpen) {
  ASSERT_EQ(files(), RowTexts{"s.db"}) << "its owner has cleaned up";
  Cursor cursor;
  EXPECT_EQ(read(list().at("flock:a"), cursor), RowTexts{"ask a"});
  EXPECT_EQ(files(), RowTexts{"s.db"});
}

TEST_P(Rows, OfAFileThatMayNotBeWrittenAreRead) {
  fs::permissions(path_, fs::perms::owner_read);
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  Cursor cursor;
  EXPECT_EQ(read(list().at("flock:a"), cursor), RowTexts{"ask a"});
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_P(Rows, AreNotTrustedWhenTheFileChangesUnderTheReading) {
  auto reader = open_foreign(path_);
  ASSERT_TRUE(reader.ok());
  const auto before = reader->number("SELECT count(*) FROM messages");
  ASSERT_TRUE(before.ok());
  Database database = owner();
  add(database, "a", "two");
  close(std::move(database));  // what was logged is written back
  const auto after = reader->number("SELECT count(*) FROM messages");
  const bool at_rest = std::string_view(GetParam().journal) == "WAL";
  if (at_rest) {
    ASSERT_FALSE(after.ok());
    EXPECT_EQ(after.error().code, Errc::busy);
  } else {
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(*after, *before + 1);
  }
  EXPECT_EQ(list().at("flock:a").stamp.size_bytes, 2U);
}

TEST_P(Rows, OfABusyDatabaseStayAsTheyWere) {
  Database database = owner();
  run(database, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE");
  add(database, "a", "two");
  const auto listing = adapter_.sessions({folder_.path(), false}, {});
  ASSERT_TRUE(listing.ok());
  const bool locked = !listing->problems.empty();  // with a log they can be read all the same
  EXPECT_EQ(listing->unchanged.size(), locked ? 1U : 0U);
  EXPECT_EQ(listing->containers.size(), locked ? 0U : 1U);
  EXPECT_EQ(listing->sessions.size(), locked ? 0U : 2U);
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Rows,
                         testing::Values(Shape{"logged", "WAL", true},
                                         Shape{"logged_unindexed", "WAL", false},
                                         Shape{"rollback", "DELETE", true},
                                         Shape{"rollback_unindexed", "DELETE", false}),
                         [](const auto& shape) { return std::string(shape.param.name); });

TEST(TypedRanges, TakeOffWhatStandsAroundTheWords) {
  auto spec = parse_agent(std::string(kSpec) +
                              "typed = { strip = [\"[skill*words: \"], unwrap = [\"[[*]]\"], "
                              "cut = [\" --\"], drop = [\"[skill\"] }\n",
                          "x.toml");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  const auto words = [&](std::string_view text) { return typed_text(text, spec->typed); };
  EXPECT_EQ(words("[skill x] words: no words: go").text, "go") << "behind the last one";
  EXPECT_EQ(words("[skill x] words: go").action, TypedAction::strip);
  EXPECT_EQ(words("[skill x]").action, TypedAction::drop) << "nothing was typed";
  EXPECT_EQ(words("[[ go ]]").text, "go");
  EXPECT_EQ(words("go -- note").text, "go");
  EXPECT_EQ(words("  go ").text, "  go ") << "nothing was taken off";
}

}  // namespace
}  // namespace yore::transcript
