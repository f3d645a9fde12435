// json_repair.hpp — makes damaged JSON text parseable, losing as little as possible. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yore::transcript {

struct Repair {
  std::string text;
  bool bad_utf8 = false;
  bool lone_surrogate = false;
  bool control_bytes = false;
  [[nodiscard]] bool changed() const { return bad_utf8 || lone_surrogate || control_bytes; }
};

// Makes damaged JSON text parseable, losing as little as possible. Inside strings: invalid UTF-8
// and raw control characters become U+FFFD, a \uD800..\uDFFF escape without its partner becomes
// \uFFFD. Outside strings: control characters are dropped, invalid UTF-8 becomes U+FFFD. The result
// is valid UTF-8; it equals the text when that was fine. O(n).
Repair repair_json(std::string_view text);

// The code unit of a \uXXXX escape that `text` starts with.
std::optional<std::uint32_t> unicode_escape(std::string_view text);

// The character at the start of `text`, which is not empty. When it is not valid UTF-8, the
// bytes that one U+FFFD replaces (the longest start of a sequence, at least one byte).
struct Utf8Char {
  std::size_t size_bytes = 1;
  bool valid = false;
};
Utf8Char first_utf8_char(std::string_view text);

}  // namespace yore::transcript
