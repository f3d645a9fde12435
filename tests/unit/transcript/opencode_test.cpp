#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/sqlite.hpp"
#include "support/cpu_time.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/opencode/store.hpp"

namespace yore::transcript::opencode {

namespace {

namespace fs = std::filesystem;

const Adapter kAdapter = family().front();

// Without the indexes of the real one: every query must do without them.
constexpr const char* kSchema =
    "CREATE TABLE session(id text PRIMARY KEY, parent_id text, directory text, title text,"
    " version text, revert text, time_updated integer);"
    "CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer,"
    " time_updated integer, data text);"
    "CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text,"
    " time_updated integer, data text);";

class Texts final : public RecordSink {
 public:
  void record(const Record& record) override {
    for (const Block& block : record.blocks) all.emplace_back(block.text);
  }
  void problem(ProblemKind kind, std::uint64_t) override { all.emplace_back(problem_name(kind)); }
  void unknown(std::string_view) override {}

  std::vector<std::string> all;
};

class OpenCode : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "yore-opencode-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern).string();
    path_ = path_join(root_, "opencode.db");
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  // The agent's own connection.
  [[nodiscard]] Database owner() const {
    auto database = Database::open(path_, Database::Mode::create);
    EXPECT_TRUE(database.ok());
    EXPECT_TRUE(database->run("PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL").ok());
    return *std::move(database);
  }

  static void run(Database& database, const std::string& sql) {
    const Status status = database.run(sql);
    ASSERT_TRUE(status.ok()) << sql << ": " << status.error().message;
  }

  static void add_session(Database& database, const std::string& id) {
    run(database, "INSERT INTO session VALUES('" + id + "', NULL, '/w', 'Title', '1', NULL, 1)");
    add_prompt(database, id, "msg_" + id, "ask " + id);
  }

  static void add_prompt(Database& database, const std::string& session, const std::string& id,
                         const std::string& text) {
    run(database, "INSERT INTO message VALUES('" + id + "', '" + session +
                      R"(', 5, 5, '{"role":"user","time":{"created":5}}'))");
    run(database, "INSERT INTO part VALUES('prt_" + id + "', '" + id + "', '" + session +
                      R"(', 5, '{"type":"text","text":")" + text + R"("}'))");
  }

  void write_tree_session(const std::string& id) const {
    write("storage/session/p/" + id + ".json", R"({"id":")" + id + R"(","title":"In the tree"})");
    write("storage/message/" + id + "/msg_1.json", R"({"id":"msg_1","role":"user"})");
    write("storage/part/msg_1/prt_1.json", R"({"type":"text","text":"words"})");
  }

  void write(const std::string& name, const std::string& text) const {
    const std::string path = path_join(root_, name);
    fs::create_directories(path_dirname(path));
    std::ofstream(path, std::ios::binary) << text;
  }

  [[nodiscard]] Listing list(const PreviousListing& known = {}) const {
    auto listing = kAdapter.sessions({root_, false}, known);
    EXPECT_TRUE(listing.ok());
    return *std::move(listing);
  }

  [[nodiscard]] static std::vector<std::string> ids(const Listing& listing) {
    std::vector<std::string> all;
    for (const SessionRef& session : listing.sessions) all.push_back(session.id);
    std::ranges::sort(all);
    return all;
  }

  [[nodiscard]] static FileStamp stamp_in(const Listing& listing, const std::string& id) {
    for (const SessionRef& session : listing.sessions) {
      if (session.id == id) return session.stamp;
    }
    ADD_FAILURE() << id << " is not there";
    return {};
  }

  [[nodiscard]] static std::vector<std::string> read(const SessionRef& session) {
    Texts texts;
    const auto step = kAdapter.read(session, {}, {}, texts);
    EXPECT_TRUE(step.ok());
    return texts.all;
  }

  std::string root_;
  std::string path_;
};

// A query per message walks the whole table for each: three seconds here, and a hundred times as
// many for ten times the messages.
TEST_F(OpenCode, ReadsATableWithoutAnyIndexInLittleTime) {
  Database database = owner();
  std::string schema = kSchema;
  for (std::size_t at = 0; (at = schema.find(" PRIMARY KEY")) != std::string::npos;) {
    schema.erase(at, std::string_view(" PRIMARY KEY").size());
  }
  run(database, schema + "BEGIN");
  run(database, "INSERT INTO session VALUES('s', NULL, '/w', 'Title', '1', NULL, 1)");
  constexpr int kMessages = 6000;
  for (int i = 0; i < kMessages; ++i) add_prompt(database, "s", std::to_string(100'000 + i), "ask");
  run(database, "COMMIT");
  const Listing listing = list();
  ASSERT_EQ(listing.sessions.size(), 1U);
  std::vector<std::string> texts;
  const double seconds = fake::cpu_seconds([&] { texts = read(listing.sessions[0]); });
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(kMessages));
  EXPECT_LT(seconds, 1.5);
}

TEST_F(OpenCode, ReadsMorePartsThanAreLookedUpAtOnce) {
  Database database = owner();
  run(database, kSchema + std::string("BEGIN"));
  add_session(database, "s");
  constexpr int kParts = 9000;
  std::vector<std::string> expected;
  for (const char* message : {"msg_a", "msg_b", "msg_c"}) {
    run(database, std::string("INSERT INTO message VALUES('") + message +
                      R"(', 's', 9, 9, '{"role":"user","time":{"created":5}}'))");
    for (int i = 0; i < kParts; ++i) {
      const std::string id = message + std::to_string(100'000 + i);
      run(database, "INSERT INTO part VALUES('" + id + "', '" + message +
                        R"(', 's', 5, '{"type":"text","text":")" + id + R"("}'))");
    }
  }
  run(database, "COMMIT");
  const Listing listing = list();
  ASSERT_EQ(listing.sessions.size(), 1U);
  const std::vector<std::string> texts = read(listing.sessions[0]);
  ASSERT_EQ(texts.size(), 1 + 3U * kParts);
  EXPECT_TRUE(std::ranges::is_sorted(texts.begin() + 1, texts.end()));
  EXPECT_EQ(texts.back(), "msg_c" + std::to_string(100'000 + kParts - 1));
  EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end());
}

TEST_F(OpenCode, LeavesADatabaseClosedThatHasNotChanged) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  const Listing first = list();
  ASSERT_EQ(first.containers.size(), 1U);
  const Container known = first.containers.front();
  PreviousListing same;
  same.unchanged = [&](const std::string& path, const FileStamp& stamp) {
    return path == known.path && stamp == known.stamp;
  };
  const Listing second = list(same);
  EXPECT_TRUE(second.sessions.empty());
  EXPECT_EQ(second.unchanged, std::vector<std::string>{path_});

  add_session(database, "ses_2");
  EXPECT_EQ(ids(list(same)), (std::vector<std::string>{"opencode:ses_1", "opencode:ses_2"}));
}

TEST_F(OpenCode, ListsNoCopyFromTheTreeWhileTheDatabaseStaysClosed) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  write_tree_session("ses_1");
  write_tree_session("ses_2");
  PreviousListing always;
  always.unchanged = [](const std::string&, const FileStamp&) { return true; };
  EXPECT_EQ(ids(list(always)), std::vector<std::string>{"opencode:ses_2"});
}

TEST_F(OpenCode, TellsWhichSessionOfTheDatabaseHasChanged) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  add_session(database, "ses_2");
  const Listing before = list();
  run(database, "UPDATE part SET time_updated = 6 WHERE session_id = 'ses_2'");
  const Listing edited = list();
  EXPECT_EQ(stamp_in(edited, "opencode:ses_1"), stamp_in(before, "opencode:ses_1"));
  EXPECT_NE(stamp_in(edited, "opencode:ses_2"), stamp_in(before, "opencode:ses_2"));
  run(database, "DELETE FROM part WHERE session_id = 'ses_1'");
  const Listing removed = list();
  EXPECT_NE(stamp_in(removed, "opencode:ses_1"), stamp_in(edited, "opencode:ses_1"));
  run(database, R"(UPDATE session SET revert = '{"messageID":"m"}' WHERE id = 'ses_2')");
  EXPECT_NE(stamp_in(list(), "opencode:ses_2"), stamp_in(removed, "opencode:ses_2"));
}

TEST_F(OpenCode, ReadsWhatIsCommittedWhileTheOwnerWrites) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  run(database, "BEGIN IMMEDIATE");
  add_prompt(database, "ses_1", "msg_z", "not yet");
  const Listing during = list();
  ASSERT_EQ(during.sessions.size(), 1U);
  EXPECT_EQ(read(during.sessions.front()), std::vector<std::string>{"ask ses_1"});
  // Our reading is in nobody's way.
  run(database, "COMMIT");
  run(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_EQ(read(during.sessions.front()), (std::vector<std::string>{"ask ses_1", "not yet"}));
}

TEST_F(OpenCode, ReadsADatabaseThatIsNamedItself) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  const auto listing = kAdapter.sessions({path_, true}, {});
  ASSERT_TRUE(listing.ok());
  EXPECT_EQ(ids(*listing), std::vector<std::string>{"opencode:ses_1"});
}

TEST_F(OpenCode, KnowsWhetherACursorStillFits) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  add_prompt(database, "ses_1", "msg_zz", "two");
  const SessionRef session = list().sessions.front();
  Texts texts;
  const auto step = kAdapter.read(session, {}, {}, texts);
  ASSERT_TRUE(step.ok());
  const auto fits = [&](const Cursor& cursor) {
    const auto answer = kAdapter.resumable(session, cursor);
    return answer.ok() && *answer;
  };
  EXPECT_TRUE(fits(step->cursor));
  for (const char* other :
       {"", "opencode", "opencode 1 2", "opencode 1 1 0 0 99 x", "events 1 2 "}) {
    EXPECT_FALSE(fits(other)) << other;
  }
  run(database, "DELETE FROM message WHERE id = 'msg_ses_1'");
  EXPECT_FALSE(fits(step->cursor));
}

TEST_F(OpenCode, ReadsMoreMessagesThanOnePageHolds) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  for (int i = 0; i < 200; ++i) {
    add_prompt(database, "ses_1", "msg_t" + std::to_string(1000 + i), std::to_string(i));
  }
  const auto texts = read(list().sessions.front());
  ASSERT_EQ(texts.size(), 201U);
  EXPECT_EQ(texts.back(), "199");
}

TEST_F(OpenCode, ReportsWhatItCannotKnow) {
  Database database = owner();
  run(database, "CREATE TABLE conversation(id text)");
  const Listing listing = list();
  EXPECT_TRUE(listing.sessions.empty());
  ASSERT_EQ(listing.problems.size(), 1U);
  EXPECT_NE(listing.problems.front().second.find("not those of a known version"),
            std::string::npos);
}

TEST_F(OpenCode, IsResumedByItsOwnCommand) {
  EXPECT_EQ(kAdapter.resume("ses_1a"), (std::vector<std::string>{"opencode", "-s", "ses_1a"}));
  EXPECT_TRUE(kAdapter.resume("ses; rm -rf").empty());
}

TEST_F(OpenCode, IsTheSameUnderOtherNames) {
  Database database = owner();
  run(database, kSchema);
  add_session(database, "ses_1");
  run(database, "UPDATE session SET parent_id = 'ses_0'");
  for (const Adapter& member : family()) {
    const auto listing = member.sessions({root_, false}, {});
    ASSERT_TRUE(listing.ok());
    ASSERT_EQ(listing->sessions.size(), 1U);
    EXPECT_EQ(listing->sessions[0].id, std::string(member.name) + ":ses_1");
    EXPECT_EQ(listing->sessions[0].parent_id, std::string(member.name) + ":ses_0");
    EXPECT_EQ(read(listing->sessions[0]), std::vector<std::string>{"ask ses_1"});
  }
}

TEST(OpenCodeTitles, ThatOnlySayWhenAreNone) {
  EXPECT_TRUE(opencode::is_placeholder("New session - 2026-01-01T10:00:00.000Z"));
  EXPECT_TRUE(opencode::is_placeholder("Child session - 2026-01-01T10:00:00.000Z"));
  EXPECT_FALSE(opencode::is_placeholder("New session - of the council"));
  EXPECT_FALSE(opencode::is_placeholder(""));
}

}  // namespace
}  // namespace yore::transcript::opencode
