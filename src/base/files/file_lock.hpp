// file_lock.hpp — a lock that the kernel takes back however its holder ends.
#pragma once

#include <stop_token>
#include <string>
#include <utility>

#include "base/files/file_system.hpp"
#include "base/result.hpp"

namespace yore {

class FileLock {
 public:
  // Makes the file (0600) when there is none. busy: somebody holds it, another process or this one.
  static Result<FileLock> try_acquire(const std::string& path,
                                      const FileSystem& files = real_file_system());
  // Sleeps in the kernel until the lock is free, however its holder ended; cancelled when stop is
  // requested. When the file is replaced meanwhile, the lock is the one of the file at `path`.
  //
  // Nothing but a signal ends a flock() that waits, so stopping sends SIGURG to the waiting thread
  // until it answers: request_stop() returns after that, within milliseconds. This gives SIGURG,
  // which nothing else needs, an empty handler for the rest of the process.
  static Result<FileLock> wait(const std::string& path, const std::stop_token& stop);
  // Does anybody hold it now? Looking disturbs no holder and no one who waits.
  static bool is_held(const std::string& path);
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  [[nodiscard]] int fd() const { return fd_; }  // of the file, for a note in it

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace yore
