#include "base/files/file_lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Far longer than anything takes: reaching it is the failure.
constexpr seconds kPatience{30};

template <typename Condition>
bool comes_true(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(milliseconds{1});
  }
  return true;
}

// Whether somebody sleeps in the lock of the file that is now at `path`.
bool somebody_waits_for(const std::string& path) {
  std::ifstream locks("/proc/locks");
  if (!locks) {  // nobody can tell: give them time
    std::this_thread::sleep_for(milliseconds{100});
    return true;
  }
  const std::string inode = ":" + std::to_string(stat_file(path)->inode) + " ";
  for (std::string line; std::getline(locks, line);) {
    if (line.find("-> FLOCK") != std::string::npos && line.find(inode) != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::size_t threads_of_this_process() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    ++count;
  }
  return count;
}

// Waits for the lock in a thread of its own.
class Waiter {
 public:
  explicit Waiter(const std::string& path, bool block_signals = false) {
    thread_ = std::jthread{[this, path, block_signals](const std::stop_token& stop) {
      sigset_t all;
      ::sigfillset(&all);
      if (block_signals) ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
      answer_.emplace(FileLock::wait(path, stop));
      struct timespec spent {};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
      cpu_ = seconds{spent.tv_sec} + std::chrono::nanoseconds{spent.tv_nsec};
      done_ = true;
    }};
  }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool ends() const {
    return comes_true([this] { return done(); });
  }
  void stop() { thread_.request_stop(); }
  [[nodiscard]] pthread_t thread() { return thread_.native_handle(); }
  // REQUIRES: ends()
  [[nodiscard]] bool has_lock() const { return answer_->ok(); }
  [[nodiscard]] Errc problem() const { return answer_->error().code; }
  [[nodiscard]] std::chrono::nanoseconds cpu() const { return cpu_; }

 private:
  std::optional<Result<FileLock>> answer_;
  std::chrono::nanoseconds cpu_{0};
  std::atomic<bool> done_ = false;
  std::jthread thread_;
};

// Interrupts a thread and does nothing else.
class MeaninglessSignal {
 public:
  MeaninglessSignal() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, &before_);
  }
  MeaninglessSignal(const MeaninglessSignal&) = delete;
  MeaninglessSignal& operator=(const MeaninglessSignal&) = delete;
  ~MeaninglessSignal() { ::sigaction(SIGUSR1, &before_, nullptr); }
  static void send(pthread_t thread) { ::pthread_kill(thread, SIGUSR1); }

 private:
  struct sigaction before_ {};
};

// A child that holds the lock until it is killed.
class Holder {
 public:
  explicit Holder(const std::string& path) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto lock = FileLock::try_acquire(path);
      const char taken = lock.ok() ? 'y' : 'n';
      [[maybe_unused]] const auto told = ::write(ends[1], &taken, 1);
      while (true) ::pause();
    }
    char answer = 'n';
    [[maybe_unused]] const auto heard = ::read(ends[0], &answer, 1);
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_EQ(answer, 'y');
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

 private:
  pid_t pid_ = 0;
};

struct FileLocks : testing::Test {
  [[nodiscard]] bool somebody_waits() const {
    return comes_true([this] { return somebody_waits_for(path); });
  }
  fake::TempDir temp;
  const std::string path = path_join(temp.path(), "lock");
};

TEST_F(FileLocks, AreTakenAtOnceWhenFree) {
  const auto lock = FileLock::wait(path, {});
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(FileLock::try_acquire(path).error().code, Errc::busy);
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600U);
}

TEST_F(FileLocks, PassToTheWaiterWhenTheHolderIsKilled) {
  Holder holder(path);
  const Waiter waiter(path);
  ASSERT_TRUE(somebody_waits());
  EXPECT_FALSE(waiter.done());
  holder.die();
  ASSERT_TRUE(waiter.ends());
  EXPECT_TRUE(waiter.has_lock());
  EXPECT_EQ(FileLock::try_acquire(path).error().code, Errc::busy);
}

TEST_F(FileLocks, AreNoLongerWaitedForWhenStopped) {
  const auto lock = FileLock::try_acquire(path);
  Waiter waiter(path);
  ASSERT_TRUE(somebody_waits());
  waiter.stop();
  ASSERT_TRUE(waiter.ends());
  EXPECT_EQ(waiter.problem(), Errc::cancelled);
}

TEST_F(FileLocks, AreNoLongerWaitedForByAThreadThatBlocksSignals) {
  const auto lock = FileLock::try_acquire(path);
  Waiter waiter(path, true);
  ASSERT_TRUE(somebody_waits());
  waiter.stop();
  ASSERT_TRUE(waiter.ends());
  EXPECT_EQ(waiter.problem(), Errc::cancelled);
}

TEST_F(FileLocks, AreNotTakenByOneWhoWasStoppedBefore) {
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(FileLock::wait(path, source.get_token()).error().code, Errc::cancelled);
  EXPECT_TRUE(FileLock::try_acquire(path).ok());
}

TEST_F(FileLocks, EndTheWaitWheneverTheStopComes) {
  const auto lock = FileLock::try_acquire(path);
  const std::size_t threads = threads_of_this_process();
  for (int i = 0; i < 300; ++i) {
    Waiter waiter(path);
    // From before the thread runs to after it sleeps.
    std::this_thread::sleep_for(std::chrono::microseconds{i});
    waiter.stop();
    ASSERT_TRUE(waiter.ends());
    ASSERT_EQ(waiter.problem(), Errc::cancelled);
  }
  EXPECT_EQ(threads_of_this_process(), threads);
}

TEST_F(FileLocks, OutlastSignalsThatMeanNothing) {
  auto lock = FileLock::try_acquire(path);
  const MeaninglessSignal signal;
  Waiter waiter(path);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(somebody_waits());
    signal.send(waiter.thread());
  }
  ASSERT_TRUE(somebody_waits());
  EXPECT_FALSE(waiter.done());
  { const FileLock freed = std::move(*lock); }
  ASSERT_TRUE(waiter.ends());
  EXPECT_TRUE(waiter.has_lock());
}

TEST_F(FileLocks, AreThoseOfTheFileThatIsThere) {
  std::optional<Result<FileLock>> old_lock{FileLock::try_acquire(path)};
  const Waiter waiter(path);
  ASSERT_TRUE(somebody_waits());
  ASSERT_TRUE(remove_file(path).ok());
  std::optional<Result<FileLock>> new_lock{FileLock::try_acquire(path)};
  ASSERT_TRUE((*new_lock).ok());
  old_lock.reset();
  ASSERT_TRUE(somebody_waits()) << "for the new file";
  EXPECT_FALSE(waiter.done());
  new_lock.reset();
  ASSERT_TRUE(waiter.ends());
  EXPECT_TRUE(waiter.has_lock());
  EXPECT_EQ(FileLock::try_acquire(path).error().code, Errc::busy);
}

TEST_F(FileLocks, AreHeldByOneOfManyWaiters) {
  std::optional<Result<FileLock>> lock{FileLock::try_acquire(path)};
  std::atomic<int> inside = 0;
  std::atomic<int> finished = 0;
  std::vector<std::jthread> waiters;
  waiters.reserve(8);
  for (int i = 0; i < 8; ++i) {
    waiters.emplace_back([&](const std::stop_token& stop) {
      const auto mine = FileLock::wait(path, stop);
      EXPECT_TRUE(mine.ok());
      EXPECT_EQ(++inside, 1);
      std::this_thread::sleep_for(milliseconds{1});
      --inside;
      ++finished;
    });
  }
  ASSERT_TRUE(somebody_waits());
  lock.reset();
  EXPECT_TRUE(comes_true([&] { return finished == 8; }));
}

TEST_F(FileLocks, CostNothingToWaitFor) {
  std::optional<Result<FileLock>> lock{FileLock::try_acquire(path)};
  const Waiter waiter(path);
  ASSERT_TRUE(somebody_waits());
  std::this_thread::sleep_for(milliseconds{300});
  lock.reset();
  ASSERT_TRUE(waiter.ends());
  EXPECT_LT(waiter.cpu(), milliseconds{30}) << "it slept for 300 ms";
}

TEST_F(FileLocks, NeedADirectory) {
  EXPECT_EQ(FileLock::wait(path_join(temp.path(), "nowhere/lock"), {}).error().code,
            Errc::not_found);
}

}  // namespace
}  // namespace yore
