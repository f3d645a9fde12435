#include "base/work_limit.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>

#include "base/files/file.hpp"
#include "base/files/file_view.hpp"
#include "base/sqlite.hpp"
#include "support/cpu_time.hpp"
#include "support/temp_dir.hpp"

namespace yore {
namespace {

using std::chrono::milliseconds;

// Works until it is over; fails the test when that never happens.
void work_until_over() {
  const double spent = fake::cpu_seconds([] {
    for (int i = 0; i < 100'000'000 && !WorkLimit::is_over(); ++i) {
    }
  });
  EXPECT_LT(spent, 5.0);
}

TEST(WorkLimit, IsNeverOverWithoutOne) {
  EXPECT_FALSE(WorkLimit::is_over());
  EXPECT_TRUE(WorkLimit::check("read", "x").ok());
}

TEST(WorkLimit, IsOverOnceItIsCancelled) {
  std::atomic<bool> cancel{false};
  const WorkLimit limit(cancel);
  EXPECT_FALSE(WorkLimit::is_over());
  EXPECT_FALSE(limit.was_over());
  cancel = true;
  EXPECT_TRUE(WorkLimit::is_over());
  EXPECT_TRUE(limit.was_over());
  const Status stopped = WorkLimit::check("read", "/a");
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, Errc::cancelled);
  EXPECT_EQ(stopped.error().message, "stopped before /a could be read");
}

TEST(WorkLimit, IsOverWhenTheTimeIsUsedUpAndStaysSo) {
  {
    const WorkLimit limit(kNeverCancelled, milliseconds{5});
    EXPECT_FALSE(WorkLimit::is_over());
    work_until_over();
    EXPECT_GE(limit.used(), milliseconds{5});
    EXPECT_TRUE(limit.was_over());
    EXPECT_TRUE(WorkLimit::is_over());
  }
  EXPECT_FALSE(WorkLimit::is_over());
}

TEST(WorkLimit, WasNotOverWhenNobodyWasToldSo) {
  const WorkLimit limit(kNeverCancelled, milliseconds{0});
  EXPECT_FALSE(limit.was_over());
}

TEST(WorkLimit, EndsWithTheOneAroundIt) {
  std::atomic<bool> cancel{false};
  const WorkLimit outer(cancel);
  const WorkLimit inner(kNeverCancelled);
  EXPECT_FALSE(WorkLimit::is_over());
  cancel = true;
  EXPECT_TRUE(WorkLimit::is_over());
  EXPECT_TRUE(inner.was_over());
}

TEST(WorkLimit, DoesNotReachOtherWork) {
  {
    const WorkLimit inner(kNeverCancelled, milliseconds{1});
    work_until_over();
  }
  const WorkLimit next(kNeverCancelled, milliseconds{10'000});
  EXPECT_FALSE(WorkLimit::is_over());
}

class LimitedWork : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(path_) << "some bytes"; }

  fake::TempDir dir_;
  std::string path_ = dir_.path() + "/file";
  std::atomic<bool> cancel_{false};
};

TEST_F(LimitedWork, EndsTheReadingOfFilesAndFolders) {
  ASSERT_TRUE(read_file(path_).ok());
  ASSERT_TRUE(list_directory(dir_.path()).ok());
  const WorkLimit limit(cancel_);
  cancel_ = true;
  const auto text = read_file(path_);
  const auto entries = list_directory(dir_.path());
  const auto stamp = FileView().stat(path_);
  ASSERT_FALSE(text.ok() || entries.ok() || stamp.ok());
  EXPECT_EQ(text.error().code, Errc::cancelled);
  EXPECT_EQ(entries.error().code, Errc::cancelled);
  EXPECT_EQ(stamp.error().code, Errc::cancelled);
}

TEST_F(LimitedWork, EndsAQueryThatWouldNeverEnd) {
  const std::string database = dir_.path() + "/some.db";
  ASSERT_TRUE(Database::open(database, Database::Mode::create)->run("CREATE TABLE t(x)").ok());
  auto opened = Database::open(database, Database::Mode::read_only);
  ASSERT_TRUE(opened.ok());
  const WorkLimit limit(kNeverCancelled, milliseconds{20});
  const auto number = opened->number(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n WHERE x<1000000000) "
      "SELECT count(*) FROM n");
  ASSERT_FALSE(number.ok());
  EXPECT_EQ(number.error().code, Errc::cancelled);
  EXPECT_TRUE(limit.was_over());
}

TEST_F(LimitedWork, LeavesOurOwnDatabaseAlone) {
  auto own = Database::open(dir_.path() + "/own.db", Database::Mode::create);
  ASSERT_TRUE(own.ok());
  const WorkLimit limit(cancel_);
  cancel_ = true;
  const auto number = own->number(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n WHERE x<100000) "
      "SELECT count(*) FROM n");
  ASSERT_TRUE(number.ok());
  EXPECT_EQ(*number, 100'000);
}

TEST(SparseFile, TellsWhereItsBytesAre) {
  const fake::TempDir dir(fake::TempDir::Size::large);
  const std::string path = dir.path() + "/sparse";
  std::ofstream(path) << "head";
  std::filesystem::resize_file(path, 1ULL << 30);
  std::ofstream(path, std::ios::app) << "tail";
  EXPECT_LT(disk_bytes(path), 1U << 20);
  const auto file = InputFile::open(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->next_data(0), 0U);
  EXPECT_EQ(file->next_data(1U << 20), 1ULL << 30);
  EXPECT_EQ(file->next_data((1ULL << 30) + 2), (1ULL << 30) + 2);
  std::filesystem::resize_file(path, 1ULL << 31);
  EXPECT_EQ(file->next_data((1ULL << 30) + (1U << 20)), 1ULL << 31);
}

}  // namespace
}  // namespace yore
