#include "engine/file_table.hpp"

#include <gtest/gtest.h>

#include "support/fake_world.hpp"

namespace yore::engine {
namespace {

constexpr std::chrono::seconds kLong{10};

class Files : public testing::Test {
 protected:
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
    ASSERT_TRUE(make_directories(world_.data_dir()).ok());
    ASSERT_TRUE(table_.save(world_.data_dir()).ok());
    const auto loaded = FileTable::load(world_.data_dir());
    ASSERT_TRUE(loaded.ok());
    table_ = *loaded;
  }

  fake::FakeWorld world_;
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

}  // namespace
}  // namespace yore::engine
