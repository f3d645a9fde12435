// file_lock.hpp — a lock that the kernel takes back however its holder ends.
#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"

namespace yore {

class FileLock {
 public:
  // Makes the file (0600) when there is none. busy: somebody holds it, another process or this one.
  static Result<FileLock> try_acquire(const std::string& path);
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace yore
