#include "text/utf8.hpp"

#include <utf8proc.h>

#include <algorithm>

#include "base/ascii.hpp"

namespace yore::text {
namespace {

constexpr std::size_t kMaxSequenceBytes = 4;

constexpr bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

constexpr bool same_letter(char a, char b) {
  return ascii::to_lower(a) == ascii::to_lower(b);
}

std::size_t width_of(char32_t code_point) {
  if (code_point >= 0x20 && code_point < 0x7F) return 1;
  return static_cast<std::size_t>(
      std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point))));
}

// The sequence that covers the bytes on both sides of `cut`; empty when a cut there splits nothing.
struct Sequence {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Sequence sequence_across(std::string_view text, std::size_t cut) {
  if (cut == 0 || cut >= text.size() || !is_continuation(text[cut])) return {cut, cut};
  for (std::size_t back = 1; back < kMaxSequenceBytes && back <= cut; ++back) {
    const std::size_t begin = cut - back;
    if (is_continuation(text[begin])) continue;
    const std::size_t end = begin + decode_at(text, begin).size_bytes;
    return end > cut ? Sequence{begin, end} : Sequence{cut, cut};
  }
  return {cut, cut};
}

}  // namespace

Char decode_at(std::string_view text, std::size_t at) {
  constexpr Char kStray{kReplacement, 1};
  // Below these a sequence of that length is longer than it has to be.
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};

  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC0 || lead >= 0xF8) return kStray;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < size) return kStray;

  char32_t code_point = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const char next = text[at + i];
    if (!is_continuation(next)) return kStray;
    code_point = code_point << 6U | (static_cast<unsigned char>(next) & 0x3FU);
  }
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < kSmallest[size] || code_point > 0x10FFFF || is_surrogate) return kStray;
  return {code_point, size};
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    if (c.is_stray()) {
      out.append(text, copied, at - copied).append(kReplacementText);
      copied = at + 1;
    }
    at += c.size_bytes;
  }
  return out.append(text, copied);
}

std::size_t count_chars(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += decode_at(text, at).size_bytes;
  return count;
}

std::string_view first_chars(std::string_view text, std::size_t max_chars) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < max_chars && at < text.size(); ++n) {
    at += decode_at(text, at).size_bytes;
  }
  return text.substr(0, at);
}

std::string_view prefix_bytes(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  return text.substr(0, sequence_across(text, max_bytes).begin);
}

std::string_view suffix_bytes(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  return text.substr(sequence_across(text, text.size() - max_bytes).end);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    width += width_of(c.code_point);
    at += c.size_bytes;
  }
  return width;
}

std::string_view prefix_columns(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t width = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    width += width_of(c.code_point);
    if (width > columns) break;
    at += c.size_bytes;
  }
  return text.substr(0, at);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && ascii::is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && ascii::is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_blank(std::string_view text) {
  return trim(text).empty();
}

bool iequals(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_letter);
}

bool icontains(std::string_view text, std::string_view needle) {
  return needle.empty() || std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                                       same_letter) != text.end();
}

namespace {

// Takes a run of digits off the front, without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && ascii::is_digit(text[size])) ++size;
  std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view left = take_number(a);
    const std::string_view right = take_number(b);
    if (left.empty() != right.empty()) return right.empty();  // numbers before words
    if (left.size() != right.size()) return left.size() < right.size();
    if (left != right) return left < right;
    if (a.empty() || b.empty()) break;
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

}  // namespace yore::text
