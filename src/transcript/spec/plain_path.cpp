#include "transcript/spec/plain_path.hpp"

#include <charconv>

namespace yore::transcript {
namespace {

// The byte that "%20" stands for; -1: it is no such escape.
int escaped_byte(std::string_view text) {
  if (text.size() < 3 || text.front() != '%') return -1;
  int byte = -1;
  const char* end = text.data() + 3;
  const auto [stop, error] = std::from_chars(text.data() + 1, end, byte, 16);
  return error == std::errc() && stop == end ? byte : -1;
}

}  // namespace

std::string_view plain_path(std::string_view text, std::string& storage) {
  constexpr std::string_view kScheme = "file://";
  if (!text.starts_with(kScheme)) return text;
  text.remove_prefix(kScheme.size());
  text.remove_prefix(std::min(text.find('/'), text.size()));  // a host is this one
  storage.clear();
  while (!text.empty()) {
    const int byte = escaped_byte(text);
    storage += byte < 0 ? text.front() : static_cast<char>(byte);
    text.remove_prefix(byte < 0 ? 1 : 3);
  }
  return storage;
}

}  // namespace yore::transcript
