#include "base/files/file_lock.hpp"

#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/posix.hpp"

namespace yore {
namespace {

// A lock file that is replaced this often while we take it is no lock.
constexpr int kMostAttempts = 100;
constexpr int kNudge = SIGURG;  // without a handler it is ignored: a stray one harms nobody

int open_lock_file(const std::string& path, const FileSystem& files) {
  return files.open(path, O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
}

// A lock on a file that was deleted or replaced keeps nobody out: others lock the one at the path.
bool is_at(int fd, const std::string& path) {
  struct stat ours {};
  struct stat there {};
  return ::fstat(fd, &ours) == 0 && ::stat(path.c_str(), &there) == 0 &&
         ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

Error replaced_too_often(const std::string& path) {
  return Error{Errc::io, "cannot lock " + path + ": it is replaced again and again"};
}

Status sleep_until_locked(int fd, const std::string& path, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (::flock(fd, LOCK_EX) == 0) return {};
    if (errno != EINTR) return system_error(errno, "lock", path);
  }
  return Error{Errc::cancelled, "stopped waiting for " + path};
}

// Lets the nudge interrupt system calls of this thread, whatever it blocks otherwise.
class OpenToNudges {
 public:
  OpenToNudges() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = 0;  // no SA_RESTART: it would put flock() back to sleep
    ::sigaction(kNudge, &action, nullptr);
    sigset_t nudge;
    ::sigemptyset(&nudge);
    ::sigaddset(&nudge, kNudge);
    ::pthread_sigmask(SIG_UNBLOCK, &nudge, &before_);
  }
  OpenToNudges(const OpenToNudges&) = delete;
  OpenToNudges& operator=(const OpenToNudges&) = delete;
  ~OpenToNudges() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// Interrupts the thread that made it once stop is requested. One signal is not enough: it may come
// between the last look at the token and the sleep. So it is repeated until the thread is out.
class StopNudge {
 public:
  explicit StopNudge(const std::stop_token& stop)
      : waiter_(::pthread_self()), callback_(stop, Nudge{this}) {}
  StopNudge(const StopNudge&) = delete;
  StopNudge& operator=(const StopNudge&) = delete;
  // The callback's own destructor waits for nudge() to return, so the thread is there until then.
  ~StopNudge() { is_out_ = true; }

 private:
  struct Nudge {
    StopNudge* self;
    void operator()() const { self->nudge(); }
  };

  void nudge() const {
    // Stop was requested before the callback was there: it runs in its constructor, and the token
    // is looked at after that.
    if (::pthread_equal(::pthread_self(), waiter_) != 0) return;
    while (!is_out_) {
      ::pthread_kill(waiter_, kNudge);
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }

  pthread_t waiter_;
  std::atomic<bool> is_out_ = false;
  OpenToNudges open_;
  std::stop_callback<Nudge> callback_;  // last: it may run before the constructor returns
};

}  // namespace

Result<FileLock> FileLock::try_acquire(const std::string& path, const FileSystem& files) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Descriptor fd{open_lock_file(path, files)};
    if (fd.get() < 0) return system_error(errno, "open", path);
    if (restarted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
      if (errno == EWOULDBLOCK) return Error{Errc::busy, path + " is locked"};
      return system_error(errno, "lock", path);
    }
    if (is_at(fd.get(), path)) return FileLock{fd.release()};
  }
  return replaced_too_often(path);
}

Result<FileLock> FileLock::wait(const std::string& path, const std::stop_token& stop) {
  const StopNudge nudge{stop};
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Descriptor fd{open_lock_file(path, real_file_system())};
    if (fd.get() < 0) return system_error(errno, "open", path);
    if (auto locked = sleep_until_locked(fd.get(), path, stop); !locked) return locked.error();
    if (is_at(fd.get(), path)) return FileLock{fd.release()};
  }
  return replaced_too_often(path);
}

bool FileLock::is_held(const std::string& path) {
  const Descriptor fd{open_retrying(path, O_RDONLY)};
  if (fd.get() < 0) return false;
  return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace yore
