#include "service/doctor.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "base/files/file.hpp"
#include "base/sqlite.hpp"
#include "store/store.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore::service {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;
using Level = Finding::Level;

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

class Doctor : public testing::Test {
 protected:
  void SetUp() override {
    ClaudeLines lines("one");
    world_.write(
        world_.session_path("-home-ann-blog", "one"),
        lines.prompt("Q") + lines.answer("A") + "{broken\n\n{again\n" + lines.of_type("hologram"));
    world_.index();
  }

  std::vector<Finding> examined(bool fix = false) {
    auto findings = examine(world_.world(), world_.settings(), fix);
    EXPECT_TRUE(findings.ok()) << findings.error().message;
    return findings.ok() ? *findings : std::vector<Finding>{};
  }

  // The first finding of an area that is not ok.
  static const Finding* complaint(const std::vector<Finding>& findings, std::string_view area) {
    const auto found = std::ranges::find_if(findings, [area](const Finding& finding) {
      return finding.area == area && finding.level != Level::ok;
    });
    return found == findings.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string database() const {
    return store::Store::database_path(world_.data_dir());
  }

  FakeWorld world_;
};

TEST_F(Doctor, FindsNothingWrongWithASoundStore) {
  const auto findings = examined();
  for (const char* area : {"permissions", "database", "orphans", "sources", "settings"}) {
    EXPECT_EQ(complaint(findings, area), nullptr) << area;
  }
}

TEST_F(Doctor, NamesAStoreOfANewerVersionAndWhatToDo) {
  const std::string path = world_.in_home(".local/share/goose/sessions/sessions.db");
  world_.write(path, "");
  const auto set_version = [&](int version) {
    auto database = Database::open(path, Database::Mode::create);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->run(
        "CREATE TABLE IF NOT EXISTS schema_version(version INTEGER);"
        "CREATE TABLE IF NOT EXISTS sessions(id TEXT, name TEXT, working_dir TEXT, updated_at "
        "TEXT);"
        "CREATE TABLE IF NOT EXISTS messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, "
        "content_json TEXT, created_timestamp INTEGER);"
        "INSERT INTO sessions VALUES('20260502_1','t','/w/app','2026-05-02');"
        "INSERT INTO messages(session_id,role,content_json,created_timestamp) VALUES('20260502_1',"
        "'user','[{\"type\":\"text\",\"text\":\"Q\"}]',1777777777);"
        "INSERT INTO schema_version VALUES(" +
        std::to_string(version) + ");"));
  };
  set_version(15);
  world_.index();
  EXPECT_EQ(complaint(examined(), "formats"), nullptr) << "known";
  set_version(16);
  world_.index();
  const auto findings = examined();
  const Finding* found = complaint(findings, "formats");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->level, Level::note);
  EXPECT_NE(found->message.find(path + " is of schema 16, known is up to 15"), std::string::npos)
      << found->message;
  EXPECT_NE(found->fix.find("update yore"), std::string::npos);
}

TEST_F(Doctor, NamesAFormatOfANewerVersion) {
  world_.write(
      world_.in_home(".pi/agent/sessions/--w-app--/2026-01-01_x.jsonl"),
      R"({"type":"session","version":9,"id":"x","timestamp":"2026-01-01T00:00:00Z","cwd":"/w/app"})"
      "\n"
      R"({"type":"message","id":"a","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"Q"}})"
      "\n");
  world_.index();
  const auto findings = examined();
  const Finding* found = complaint(findings, "formats");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->message.find("pi: 1 session"), std::string::npos) << found->message;
}

TEST_F(Doctor, FindsFilesThatOthersCanReadAndMendsThem) {
  ASSERT_EQ(::chmod(world_.data_dir().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(database().c_str(), 0644), 0);
  auto findings = examined();
  const Finding* found = complaint(findings, "permissions");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->level, Level::problem);
  EXPECT_TRUE(found->fixable);
  EXPECT_FALSE(found->fixed);
  EXPECT_EQ(mode_of(database()), 0644U) << "looking changes nothing";

  findings = examined(true);
  EXPECT_TRUE(complaint(findings, "permissions")->fixed);
  EXPECT_EQ(mode_of(world_.data_dir()), 0700U);
  EXPECT_EQ(mode_of(database()), 0600U);
  EXPECT_EQ(complaint(examined(), "permissions"), nullptr);
}

TEST_F(Doctor, NamesSkippedRecordsWithTheirLines) {
  const auto findings = examined();
  const Finding* found = complaint(findings, "skipped");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->message.find("one.jsonl: 2 × invalid-json, line 3, 5"), std::string::npos)
      << found->message;
}

TEST_F(Doctor, NamesUnknownTypes) {
  const auto findings = examined();
  const Finding* found = complaint(findings, "unknown");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->message.find("claude-code: type hologram, 1 × in 1 sessions"), std::string::npos)
      << found->message;
}

TEST_F(Doctor, ReportsAFileThatIsNoDatabase) {
  world_.remove(database() + "-wal");
  world_.write(database(), std::string(9000, 'n'));
  const auto findings = examined(true);
  const Finding* found = complaint(findings, "database");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->level, Level::problem);
  EXPECT_NE(found->fix.find("yore index"), std::string::npos);
  EXPECT_TRUE(found->fixed);
  EXPECT_EQ(*read_file(database() + ".damaged"), std::string(9000, 'n'))
      << "nothing is thrown away";
  EXPECT_EQ(*world_.store().integrity(), "ok");
}

TEST_F(Doctor, ReportsADatabaseWithDamagedPages) {
  // Everything into the file itself: pages in the log would be read in place of the damaged ones.
  ASSERT_TRUE(world_.store().database().run("PRAGMA wal_checkpoint(TRUNCATE)").ok());
  const std::uint64_t size = stat_file(database())->size_bytes;
  ASSERT_GT(size, 3U * 4096U);
  for (std::uint64_t at = 4096; at < size; at += 4096) {
    std::fstream file(database(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(200, '\xEE');
  }
  const auto findings = examined();
  const Finding* found = complaint(findings, "database");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->level, Level::problem);
}

TEST_F(Doctor, FindsRowsOfNoSessionAndRemovesThem) {
  {
    auto store = world_.store();
    ASSERT_TRUE(store.database().run("DELETE FROM session").ok());
  }
  auto findings = examined();
  const Finding* found = complaint(findings, "orphans");
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->fixable);
  EXPECT_GT(*world_.store().passage_count(), 0U) << "looking changes nothing";

  findings = examined(true);
  EXPECT_TRUE(complaint(findings, "orphans")->fixed);
  EXPECT_EQ(complaint(examined(), "orphans"), nullptr);
  auto store = world_.store();
  EXPECT_EQ(*store.passage_count(), 0U);
  EXPECT_EQ(fake::feed_problem(store), "") << "followers of the feed hear of it";
}

TEST_F(Doctor, FindsFilesThatAreNotOurs) {
  world_.write(path_join(world_.data_dir(), "leftover.tmp"), "x");
  const auto findings = examined(true);
  const Finding* found = complaint(findings, "orphans");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->message.find("leftover.tmp"), std::string::npos);
  EXPECT_TRUE(is_regular_file(path_join(world_.data_dir(), "leftover.tmp")));
}

TEST_F(Doctor, SaysWhatIsMissing) {
  world_.remove(world_.session_path("-home-ann-blog", "one"));
  world_.index();
  const auto findings = examined();
  const Finding* found = complaint(findings, "sources");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->level, Level::note);
  EXPECT_NE(found->message.find("1 sessions are kept"), std::string::npos) << found->message;
}

TEST_F(Doctor, NamesUnknownSettings) {
  world_.set_config("exlude = []\n");
  const auto findings = examined();
  const Finding* found = complaint(findings, "settings");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->message.find("'exlude'"), std::string::npos);
}

TEST_F(Doctor, SaysThatThereIsNoIndexYet) {
  world_.set_env("YORE_DATA_DIR", world_.in_home("empty"));
  const auto findings = examined(true);
  const Finding* found = complaint(findings, "database");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->level, Level::note);
  EXPECT_FALSE(is_directory(world_.in_home("empty")));
}

TEST_F(Doctor, SaysThatTheIndexIsOfANewerProgram) {
  ASSERT_TRUE(world_.store().database().run("PRAGMA user_version=99").ok());
  const auto findings = examined();
  const Finding* found = complaint(findings, "database");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->message.find("newer yore"), std::string::npos);
  EXPECT_NE(found->fix.find("update yore"), std::string::npos);
}

}  // namespace
}  // namespace yore::service
