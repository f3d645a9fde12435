#include "base/files/file_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "support/temp_dir.hpp"

namespace yore {
namespace {

class FileViewTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(make_directories(folder_).ok());
    ASSERT_TRUE(write_new_file(file_, "one").ok());
  }

  const fake::TempDir temp_;
  const std::string folder_ = path_join(temp_.path(), "folder");
  const std::string file_ = path_join(folder_, "file");
  const std::string absent_ = path_join(folder_, "absent");
};

TEST_F(FileViewTest, RecordsThePathOfEveryKindOfLook) {
  const std::vector<std::function<void(const FileView&)>> looks = {
      [&](const FileView& files) { EXPECT_EQ(files.stat(file_)->size_bytes, 3U); },
      [&](const FileView& files) { EXPECT_FALSE(files.is_directory(file_)); },
      [&](const FileView& files) { EXPECT_TRUE(files.is_regular_file(file_)); },
      [&](const FileView& files) { EXPECT_FALSE(files.list_directory(file_).ok()); },
      [&](const FileView& files) { EXPECT_EQ(*files.read_file(file_), "one"); },
      [&](const FileView& files) { EXPECT_EQ(*files.read_range(file_, 1, 9), "ne"); },
  };
  for (const auto& look : looks) {
    PathRecorder recorder;
    look(FileView(recorder));
    const std::vector<ObservedPath> seen = recorder.take();
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].path, file_);
    EXPECT_EQ(static_cast<const PathState&>(seen[0]), look_at(file_));
  }
}

TEST_F(FileViewTest, RecordsWhatIsNotThereAndWhatIsAFolder) {
  PathRecorder recorder;
  const FileView files(recorder);
  EXPECT_EQ(files.stat(absent_).error().code, Errc::not_found);
  EXPECT_EQ(files.stat(folder_)->inode, stat_file(folder_)->inode);
  const std::vector<ObservedPath> seen = recorder.take();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(static_cast<const PathState&>(seen[0]), look_at(folder_));
  EXPECT_EQ(seen[1].path, absent_);
  EXPECT_FALSE(seen[1].there);
}

TEST_F(FileViewTest, OfSeveralLooksAtOnePathTheFirstCounts) {
  PathRecorder recorder;
  const FileView files(recorder);
  const PathState first = look_at(file_);
  ASSERT_TRUE(files.stat(file_).ok());
  ASSERT_TRUE(replace_file(file_, "something else").ok());
  EXPECT_EQ(*files.read_file(file_), "something else");
  const std::vector<ObservedPath> seen = recorder.take();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(static_cast<const PathState&>(seen[0]), first);
  EXPECT_NE(look_at(file_), first);
  EXPECT_TRUE(recorder.take().empty());
}

TEST_F(FileViewTest, WithoutARecorderAnswersTheSame) {
  const FileView files;
  EXPECT_EQ(*files.stat(file_), *stat_file(file_));
  EXPECT_TRUE(files.is_directory(folder_));
  EXPECT_FALSE(files.is_regular_file(absent_));
  EXPECT_EQ(files.list_directory(folder_)->size(), 1U);
  EXPECT_EQ(files.list_directory(absent_).error().code, Errc::not_found);
}

TEST_F(FileViewTest, LooksOfTwoThreadsGoToTheirOwnRecorders) {
  PathRecorder here;
  PathRecorder there;
  const FileView files(here);
  std::thread other([&] { EXPECT_TRUE(FileView(there).is_directory(folder_)); });
  EXPECT_TRUE(files.is_regular_file(file_));
  other.join();
  EXPECT_EQ(here.take().at(0).path, file_);
  EXPECT_EQ(there.take().at(0).path, folder_);
}

}  // namespace
}  // namespace yore
