// lock.hpp — exactly one process writes. The lock dies with its holder, however that ends.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/files/file_system.hpp"
#include "base/result.hpp"

namespace yore::store {

class WriterLock {
 public:
  // Errc::busy when another process holds it (its process id is in the message).
  static Result<WriterLock> try_acquire(const std::string& data_dir,
                                        const FileSystem& files = real_file_system());
  // The same after waiting up to `patience` for the holder to be done.
  static Result<WriterLock> acquire(const std::string& data_dir, std::chrono::milliseconds patience,
                                    const FileSystem& files = real_file_system());
  // Process id of the holder, if there is one now.
  static std::optional<int> holder(const std::string& data_dir);

  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  ~WriterLock();

 private:
  explicit WriterLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace yore::store
