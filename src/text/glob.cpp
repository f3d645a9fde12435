#include "text/glob.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/utf8.hpp"

namespace yore::text {
namespace {

enum class Kind : std::uint8_t { literal, any_char, any_run, set, inverted_set };

struct Token {
  Kind kind;
  std::string_view text;  // the character of a literal, the inside of a set
};

std::string_view char_at(std::string_view text, std::size_t at) {
  return text.substr(at, decode_at(text, at).size_bytes);
}

// Takes one character off the front; '\' makes the next one plain.
std::string_view take_char(std::string_view& text) {
  if (text.size() > 1 && text.front() == '\\') text.remove_prefix(1);
  const std::string_view c = char_at(text, 0);
  text.remove_prefix(c.size());
  return c;
}

// REQUIRES: `pattern` begins with '['. Takes the whole set off the front, or nothing when it is
// never closed. A ']' that comes first is a member.
bool take_set(std::string_view& pattern, Token& token) {
  std::string_view rest = pattern.substr(1);
  const bool inverted = !rest.empty() && rest.front() == '!';
  if (inverted) rest.remove_prefix(1);
  const std::string_view inside = rest;
  while (!rest.empty() && (rest.front() != ']' || rest.size() == inside.size())) take_char(rest);
  if (rest.empty()) return false;
  token = {inverted ? Kind::inverted_set : Kind::set,
           inside.substr(0, inside.size() - rest.size())};
  pattern = rest.substr(1);
  return true;
}

std::vector<Token> compile(std::string_view pattern) {
  std::vector<Token> tokens;
  bool sets_close = true;  // after one '[' without an end no other has one: do not look again
  while (!pattern.empty()) {
    Token token{Kind::literal, {}};
    const char first = pattern.front();
    if (first == '[' && sets_close && !take_set(pattern, token)) sets_close = false;
    if (token.kind == Kind::literal) {
      token.text = take_char(pattern);
      if (first == '*') token.kind = Kind::any_run;
      if (first == '?') token.kind = Kind::any_char;
    }
    tokens.push_back(token);
  }
  return tokens;
}

bool set_contains(std::string_view inside, char32_t wanted) {
  while (!inside.empty()) {
    const char32_t low = decode_at(take_char(inside), 0).code_point;
    char32_t high = low;
    if (inside.size() > 1 && inside.front() == '-') {
      inside.remove_prefix(1);
      high = decode_at(take_char(inside), 0).code_point;
    }
    if (low <= wanted && wanted <= high) return true;
  }
  return false;
}

bool matches_char(const Token& token, std::string_view c) {
  switch (token.kind) {
    case Kind::literal:
      return token.text == c;
    case Kind::any_char:
      return true;
    case Kind::any_run:
      return false;
    case Kind::set:
      return set_contains(token.text, decode_at(c, 0).code_point);
    case Kind::inverted_set:
      return !set_contains(token.text, decode_at(c, 0).code_point);
  }
  return false;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const std::vector<Token> tokens = compile(pattern);
  std::size_t next = 0;      // token
  std::size_t at = 0;        // byte of the text
  std::size_t star = kNone;  // the last '*' passed; earlier ones need no second try
  std::size_t star_end = 0;  // where the run of that '*' ends for now
  while (at < text.size()) {
    const std::string_view c = char_at(text, at);
    if (next < tokens.size() && tokens[next].kind == Kind::any_run) {
      star = next++;
      star_end = at;
    } else if (next < tokens.size() && matches_char(tokens[next], c)) {
      ++next;
      at += c.size();
    } else if (star != kNone) {
      star_end += char_at(text, star_end).size();
      at = star_end;
      next = star + 1;
    } else {
      return false;
    }
  }
  while (next < tokens.size() && tokens[next].kind == Kind::any_run) ++next;
  return next == tokens.size();
}

}  // namespace yore::text
