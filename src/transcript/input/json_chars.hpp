// json_chars.hpp — the characters JSON itself gives a meaning.
#pragma once

#include <cstddef>
#include <string_view>

namespace yore::transcript {

inline constexpr std::size_t kUnicodeEscapeBytes = 6;  // \u0041

constexpr bool is_json_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}
// Where the blanks from `at` on end.
constexpr std::size_t skip_json_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at])) ++at;
  return at;
}

}  // namespace yore::transcript
