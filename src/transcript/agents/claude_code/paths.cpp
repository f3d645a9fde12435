#include "transcript/agents/claude_code/paths.hpp"

#include <algorithm>
#include <cstdint>

#include "base/ascii.hpp"
#include "text/utf8.hpp"

namespace yore::transcript::claude_code {
namespace {

constexpr std::size_t kMaxName = 200;

std::string base36(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  do {
    text.push_back(kDigits[value % 36]);
    value /= 36;
  } while (value != 0);
  std::ranges::reverse(text);
  return text;
}

}  // namespace

std::string directory_name(std::string_view cwd) {
  std::string name;
  std::uint32_t hash = 0;
  const auto add_unit = [&](char32_t unit) {
    name.push_back(unit < 0x80 && ascii::is_alnum(static_cast<char>(unit)) ? static_cast<char>(unit)
                                                                           : '-');
    hash = hash * 31 + static_cast<std::uint32_t>(unit);
  };
  for (std::size_t at = 0; at < cwd.size();) {
    const text::Char c = text::decode_at(cwd, at);
    at += c.size_bytes;
    if (c.code_point < 0x10000) {
      add_unit(c.code_point);
    } else {
      add_unit(0xD800 + ((c.code_point - 0x10000) >> 10));
      add_unit(0xDC00 + ((c.code_point - 0x10000) & 0x3FF));
    }
  }
  if (name.size() <= kMaxName) return name;
  // The hash is kept as a signed 32-bit number there; its absolute value is written.
  const auto value = std::int64_t{static_cast<std::int32_t>(hash)};
  name.resize(kMaxName);
  return name + "-" + base36(static_cast<std::uint64_t>(value < 0 ? -value : value));
}

}  // namespace yore::transcript::claude_code
