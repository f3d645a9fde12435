#include "store/schema.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <string>
#include <thread>

#include "base/files/file.hpp"
#include "store/store.hpp"
#include "support/temp_dir.hpp"

namespace yore::store {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

class StoreFile : public testing::Test {
 protected:
  // Missing until the store makes it.
  [[nodiscard]] std::string data_dir() const { return path_join(temp_.path(), "share/yore"); }
  [[nodiscard]] std::string path() const { return Store::database_path(data_dir()); }

 private:
  fake::TempDir temp_;
};

TEST_F(StoreFile, IsMadeWithTheVersionOfThisProgram) {
  auto store = Store::open(data_dir());
  ASSERT_TRUE(store.ok()) << store.error().message;
  EXPECT_EQ(*store->database().number("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(*store->passage_count(), 0U);
  EXPECT_EQ(*store->integrity(), "ok");
}

TEST_F(StoreFile, KeepsItsUuidWhenOpenedAgain) {
  const auto uuid = [this] {
    auto store = Store::open(data_dir());
    auto query = store->database().prepare("SELECT value FROM meta WHERE key='uuid'");
    EXPECT_TRUE(*query->step());
    return std::string(query->text(0));
  };
  const std::string first = uuid();
  EXPECT_EQ(first.size(), 32U);
  EXPECT_EQ(uuid(), first);
}

TEST_F(StoreFile, IsPrivateToItsOwner) {
  auto store = Store::open(data_dir());
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(mode_of(data_dir()), 0700U);
  for (const char* suffix : {"", "-wal", "-shm"}) {
    EXPECT_EQ(mode_of(path() + suffix), 0600U) << suffix;
  }
}

TEST_F(StoreFile, ThatDoesNotExistIsNotFound) {
  const auto store = Store::open_existing(data_dir());
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, Errc::not_found);
  EXPECT_FALSE(is_directory(data_dir())) << "asking must not make anything";
}

TEST_F(StoreFile, WithoutTablesYetIsNotFoundForReaders) {
  ASSERT_TRUE(make_directories(data_dir()).ok());
  ASSERT_TRUE(make_private_file(path()).ok());
  const auto store = Store::open_existing(data_dir());
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, Errc::not_found);
  EXPECT_EQ(stat_file(path())->size_bytes, 0U);
}

TEST_F(StoreFile, OfANewerProgramIsRefusedInAClearSentence) {
  ASSERT_TRUE(Store::open(data_dir())->database().run("PRAGMA user_version=99").ok());
  for (const auto& store : {Store::open(data_dir()), Store::open_existing(data_dir())}) {
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.error().code, Errc::unsupported);
    EXPECT_NE(store.error().message.find("newer yore (schema 99)"), std::string::npos);
    EXPECT_FALSE(store.error().hint.empty());
  }
  auto database = Database::open(path(), Database::Mode::read_only);
  EXPECT_EQ(*database->number("PRAGMA user_version"), 99);
}

TEST_F(StoreFile, ThatIsNoDatabaseIsAnErrorAndLeftUntouched) {
  const std::string bytes(5000, 'n');
  ASSERT_TRUE(make_directories(data_dir()).ok());
  ASSERT_TRUE(write_file_atomically(path(), bytes).ok());
  for (const auto& store : {Store::open(data_dir()), Store::open_existing(data_dir())}) {
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.error().code, Errc::corrupt);
    EXPECT_NE(store.error().message.find(path()), std::string::npos);
  }
  EXPECT_EQ(*read_file(path()), bytes);
}

TEST_F(StoreFile, MayBeOpenedByManyWhileItIsMade) {
  for (int round = 0; round < 50; ++round) {
    const std::string dir = data_dir() + std::to_string(round);
    std::array<std::string, 3> failures;
    {
      std::array<std::jthread, 3> readers;
      for (std::size_t i = 0; i < readers.size(); ++i) {
        readers[i] = std::jthread([&failures, &dir, i] {
          auto store = Store::open_existing(dir);
          while (!store && store.error().code == Errc::not_found) store = Store::open_existing(dir);
          if (!store) failures[i] = store.error().message;
        });
      }
      const auto made = Store::open(dir);
      ASSERT_TRUE(made.ok()) << made.error().message;
    }
    for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  }
}

TEST_F(StoreFile, IsMigratedOnceWhenManyTryAtOnce) {
  ASSERT_TRUE(make_directories(data_dir()).ok());
  for (int round = 0; round < 20; ++round) {
    const std::string file = path() + std::to_string(round);
    auto first = Database::open(file, Database::Mode::create);
    ASSERT_TRUE(first->run("PRAGMA journal_mode=WAL").ok());
    std::array<std::string, 4> failures;
    {
      std::array<std::jthread, 4> threads;
      for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::jthread([&failures, &file, i] {
          auto database = Database::open(file, Database::Mode::create);
          if (const Status done = prepare_schema(*database); !done) {
            failures[i] = done.error().message;
          }
        });
      }
    }
    for (const std::string& failure : failures) EXPECT_EQ(failure, "");
    EXPECT_EQ(*first->number("PRAGMA user_version"), kSchemaVersion);
  }
}

}  // namespace
}  // namespace yore::store
