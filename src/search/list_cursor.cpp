#include "search/list_cursor.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include "base/hash.hpp"

namespace yore::search {
namespace {

// "<check>.<ms>.<uid>": what was cut or made up does not fit the check.
constexpr std::size_t kCheckDigits = 8;
constexpr char kMark = '.';

std::string check_of(std::string_view rest) {
  std::array<char, kCheckDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(hash64(rest)));
  return {digits.data(), kCheckDigits};
}

}  // namespace

ListPlace place_of(const store::SessionRow& session) {
  return {session.facts.last_time, session.uid};
}

std::string cursor_text(const ListPlace& place) {
  const std::string rest = std::to_string(to_ms(place.last_time)) + kMark + place.uid;
  return check_of(rest) + kMark + rest;
}

Result<ListPlace> parse_cursor(std::string_view text) {
  const Error wrong{Errc::invalid_argument, "not a cursor of this list",
                    "take next_cursor of the page before, whole"};
  if (text.size() <= kCheckDigits || text[kCheckDigits] != kMark) return wrong;
  const std::string_view rest = text.substr(kCheckDigits + 1);
  if (text.substr(0, kCheckDigits) != check_of(rest)) return wrong;
  std::int64_t ms = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), ms);
  const auto digits = static_cast<std::size_t>(end - rest.data());
  if (problem != std::errc{} || digits >= rest.size() || rest[digits] != kMark) return wrong;
  return ListPlace{from_ms(ms), std::string(rest.substr(digits + 1))};
}

}  // namespace yore::search
