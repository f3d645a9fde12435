#include "base/files/mapped_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "support/temp_dir.hpp"

namespace yore {
namespace {

struct MappedFiles : testing::Test {
  [[nodiscard]] std::string in(std::string_view name) const {
    return path_join(directory.path(), name);
  }
  static mode_t mode_of(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }
  fake::TempDir directory;
};

TEST_F(MappedFiles, ShowTheBytesOfTheFile) {
  const std::string bytes = std::string("a\0b", 3) + std::string(200'000, 'x');
  ASSERT_TRUE(write_new_file(in("f"), bytes).ok());
  const auto file = MappedFile::open(in("f"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->bytes(), bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file->bytes().data()) % 16, 0U);
}

TEST_F(MappedFiles, AreEmptyForAnEmptyFile) {
  ASSERT_TRUE(write_new_file(in("f"), "").ok());
  const auto file = MappedFile::open(in("f"));
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFiles, OutliveTheNameAndAMove) {
  ASSERT_TRUE(write_new_file(in("f"), "still here").ok());
  auto file = MappedFile::open(in("f"));
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(remove_file(in("f")).ok());
  const char* const at = file->bytes().data();
  MappedFile moved = std::move(*file);
  EXPECT_EQ(moved.bytes(), "still here");
  EXPECT_EQ(moved.bytes().data(), at);
}

TEST_F(MappedFiles, AreRegularFilesOnly) {
  EXPECT_EQ(MappedFile::open(in("absent")).error().code, Errc::not_found);
  EXPECT_EQ(MappedFile::open(directory.path()).error().code, Errc::io);
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(in("pipe")).error().code, Errc::io);  // and does not wait
}

TEST_F(MappedFiles, ReadTheSameBytesWhereMappingIsImpossible) {
  const std::string bytes(100'000, 'y');
  ASSERT_TRUE(write_new_file(in("f"), bytes).ok());
  const auto whole = read_whole(in("f"));
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(std::string(whole->begin(), whole->end()), bytes);
}

TEST_F(MappedFiles, NewFilesArePrivateAndNeverOverwrite) {
  ASSERT_TRUE(write_new_file(in("f"), "first").ok());
  EXPECT_EQ(mode_of(in("f")), 0600U);
  EXPECT_FALSE(write_new_file(in("f"), "second").ok());
  EXPECT_EQ(*read_file(in("f")), "first");
}

TEST_F(MappedFiles, ReplacingLeavesOneFileWithTheNewBytes) {
  ASSERT_TRUE(replace_file(in("f"), "first").ok());
  ASSERT_TRUE(replace_file(in("f"), "second").ok());
  EXPECT_EQ(*read_file(in("f")), "second");
  EXPECT_EQ(mode_of(in("f")), 0600U);
  EXPECT_EQ(list_directory(directory.path())->size(), 1U);
}

TEST_F(MappedFiles, AppendOnlyToAFileOfTheExpectedSize) {
  ASSERT_TRUE(write_new_file(in("f"), "12345").ok());
  EXPECT_TRUE(*append_if_size(in("f"), 5, "678"));
  EXPECT_FALSE(*append_if_size(in("f"), 5, "torn"));
  EXPECT_FALSE(*append_if_size(in("f"), 9, "torn"));
  EXPECT_EQ(*read_file(in("f")), "12345678");
  EXPECT_EQ(append_if_size(in("absent"), 0, "x").error().code, Errc::not_found);
}

TEST_F(MappedFiles, AMissingFileIsAsGoodAsRemoved) {
  EXPECT_TRUE(remove_file(in("absent")).ok());
  EXPECT_FALSE(rename_file(in("absent"), in("f")).ok());
}

TEST_F(MappedFiles, ALockIsHeldOnceAndGoesWithItsHolder) {
  {
    const auto lock = FileLock::try_acquire(in("lock"));
    ASSERT_TRUE(lock.ok());
    EXPECT_EQ(FileLock::try_acquire(in("lock")).error().code, Errc::busy);
  }
  EXPECT_TRUE(FileLock::try_acquire(in("lock")).ok());
}

}  // namespace
}  // namespace yore
