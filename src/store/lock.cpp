#include "store/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/files/file.hpp"

namespace yore::store {
namespace {

constexpr std::chrono::milliseconds kPoll{2};

std::string lock_path(const std::string& data_dir) {
  return path_join(data_dir, "writer.lock");
}

std::optional<int> pid_in(const std::string& path) {
  const auto text = read_file(path, 32);
  if (!text) return std::nullopt;
  int pid = 0;
  const auto [end, ec] = std::from_chars(text->data(), text->data() + text->size(), pid);
  if (ec != std::errc{} || pid <= 0) return std::nullopt;
  return pid;
}

}  // namespace

Result<WriterLock> WriterLock::try_acquire(const std::string& data_dir, const FileSystem& files) {
  const std::string path = lock_path(data_dir);
  const int fd = files.open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0) return Error{Errc::io, path + ": " + std::strerror(errno)};
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int problem = errno;
    ::close(fd);
    if (problem != EWOULDBLOCK) return Error{Errc::io, path + ": " + std::strerror(problem)};
    const auto pid = pid_in(path);
    return Error{Errc::busy, "another yore process is indexing" +
                                 (pid ? " (process " + std::to_string(*pid) + ")" : "")};
  }
  WriterLock lock(fd);
  // For people who ask who it is; the lock itself is the kernel's.
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) == 0) {
    [[maybe_unused]] const auto written = files.write_at(fd, text.data(), text.size(), 0);
  }
  return lock;
}

Result<WriterLock> WriterLock::acquire(const std::string& data_dir,
                                       std::chrono::milliseconds patience,
                                       const FileSystem& files) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    auto lock = try_acquire(data_dir, files);
    const bool busy = !lock && lock.error().code == Errc::busy;
    if (!busy || std::chrono::steady_clock::now() >= end) return lock;
    std::this_thread::sleep_for(kPoll);
  }
}

std::optional<int> WriterLock::holder(const std::string& data_dir) {
  const std::string path = lock_path(data_dir);
  // Looking takes the lock for a moment, and a writer that comes just then would be sent away. So
  // it is not tried while nobody claims to have it.
  const auto claimed = pid_in(path);
  if (!claimed || (::kill(*claimed, 0) != 0 && errno == ESRCH)) return std::nullopt;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  const bool is_free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
  ::close(fd);
  return is_free ? std::nullopt : pid_in(path);
}

WriterLock::WriterLock(WriterLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

WriterLock::~WriterLock() {
  if (fd_ < 0) return;
  [[maybe_unused]] const int cleared = ::ftruncate(fd_, 0);
  ::close(fd_);
}

}  // namespace yore::store
