#include "text/secrets/shape.hpp"

#include <algorithm>
#include <array>
#include <bitset>

#include "base/ascii.hpp"

namespace yore::text {
namespace {

// Parts of stand-ins, in small letters.
constexpr std::string_view kStandIns[] = {
    "your",  "example",      "placeholder", "changeme", "change_me", "change-me", "redacted",
    "dummy", "xxxx",         "insert",      "replace",  "sample",    "put_",      "<",
    "....",  "\xe2\x80\xa6", "****",        "todo",     "fixme",     "[masked:",  "{{",
    "${",    "$(",           "%(",          "fake",     "my_secret", "my-secret", "mysecret",
    "not-a", "not_a",        "supersecret", "s3cr3t",   "-here",     "_here",     "lorem"};

// Whole values that say nothing.
constexpr std::string_view kWords[] = {"password", "passwd", "pass",   "pwd",      "secret",
                                       "token",    "null",   "none",   "nil",      "true",
                                       "false",    "string", "number", "undefined"};

enum class CharKind : std::uint8_t { digit, upper, lower, other };

CharKind kind_of_char(char c) {
  if (ascii::is_digit(c)) return CharKind::digit;
  if (ascii::is_upper(c)) return CharKind::upper;
  return ascii::is_lower(c) ? CharKind::lower : CharKind::other;
}

// Into how many words a person would read it: "getUser2" has three. One great letter before small
// ones belongs to their word; several are a word of their own.
std::size_t count_words(std::string_view piece) {
  std::size_t words = 0;
  std::size_t same = 0;  // bytes of this kind in a row
  CharKind before = CharKind::other;
  for (const char c : piece) {
    const CharKind kind = kind_of_char(c);
    const bool capital = before == CharKind::upper && kind == CharKind::lower && same == 1;
    if (kind != before && !capital) ++words;
    same = kind == before ? same + 1 : 1;
    before = kind;
  }
  return words;
}

bool piece_is_random(std::string_view piece, std::size_t least) {
  if (piece.size() < least || distinct_bytes(piece) < piece.size() / 4 + 3) return false;
  // Of letters and digits by chance, two or so make a word; of what people write, four and more.
  return count_words(piece) * 14 > piece.size() * 5;
}

bool is_hex_run(std::string_view piece) {
  return std::ranges::all_of(piece, ascii::is_hex) && std::ranges::any_of(piece, ascii::is_digit) &&
         std::ranges::any_of(piece, ascii::is_letter);
}

bool is_joint(char c) {
  return !ascii::is_alnum(c) && c != '+' && c != '=' && c != '!' && c != '@' && c != '#' &&
         c != '$' && c != '%' && c != '^' && c != '&' && c != '*' && c != '~';
}

}  // namespace

std::size_t distinct_bytes(std::string_view value) {
  std::bitset<256> seen;
  for (const char c : value) seen.set(static_cast<unsigned char>(c));
  return seen.count();
}

bool looks_random(std::string_view value, std::size_t least) {
  std::size_t at = 0;
  while (at < value.size()) {
    std::size_t end = at;
    while (end < value.size() && !is_joint(value[end])) ++end;
    const std::string_view piece = value.substr(at, end - at);
    if (piece_is_random(piece, least)) return true;
    if (piece.size() >= std::max<std::size_t>(least, 16) && is_hex_run(piece) &&
        distinct_bytes(piece) >= 6) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

bool is_uuid(std::string_view value) {
  constexpr std::array<std::size_t, 4> kDashes = {8, 13, 18, 23};
  if (value.size() != 36) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool dash = std::ranges::find(kDashes, i) != kDashes.end();
    if (dash ? value[i] != '-' : !ascii::is_hex(value[i])) return false;
  }
  return true;
}

bool is_placeholder(std::string_view value) {
  const std::string lower = ascii::to_lower(value);
  if (distinct_bytes(lower) < 4) return true;
  for (const std::string_view word : kWords) {
    if (lower == word) return true;
  }
  // Chance writes "your" into a long token now and then.
  if (looks_random(value, 24)) return lower.find("[masked:") != std::string::npos;
  return std::ranges::any_of(
      kStandIns, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

bool is_reference(std::string_view value) {
  constexpr std::string_view kCode[] = {"(",  "::", "->", "=>", "process.env", "environ", "[\"",
                                        "['", "{",  "}",  "<",  ">",           "||",      "\n"};
  if (value.starts_with('$') && value.size() > 1 &&
      (ascii::is_upper(value[1]) || value[1] == '{')) {
    return std::ranges::all_of(value.substr(1), [](char c) {
      return ascii::is_upper(c) || ascii::is_digit(c) || c == '_' || c == '{' || c == '}';
    });
  }
  if (value.starts_with('%') && value.ends_with('%')) return true;
  if (value.starts_with("/") || value.starts_with("./") || value.starts_with("~/") ||
      value.starts_with("../") || value.find("://") != std::string_view::npos) {
    return !looks_random(value, 20);
  }
  for (const std::string_view part : kCode) {
    if (value.find(part) != std::string_view::npos) return true;
  }
  // a.b, a.b_c: a member of something, unless what is between the dots is no name.
  return value.find('.') != std::string_view::npos && !looks_random(value, 8);
}

}  // namespace yore::text
