// faulty_file_system.hpp — the real file system, but for one call that goes wrong.
//
// Calls are counted from 0; a test runs its writer once to see how many there are, and then once
// for each of them and each fault. Threads: one.
#pragma once

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/files/file_system.hpp"

namespace yore::fake {

enum class Fault {
  refuse,   // it fails, and nothing has happened
  tear,     // half of the bytes are written, then it fails; what is mapped is cut in half
  crash,    // likewise, and no later call does anything: the process is gone
  shorten,  // fewer bytes than asked for, and it says so: no failure
  lose,     // it says that all is well, but half of what was written is zeros, as after a power cut
};
inline constexpr std::array kFaults = {Fault::refuse, Fault::tear, Fault::crash, Fault::shorten,
                                       Fault::lose};

class FaultyFileSystem final : public FileSystem {
 public:
  FaultyFileSystem() = default;  // counts, and lets all calls through
  FaultyFileSystem(Fault fault, std::size_t at) : fault_(fault), at_(at), armed_(true) {}

  [[nodiscard]] std::size_t calls() const { return calls_; }
  // Can this fault do more at that call than refuse it, or anything at all?
  [[nodiscard]] bool matters(Fault fault, std::size_t call) const {
    return fault == Fault::refuse || fault == Fault::crash || had_bytes_.at(call);
  }
  [[nodiscard]] bool has_struck() const { return armed_ && calls_ > at_; }
  // Runs before every call: whatever else may happen just then.
  void before_each(std::function<void()> action) { action_ = std::move(action); }

  int open(const std::string& path, int flags, mode_t mode) const override {
    // A file that is opened has no bytes to tear or to lose.
    return strikes() && fault_ < Fault::shorten ? fail() : real().open(path, flags, mode);
  }
  ssize_t write(int fd, const char* bytes, std::size_t size) const override {
    const auto put = [&](const char* from, std::size_t count) {
      return real().write(fd, from, count);
    };
    return strikes(true) ? go_wrong(bytes, size, put) : put(bytes, size);
  }
  ssize_t write_at(int fd, const char* bytes, std::size_t size, off_t at) const override {
    const auto put = [&](const char* from, std::size_t count) {
      return real().write_at(fd, from, count, at);
    };
    return strikes(true) ? go_wrong(bytes, size, put) : put(bytes, size);
  }
  ssize_t read_at(int fd, char* bytes, std::size_t size, off_t at) const override {
    if (strikes(true) && fault_ < Fault::shorten) return fail();
    const bool is_short = struck_now_ && fault_ == Fault::shorten && size > 1;
    return real().read_at(fd, bytes, is_short ? size / 2 : size, at);
  }
  int sync(int fd) const override {
    return strikes() && fault_ < Fault::shorten ? fail() : real().sync(fd);
  }
  int rename(const std::string& from, const std::string& to) const override {
    return strikes() && fault_ < Fault::shorten ? fail() : real().rename(from, to);
  }
  int unlink(const std::string& path) const override {
    return strikes() && fault_ < Fault::shorten ? fail() : real().unlink(path);
  }
  Result<MappedFile> map(const std::string& path) const override {
    if (!strikes(true) || fault_ >= Fault::shorten) return real().map(path);
    if (fault_ != Fault::tear) return Error{Errc::io, path + ": refused"};
    const auto bytes = real().read_file(path);
    if (!bytes) return bytes.error();
    std::string half = "/tmp/yore-half-XXXXXX";
    ::close(::mkstemp(half.data()));
    const Status written = yore::replace_file(half, bytes->substr(0, bytes->size() / 2));
    auto mapped = real().map(half);
    real().unlink(half);
    if (!written) return written.error();
    return mapped;
  }

 private:
  static const FileSystem& real() { return real_file_system(); }
  // Counts the call. True: it is to go wrong.
  bool strikes(bool has_bytes = false) const {
    if (action_) action_();
    had_bytes_.push_back(has_bytes);
    const std::size_t call = calls_++;
    struck_now_ = armed_ && (call == at_ || (fault_ == Fault::crash && call > at_));
    return struck_now_;
  }
  static int fail() {
    errno = EIO;
    return -1;
  }
  template <typename Put>
  ssize_t go_wrong(const char* bytes, std::size_t size, Put put) const {
    const bool is_dead = calls_ > at_ + 1;  // the crash was before
    if (fault_ == Fault::refuse || is_dead) return fail();
    if (fault_ == Fault::shorten) return put(bytes, size > 1 ? size / 2 : size);
    if (fault_ == Fault::lose) {
      const std::string half = std::string(bytes, size / 2) + std::string(size - size / 2, '\0');
      return put(half.data(), size);
    }
    put(bytes, size / 2);
    return fail();
  }

  Fault fault_ = Fault::refuse;
  std::size_t at_ = 0;
  bool armed_ = false;
  std::function<void()> action_;
  mutable std::size_t calls_ = 0;
  mutable std::vector<bool> had_bytes_;  // by call
  mutable bool struck_now_ = false;
};

}  // namespace yore::fake
