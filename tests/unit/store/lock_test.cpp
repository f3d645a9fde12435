#include "store/lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore::store {
namespace {

// A child that takes the lock, says so, and waits to be killed.
class Holder {
 public:
  explicit Holder(const std::string& data_dir) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto lock = WriterLock::try_acquire(data_dir);
      const char taken = lock.ok() ? 'y' : 'n';
      [[maybe_unused]] const auto told = ::write(ends[1], &taken, 1);
      while (true) ::pause();
    }
    [[maybe_unused]] const auto heard = ::read(ends[0], &answer_, 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { die(); }

  void die() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] bool has_lock() const { return answer_ == 'y'; }
  [[nodiscard]] int pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  char answer_ = 'n';
};

class Lock : public testing::Test {
 protected:
  [[nodiscard]] const std::string& dir() const { return temp_.path(); }

 private:
  fake::TempDir temp_;
};

TEST_F(Lock, IsHeldByOneOnly) {
  const auto first = WriterLock::try_acquire(dir());
  ASSERT_TRUE(first.ok());
  const auto second = WriterLock::try_acquire(dir());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Errc::busy);
}

TEST_F(Lock, IsFreeAgainWhenItsOwnerLetsGo) {
  {
    const auto lock = WriterLock::try_acquire(dir());
    ASSERT_TRUE(lock.ok());
    EXPECT_EQ(WriterLock::holder(dir()), ::getpid());
  }
  EXPECT_EQ(WriterLock::holder(dir()), std::nullopt);
  EXPECT_TRUE(WriterLock::try_acquire(dir()).ok());
}

TEST_F(Lock, MovesWithItsOwner) {
  auto first = WriterLock::try_acquire(dir());
  ASSERT_TRUE(first.ok());
  {
    const WriterLock moved = std::move(*first);
    EXPECT_FALSE(WriterLock::try_acquire(dir()).ok());
  }
  EXPECT_TRUE(WriterLock::try_acquire(dir()).ok());
}

TEST_F(Lock, NamesTheProcessThatHoldsIt) {
  const Holder holder(dir());
  ASSERT_TRUE(holder.has_lock());
  const auto mine = WriterLock::try_acquire(dir());
  ASSERT_FALSE(mine.ok());
  EXPECT_EQ(mine.error().code, Errc::busy);
  EXPECT_NE(mine.error().message.find(std::to_string(holder.pid())), std::string::npos);
  EXPECT_EQ(WriterLock::holder(dir()), holder.pid());
}

TEST_F(Lock, DiesWithItsHolder) {
  Holder holder(dir());
  ASSERT_TRUE(holder.has_lock());
  holder.die();
  EXPECT_EQ(WriterLock::holder(dir()), std::nullopt);
  EXPECT_TRUE(WriterLock::try_acquire(dir()).ok());
}

TEST_F(Lock, HasNoHolderWhereThereIsNoFile) {
  EXPECT_EQ(WriterLock::holder(dir()), std::nullopt);
  EXPECT_TRUE(list_directory(dir())->empty()) << "asking must not make anything";
}

TEST_F(Lock, CannotBeTakenInADirectoryThatDoesNotExist) {
  const auto lock = WriterLock::try_acquire(path_join(dir(), "nowhere"));
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().code, Errc::io);
}

TEST_F(Lock, IsPrivateToItsOwner) {
  const auto lock = WriterLock::try_acquire(dir());
  struct stat info {};
  ASSERT_EQ(::stat(path_join(dir(), "writer.lock").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600U);
}

}  // namespace
}  // namespace yore::store
