// utf8.hpp — small pure helpers over UTF-8 text. Input may be invalid; nothing here reads past it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yore::text {

inline constexpr char32_t kReplacement = U'\uFFFD';
inline constexpr std::string_view kReplacementText = "\uFFFD";

struct Char {
  char32_t code_point = kReplacement;
  std::size_t size_bytes = 1;
  // A byte that belongs to no valid sequence (cut, overlong, surrogate, above U+10FFFF).
  [[nodiscard]] bool is_stray() const { return code_point == kReplacement && size_bytes == 1; }
};

// The character that begins at byte `at`; a stray byte is kReplacement of one byte.
// REQUIRES: at < text.size()
Char decode_at(std::string_view text, std::size_t at);

// The text with kReplacementText in place of each stray byte: always valid UTF-8. O(n).
std::string valid_utf8(std::string_view text);

// Code points; a stray byte counts as one.
std::size_t count_chars(std::string_view text);
// The first `max_chars` code points.
std::string_view first_chars(std::string_view text, std::size_t max_chars);
// The longest prefix (suffix) of at most `max_bytes` that does not split a sequence.
std::string_view prefix_bytes(std::string_view text, std::size_t max_bytes);
std::string_view suffix_bytes(std::string_view text, std::size_t max_bytes);
// Columns on a terminal: 2 for wide (CJK, emoji), 0 for combining marks.
std::size_t display_width(std::string_view text);
// The longest prefix of at most `columns` columns; combining marks stay with their letter.
std::string_view prefix_columns(std::string_view text, std::size_t columns);

// Without leading and trailing white space (ASCII).
std::string_view trim(std::string_view text);
// Nothing but white space, or nothing at all.
bool is_blank(std::string_view text);
// ASCII case only.
bool iequals(std::string_view a, std::string_view b);
bool icontains(std::string_view text, std::string_view needle);
// Order of version texts: runs of digits compare as numbers, "2.1.5" before "2.1.42".
bool natural_less(std::string_view a, std::string_view b);

}  // namespace yore::text
