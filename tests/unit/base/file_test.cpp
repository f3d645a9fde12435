#include "base/files/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <utility>

namespace yore {
namespace {

// A directory of its own for each test, removed with all it holds.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = path_join(testing::TempDir(), "yore-file-XXXXXX");
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { remove_tree(root_); }

  [[nodiscard]] std::string in(std::string_view name) const { return path_join(root_, name); }

  std::string write(std::string_view name, std::string_view bytes) {
    const std::string path = in(name);
    EXPECT_TRUE(write_file_atomically(path, bytes).ok());
    return path;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    const auto entries = list_directory(root_);
    EXPECT_TRUE(entries.ok());
    for (const DirEntry& entry : *entries) result.push_back(entry.name);
    return result;
  }

 private:
  static void remove_tree(const std::string& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return;
    if (!S_ISDIR(info.st_mode)) {
      ::unlink(path.c_str());
      return;
    }
    if (const auto entries = list_directory(path)) {
      for (const DirEntry& entry : *entries) remove_tree(path_join(path, entry.name));
    }
    ::rmdir(path.c_str());
  }

  std::string root_;
};

TEST_F(Files, ReadBackWhatWasWritten) {
  const std::string bytes = std::string("a\0b\n", 4) + std::string(200'000, 'x');
  const std::string path = write("f", bytes);
  EXPECT_EQ(*read_file(path), bytes);
  EXPECT_EQ(*read_file(write("empty", "")), "");
}

TEST_F(Files, ReadOnlyUpToTheLimit) {
  const std::string path = write("f", "0123456789");
  EXPECT_EQ(*read_file(path, 0), "");
  EXPECT_EQ(*read_file(path, 4), "0123");
  EXPECT_EQ(*read_file(path, 10), "0123456789");
  EXPECT_EQ(*read_file(path, 11), "0123456789");
}

TEST_F(Files, ReadARangeThatEndsWithTheFile) {
  const std::string path = write("f", "0123456789");
  EXPECT_EQ(*read_range(path, 0, 3), "012");
  EXPECT_EQ(*read_range(path, 8, 3), "89");
  EXPECT_EQ(*read_range(path, 10, 3), "");
  EXPECT_EQ(*read_range(path, UINT64_MAX, 3), "");
  EXPECT_EQ(*read_range(path, 9, SIZE_MAX), "9");
}

TEST_F(Files, SayNotFoundAndNameThePath) {
  const std::string path = in("missing");
  const std::string below = path_join(write("f", "x"), "below");
  for (const std::string& absent : {path, below}) {
    const std::array errors = {stat_file(absent).error(), read_file(absent).error(),
                               read_range(absent, 0, 1).error(), InputFile::open(absent).error(),
                               list_directory(absent).error()};
    for (const Error& error : errors) {
      EXPECT_EQ(error.code, Errc::not_found) << error.message;
      EXPECT_NE(error.message.find(absent), std::string::npos) << error.message;
    }
  }
}

TEST_F(Files, HaveAStampThatChangesWithThem) {
  const std::string path = write("f", "one");
  const auto before = stat_file(path);
  ASSERT_TRUE(before.ok());
  EXPECT_EQ(before->size_bytes, 3U);
  EXPECT_NE(before->inode, 0U);
  EXPECT_GT(before->mtime_ns, 1'500'000'000'000'000'000);
  EXPECT_EQ(*stat_file(path), *before);
  write("f", "four");
  EXPECT_NE(*stat_file(path), *before);
}

TEST_F(Files, AreToldFromDirectories) {
  const std::string path = write("f", "x");
  EXPECT_TRUE(is_regular_file(path));
  EXPECT_FALSE(is_directory(path));
  EXPECT_TRUE(is_directory(in("")));
  EXPECT_FALSE(is_regular_file(in("")));
  EXPECT_FALSE(is_regular_file(in("missing")));
  EXPECT_FALSE(is_directory(in("missing")));
}

TEST_F(Files, AreListedByNameWithTheTypeALinkPointsTo) {
  write("b", "");
  ASSERT_TRUE(make_directories(in("a")).ok());
  ASSERT_EQ(::symlink("a", in("to-dir").c_str()), 0);
  ASSERT_EQ(::symlink("b", in("to-file").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", in("broken").c_str()), 0);
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  const auto entries = list_directory(in(""));
  ASSERT_TRUE(entries.ok());
  std::vector<std::pair<std::string, FileType>> found;
  for (const DirEntry& entry : *entries) found.emplace_back(entry.name, entry.type);
  const std::vector<std::pair<std::string, FileType>> expected = {
      {"a", FileType::directory}, {"b", FileType::regular},        {"broken", FileType::other},
      {"pipe", FileType::other},  {"to-dir", FileType::directory}, {"to-file", FileType::regular}};
  EXPECT_EQ(found, expected);
}

TEST_F(Files, CannotBeListedAsADirectory) {
  EXPECT_FALSE(list_directory(write("f", "x")).ok());
}

TEST_F(Files, ThatAreNotRegularAreRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(in("pipe")).error().code, Errc::io);
  EXPECT_EQ(read_file(in("")).error().code, Errc::io);
  EXPECT_EQ(read_file("/dev/zero").error().code, Errc::io);
}

TEST_F(Files, AreReplacedWholeAndPrivately) {
  const std::string path = write("f", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  const auto old_file = InputFile::open(path);
  ASSERT_TRUE(old_file.ok());
  write("f", "new bytes");
  EXPECT_EQ(*read_file(path), "new bytes");
  std::array<char, 8> buffer{};
  EXPECT_EQ(*old_file->read_at(0, buffer.data(), buffer.size()), 3U);  // the old file is untouched
  EXPECT_EQ(std::string_view(buffer.data(), 3), "old");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(Files, ArePatchedOnlyWhenTheyAreTheOnesMeant) {
  const std::string path = write("table", "head: one two");
  ASSERT_TRUE(patch_file(path, "heads", {{6, "ONE"}}).ok());
  EXPECT_EQ(*read_file(path), "head: one two");
  ASSERT_TRUE(patch_file(path, "head: one two three", {{6, "ONE"}}).ok());
  EXPECT_EQ(*read_file(path), "head: one two");
  ASSERT_TRUE(patch_file(path, "head", {{6, "ONE"}, {10, "TWO"}}).ok());
  EXPECT_EQ(*read_file(path), "head: ONE TWO");
  EXPECT_EQ(patch_file(path + "-not", "head", {}).error().code, Errc::not_found);
}

TEST_F(Files, LeaveNothingBehindWhenTheyCannotBeWritten) {
  ASSERT_TRUE(make_directories(in("dir/child")).ok());
  EXPECT_FALSE(write_file_atomically(in("dir"), "x").ok());  // rename over a directory
  EXPECT_EQ(names(), std::vector<std::string>{"dir"});
  EXPECT_EQ(write_file_atomically(in("missing/f"), "x").error().code, Errc::not_found);
}

TEST_F(Files, AreReadAtAnyOffset) {
  const auto file = InputFile::open(write("f", "0123456789"));
  ASSERT_TRUE(file.ok());
  std::array<char, 4> buffer{};
  EXPECT_EQ(*file->read_at(3, buffer.data(), 4), 4U);
  EXPECT_EQ(std::string_view(buffer.data(), 4), "3456");
  EXPECT_EQ(*file->read_at(8, buffer.data(), 4), 2U);
  EXPECT_EQ(*file->read_at(10, buffer.data(), 4), 0U);
  EXPECT_EQ(*file->read_at(UINT64_MAX, buffer.data(), 4), 0U);
  EXPECT_EQ(*file->stamp(), *stat_file(in("f")));
}

TEST_F(Files, StayOpenWhenTheirOwnerMoves) {
  auto first = InputFile::open(write("a", "first"));
  auto second = InputFile::open(write("b", "second"));
  InputFile moved = *std::move(first);
  EXPECT_EQ(moved.stamp()->size_bytes, 5U);
  moved = *std::move(second);
  EXPECT_EQ(moved.stamp()->size_bytes, 6U);
}

TEST_F(Files, GetDirectoriesMadeForThem) {
  const std::string deep = in("a/b//c/");
  ASSERT_TRUE(make_directories(deep).ok());
  EXPECT_TRUE(is_directory(in("a/b/c")));
  EXPECT_TRUE(make_directories(deep).ok());  // nothing to do the second time
  struct stat info {};
  ASSERT_EQ(::stat(in("a/b").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
  EXPECT_TRUE(make_directories("/").ok());
  EXPECT_FALSE(make_directories("").ok());
  EXPECT_FALSE(make_directories(path_join(write("f", "x"), "below")).ok());
  EXPECT_FALSE(make_directories(in("f")).ok());
}

TEST_F(Files, LieInsideADirectoryOnlyWithTheirLinksResolved) {
  ASSERT_TRUE(make_directories(in("inner/deep")).ok());
  ASSERT_TRUE(make_directories(in("inner-too")).ok());
  write("inner/deep/f", "x");
  write("secret", "x");
  ASSERT_EQ(::symlink("../secret", in("inner/escape").c_str()), 0);
  ASSERT_EQ(::symlink("inner", in("alias").c_str()), 0);
  EXPECT_TRUE(is_inside(in("inner/deep/f"), in("inner")));
  EXPECT_TRUE(is_inside(in("inner"), in("inner/")));
  EXPECT_TRUE(is_inside(in("inner/deep/f"), in("alias")));
  EXPECT_TRUE(is_inside(in("alias/deep"), in("inner")));
  EXPECT_TRUE(is_inside(in("inner"), "/"));
  EXPECT_FALSE(is_inside(in("inner/escape"), in("inner")));
  EXPECT_FALSE(is_inside(in("inner/../secret"), in("inner")));
  EXPECT_FALSE(is_inside(in("inner-too"), in("inner")));
  EXPECT_FALSE(is_inside(in(""), in("inner")));
  EXPECT_FALSE(is_inside(in("inner/missing"), in("inner")));
}

TEST(Paths, JoinWithOneSlash) {
  EXPECT_EQ(path_join("a", "b"), "a/b");
  EXPECT_EQ(path_join("a//", "/b"), "a/b");
  EXPECT_EQ(path_join("/", "b"), "/b");
  EXPECT_EQ(path_join("", "b"), "b");
  EXPECT_EQ(path_join("a", ""), "a");
}

TEST(Paths, SplitAsTheShellDoes) {
  const auto split = [](std::string_view path) {
    return std::pair{std::string{path_dirname(path)}, std::string{path_basename(path)}};
  };
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(split("/a/b.c"), (Parts{"/a", "b.c"}));
  EXPECT_EQ(split("a/b/"), (Parts{"a", "b"}));
  EXPECT_EQ(split("a//b"), (Parts{"a", "b"}));
  EXPECT_EQ(split("b"), (Parts{".", "b"}));
  EXPECT_EQ(split("/b"), (Parts{"/", "b"}));
  EXPECT_EQ(split("/"), (Parts{"/", "/"}));
  EXPECT_EQ(split("//"), (Parts{"/", "/"}));
  EXPECT_EQ(split(""), (Parts{".", ""}));
}

TEST(Paths, LoseOnlyTheLastExtension) {
  EXPECT_EQ(path_stem("a/b.jsonl"), "b");
  EXPECT_EQ(path_stem("a.d/b"), "b");
  EXPECT_EQ(path_stem("b.tar.gz"), "b.tar");
  EXPECT_EQ(path_stem(".profile"), ".profile");
  EXPECT_EQ(path_stem("a/.."), "..");
  EXPECT_EQ(path_stem(""), "");
}

TEST(Paths, ExpandTheHomeOnlyInFront) {
  EXPECT_EQ(expand_home("~", "/home/u"), "/home/u");
  EXPECT_EQ(expand_home("~/x", "/home/u/"), "/home/u/x");
  EXPECT_EQ(expand_home("~other/x", "/home/u"), "~other/x");
  EXPECT_EQ(expand_home("/a/~/x", "/home/u"), "/a/~/x");
  EXPECT_EQ(expand_home("~/x", ""), "~/x");
}

TEST(Paths, BecomeAbsoluteWithoutDots) {
  EXPECT_EQ(absolute_path("/a/./b/../c//d/"), "/a/c/d");
  EXPECT_EQ(absolute_path("/../../a"), "/a");
  EXPECT_EQ(absolute_path("/a/.."), "/");
  EXPECT_EQ(absolute_path("/a/...b/..c"), "/a/...b/..c");
  std::array<char, PATH_MAX> here{};
  ASSERT_NE(::getcwd(here.data(), here.size()), nullptr);
  EXPECT_EQ(absolute_path("x/y"), path_join(here.data(), "x/y"));
  EXPECT_EQ(absolute_path(""), here.data());
}

}  // namespace
}  // namespace yore
