#include "base/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace yore {

std::string executable_path() {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::readlink("/proc/self/exe", buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : "";
}

std::string read_standard_input(std::size_t limit_bytes) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (text.size() < limit_bytes) {
    const std::size_t room = std::min(buffer.size(), limit_bytes - text.size());
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), room);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return text;
}

}  // namespace yore
