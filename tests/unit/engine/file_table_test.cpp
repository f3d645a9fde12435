#include "engine/file_table.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "support/fake_world.hpp"

namespace yore::engine {
namespace {

constexpr std::chrono::seconds kLong{10};

class Files : public testing::Test {
 protected:
  void save_and_load() {
    ASSERT_TRUE(make_directories(world_.data_dir()).ok());
    table_.arrange(now_);
    ASSERT_TRUE(table_.save(world_.data_dir()).ok());
    const auto loaded = FileTable::load(world_.data_dir());
    ASSERT_TRUE(loaded.ok());
    table_ = *loaded;
  }
  // Looks at a folder, a file in it and something that is not there.
  void remember() {
    world_.write(file_, "one\n");
    LookTrace trace;
    ASSERT_TRUE(list_directory(folder_).ok());
    ASSERT_TRUE(stat_file(file_).ok());
    ASSERT_FALSE(is_directory(absent_));
    table_.looks = trace.take();
    table_.settings = 7;
    table_.sessions = 3;
    table_.roots = {"/a", "/b"};
    save_and_load();
  }

  fake::FakeWorld world_;
  const Time now_ = world_.world().now;
  std::string folder_ = world_.in_home("transcripts");
  std::string file_ = folder_ + "/a.jsonl";
  std::string absent_ = world_.in_home("absent");
  FileTable table_;
};

TEST_F(Files, AreKeptAsTheyWereSeen) {
  remember();
  EXPECT_EQ(table_.settings, 7U);
  EXPECT_EQ(table_.sessions, 3U);
  EXPECT_EQ(table_.roots, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(table_.looks.size(), 3U);
  EXPECT_TRUE(table_.compare(kLong).none());
}

TEST_F(Files, TellWhichHaveGrown) {
  remember();
  world_.append(file_, "two\n");
  const auto difference = table_.compare(kLong);
  ASSERT_EQ(difference.files.size(), 1U);
  EXPECT_EQ(table_.looks[difference.files[0]].path, file_);
  EXPECT_FALSE(difference.other);
  EXPECT_EQ(difference.new_bytes, 4U);
}

TEST_F(Files, TellWhenSomethingCameOrWent) {
  remember();
  world_.write(folder_ + "/b.jsonl", "new\n");
  EXPECT_TRUE(table_.compare(kLong).other);
  remember();
  world_.remove(file_);
  EXPECT_TRUE(table_.compare(kLong).other);
  world_.write(file_, "one\n");
  remember();
  ASSERT_TRUE(make_directories(absent_).ok());
  EXPECT_TRUE(table_.compare(kLong).other);
}

TEST_F(Files, NoticeWhatAppearsInAFolderThatWasListed) {
  absent_ = folder_ + "/session/subagents";  // missing with its folder
  remember();
  EXPECT_TRUE(table_.compare(kLong).none());
  ASSERT_TRUE(make_directories(absent_).ok());
  EXPECT_TRUE(table_.compare(kLong).other);
}

TEST_F(Files, NoticeAMissingFileThatAppears) {
  absent_ = folder_ + "/late.jsonl";
  remember();
  EXPECT_TRUE(table_.compare(kLong).none());
  world_.write(absent_, "late\n");
  EXPECT_TRUE(table_.compare(kLong).other);
}

// A session with a folder beside it that holds a sub-agent, none of it touched for a day, or only
// the session.
class SessionFolders : public Files {
 protected:
  void remember_aged(bool quiet) {
    const std::string subagents = folder_ + "/s/subagents";
    world_.write(session_, "one\n");
    world_.write(subagent_, "one\n");
    LookTrace trace;
    ASSERT_TRUE(list_directory(folder_).ok());
    ASSERT_TRUE(stat_file(session_).ok());
    ASSERT_TRUE(list_directory(subagents).ok());
    ASSERT_TRUE(stat_file(subagent_).ok());
    table_.looks = trace.take();
    for (Look& look : table_.looks) {
      const bool old = look.path == session_ || (quiet && look.path != folder_);
      world_.set_time(look.path, now_ - std::chrono::hours{old ? 25 : 1});
      look = look_at(look.path);
    }
    save_and_load();
  }

  std::string session_ = folder_ + "/s.jsonl";
  std::string subagent_ = folder_ + "/s/subagents/agent-1.jsonl";
};

TEST_F(SessionFolders, AreLookedAtOnlyWithTheirSessionOnceAllIsQuiet) {
  remember_aged(true);
  EXPECT_EQ(table_.leaders.size(), 2U);
  world_.append(subagent_, "two\n");
  EXPECT_TRUE(table_.compare(kLong).files.empty());
  world_.append(session_, "two\n");
  const auto difference = table_.compare(kLong);
  ASSERT_EQ(difference.files.size(), 2U);
  EXPECT_EQ(table_.looks[difference.files[0]].path, session_);
  EXPECT_EQ(table_.looks[difference.files[1]].path, subagent_);
  EXPECT_EQ(table_.compare(std::vector<std::string>{subagent_}).files.size(), 1U);

  // Once the session has been read, it is not quiet: its folder is looked at for itself.
  table_.renew(difference.files[0], look_at(session_));
  ASSERT_TRUE(table_.save(world_.data_dir()).ok());
  const auto again = FileTable::load(world_.data_dir())->compare(kLong);
  ASSERT_EQ(again.files.size(), 1U);
  EXPECT_EQ(table_.looks[again.files[0]].path, subagent_);
}

TEST_F(SessionFolders, AreLookedAtWhereTheyWereChangedWithinADay) {
  remember_aged(false);
  EXPECT_TRUE(table_.leaders.empty());
  world_.append(subagent_, "two\n");
  EXPECT_EQ(table_.compare(kLong).files.size(), 1U);
}

TEST_F(SessionFolders, AreLookedAtWhereSomethingIsStillToBeRead) {
  remember_aged(true);
  for (Look& look : table_.looks) {
    if (look.path == subagent_) look.stamp.mtime_ns = 0;  // as the indexer marks it
  }
  table_.arrange(now_);
  const auto difference = table_.compare(kLong);
  ASSERT_EQ(difference.files.size(), 1U);
  EXPECT_EQ(table_.looks[difference.files[0]].path, subagent_);
}

TEST_F(SessionFolders, AreDroppedWithTheTableWhenTheirSessionIsNotInIt) {
  remember_aged(true);
  const std::string path = FileTable::path(world_.data_dir());
  const std::string whole = *read_file(path);
  // The last byte names the session of the last follower.
  std::string body = whole.substr(8);
  body.back() = 100;
  ByteWriter out;
  out.u64(hash64(body));
  world_.write(path, out.bytes() + body);
  EXPECT_EQ(FileTable::load(world_.data_dir()).error().code, Errc::corrupt);
}

TEST_F(Files, StopLookingWhenTheTimeIsUp) {
  remember();
  EXPECT_EQ(table_.compare(std::chrono::microseconds{-1}).unchecked, 3U);
}

TEST_F(Files, AFolderThatWasJustChangedCountsAsDifferent) {
  remember();
  LookTrace trace;
  const std::string fresh = world_.in_home("fresh");
  ASSERT_TRUE(make_directories(fresh).ok());
  ASSERT_TRUE(list_directory(fresh).ok());
  FileTable table;
  table.looks = trace.take();
  ASSERT_TRUE(table.save(world_.data_dir()).ok());
  EXPECT_FALSE(FileTable::load(world_.data_dir())->compare(kLong).none());
}

TEST_F(Files, DamageMeansDoingWithout) {
  remember();
  const std::string path = world_.data_dir() + "/files";
  std::string bytes = *read_file(path);
  bytes[bytes.size() / 2] ^= 1;
  world_.write(path, bytes);
  EXPECT_EQ(FileTable::load(world_.data_dir()).error().code, Errc::corrupt);
  world_.write(path, "x");
  EXPECT_EQ(FileTable::load(world_.data_dir()).error().code, Errc::corrupt);
  world_.remove(path);
  EXPECT_EQ(FileTable::load(world_.data_dir()).error().code, Errc::not_found);
}

TEST_F(Files, OfPathsThatChangedOnlyThoseThatMatterAreLookedAt) {
  remember();
  const auto told = [&](std::vector<std::string> paths) { return table_.compare(paths); };
  EXPECT_TRUE(told({}).none());
  EXPECT_TRUE(told({file_}).none());  // said to have changed, but has not
  EXPECT_TRUE(told({world_.in_home("notes.txt")}).none());
  EXPECT_TRUE(told({absent_ + "-not"}).none());
  EXPECT_TRUE(told({folder_ + "/b.jsonl"}).other);  // in a directory that was listed
  EXPECT_TRUE(told({absent_ + "/deeper"}).none());  // still not there

  world_.append(file_, "two\n");
  EXPECT_TRUE(told({}).none());  // nobody said so
  const FileTable::Difference grown = told({file_});
  ASSERT_EQ(grown.files.size(), 1U);
  EXPECT_EQ(table_.looks[grown.files.front()].path, file_);
  EXPECT_EQ(grown.new_bytes, 4U);
  EXPECT_FALSE(grown.other);
  ASSERT_TRUE(make_directories(absent_).ok());
  EXPECT_TRUE(told({absent_}).other);
}

TEST_F(Files, AMissingPlaceIsExpectedFromItsClosestFolder) {
  absent_ = world_.in_home("agent/store/sessions");
  remember();
  EXPECT_EQ(table_.directories(), (std::vector<std::string>{world_.home(), folder_}));
  EXPECT_TRUE(table_.compare(std::vector<std::string>{world_.in_home("agent")}).other);
  EXPECT_FALSE(table_.compare(std::vector<std::string>{world_.in_home("age")}).other);
  ASSERT_TRUE(make_directories(world_.in_home("agent")).ok());
  EXPECT_EQ(table_.directories(), (std::vector<std::string>{world_.home() + "/agent", folder_}));
}

}  // namespace
}  // namespace yore::engine
