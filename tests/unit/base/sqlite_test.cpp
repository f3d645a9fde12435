#include "base/sqlite.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "support/temp_dir.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;

// What waits for a pipe waits for good: it ends the test program instead.
class Deadline {
 public:
  explicit Deadline(unsigned limit_s) { ::alarm(limit_s); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() { ::alarm(0); }
};

class ForeignDatabase : public testing::Test {
 protected:
  void SetUp() override {
    auto database = Database::open(path_, Database::Mode::create);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->run("CREATE TABLE t(x); INSERT INTO t VALUES(7)").ok());
  }

  // The number in it, or -1 and why.
  [[nodiscard]] static std::pair<std::int64_t, std::string> number_in(const std::string& path) {
    const Deadline deadline(10);
    auto database = Database::open(path, Database::Mode::read_only);
    if (!database) return {-1, database.error().message};
    const auto number = database->number("SELECT x FROM t");
    return number ? std::pair{*number, std::string()} : std::pair{-1L, number.error().message};
  }

  void make_pipe(const std::string& path) const { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }

  fake::TempDir dir_;
  std::string path_ = dir_.path() + "/some.db";
};

TEST_F(ForeignDatabase, IsReadWithAndWithoutFilesBesideIt) {
  EXPECT_EQ(number_in(path_).first, 7);
  auto owner = Database::open(path_, Database::Mode::create);
  ASSERT_TRUE(owner.ok());
  ASSERT_TRUE(owner->run("PRAGMA journal_mode=WAL; UPDATE t SET x=8").ok());
  ASSERT_TRUE(fs::exists(path_ + "-wal"));
  EXPECT_EQ(number_in(path_).first, 8);
}

TEST_F(ForeignDatabase, MayHaveAnIndexOverJson) {
  auto database = Database::open(path_, Database::Mode::create);
  ASSERT_TRUE(database.ok());
  ASSERT_TRUE(database
                  ->run("CREATE TABLE m(data TEXT);"
                        "CREATE INDEX by_role ON m(json_extract(data,'$.role'))")
                  .ok());
  EXPECT_EQ(number_in(path_).first, 7);
}

TEST_F(ForeignDatabase, IsNotOpenedBesideAPipe) {
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    make_pipe(path_ + suffix);
    EXPECT_EQ(number_in(path_), std::pair(std::int64_t{-1}, path_ + suffix +
                                                                " is not a regular file, the "
                                                                "database is not opened"));
    fs::remove(path_ + suffix);
  }
}

TEST_F(ForeignDatabase, IsNotOpenedBesideALink) {
  make_pipe(dir_.path() + "/pipe");
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    fs::create_symlink(dir_.path() + "/pipe", path_ + suffix);
    EXPECT_EQ(number_in(path_).first, -1);
    fs::remove(path_ + suffix);
  }
}

TEST_F(ForeignDatabase, IsNotOpenedThroughALinkBesideAPipe) {
  const std::string link = dir_.path() + "/link.db";
  fs::create_symlink(path_, link);
  EXPECT_EQ(number_in(link).first, 7);
  make_pipe(path_ + "-journal");
  EXPECT_EQ(number_in(link).first, -1);
}

TEST_F(ForeignDatabase, IsNoPipeItself) {
  make_pipe(dir_.path() + "/pipe.db");
  EXPECT_EQ(number_in(dir_.path() + "/pipe.db").first, -1);
}

TEST_F(ForeignDatabase, ThatIsNotThereIsNotFound) {
  const auto database = Database::open(dir_.path() + "/none.db", Database::Mode::read_only);
  ASSERT_FALSE(database.ok());
  EXPECT_EQ(database.error().code, Errc::not_found);
}

}  // namespace
}  // namespace yore
