// posix.hpp — what the files of this room share when they call the system: descriptors that close
// themselves, calls that survive signals, errors that name the path. Nobody outside base needs it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/result.hpp"

namespace yore {

// Some systems refuse a single read or write above INT_MAX.
inline constexpr std::size_t kMaxTransferBytes = std::size_t{1} << 30;

inline Error system_error(int code, std::string_view action, std::string_view path) {
  std::string message = "cannot ";
  message += action;
  message += ' ';
  message += path;
  message += ": ";
  message += std::generic_category().message(code);
  const bool absent = code == ENOENT || code == ENOTDIR;
  return Error{absent ? Errc::not_found : Errc::io, std::move(message)};
}

// Runs a system call that answers -1 on failure until no signal interrupts it.
template <typename Call>
auto restarted(Call call) {
  auto answer = call();
  while (answer == -1 && errno == EINTR) answer = call();
  return answer;
}

// Owns a descriptor. close() is never repeated: after EINTR the descriptor may be somebody else's.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

inline int open_retrying(const std::string& path, int flags, mode_t mode = 0) {
  return restarted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
}

struct PathState;
// Null: nothing is there.
PathState to_sight(const struct stat* info);

}  // namespace yore
