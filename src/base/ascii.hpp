// ascii.hpp — what an ASCII character is. Unlike <cctype>: no locale, and any byte may be asked;
// bytes from 0x80 on are none of these.
#pragma once

#include <string>
#include <string_view>

namespace yore::ascii {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
constexpr bool is_alnum(char c) {
  return is_letter(c) || is_digit(c);
}
// Hexadecimal digits, those with small letters only, and their value. REQUIRES: is_hex(c)
constexpr bool is_lower_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}
constexpr bool is_hex(char c) {
  return is_lower_hex(c) || (c >= 'A' && c <= 'F');
}
constexpr unsigned hex_value(char c) {
  return static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
}
// Space, tab, newline, vertical tab, form feed, carriage return.
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

}  // namespace yore::ascii
