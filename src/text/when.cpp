#include "text/when.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/ascii.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

using std::chrono::days;
using std::chrono::minutes;

constexpr minutes kHour{60};
constexpr minutes kDay = 24 * kHour;

struct Spelling {
  TimeUnit unit;
  std::array<std::string_view, 2> shorter;
};
constexpr std::array kUnits = {
    Spelling{{"minute", minutes{1}, days{0}}, {"min", "mins"}},
    Spelling{{"hour", kHour, days{0}}, {"h", "h"}},
    Spelling{{"day", kDay, days{0}}, {"d", "d"}},
    Spelling{{"week", 7 * kDay, days{3}}, {"w", "w"}},
    Spelling{{"month", 30 * kDay, days{15}}, {"m", "mo"}},
    Spelling{{"year", 365 * kDay, days{180}}, {"y", "y"}},
};
constexpr std::size_t kMaxCountDigits = 6;  // 999,999 years in ms are far from overflowing

// "3days" as a duration.
std::optional<minutes> parse_duration(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || count < 0 || text[0] == '-' || digits > kMaxCountDigits) {
    return std::nullopt;
  }
  const TimeUnit* unit = find_time_unit(text.substr(digits), true);
  if (unit == nullptr) return std::nullopt;
  return count * unit->length;
}

}  // namespace

const TimeUnit* find_time_unit(std::string_view word, bool shortened) {
  const auto fits = [&](const Spelling& each) {
    const std::string_view name = each.unit.name;
    const bool plural = word.size() == name.size() + 1 && word.back() == 's';
    if (word == name || (plural && word.starts_with(name))) return true;
    return shortened && std::ranges::find(each.shorter, word) != each.shorter.end();
  };
  const auto found = std::ranges::find_if(kUnits, fits);
  return found == kUnits.end() ? nullptr : &found->unit;
}

std::optional<Time> parse_time_expression(std::string_view text, Time now,
                                          std::chrono::seconds local_offset) {
  // Never kNoTime and never before it: "99y" means the beginning, not "not known".
  const auto known = [](Time time) {
    return std::max(time, kNoTime + std::chrono::milliseconds{1});
  };
  const std::string words = ascii::to_lower(trim(text));
  const Time today = std::chrono::floor<days>(now + local_offset) - local_offset;
  if (words == "today") return known(today);
  if (words == "yesterday") return known(today - days{1});
  if (const auto duration = parse_duration(words)) return known(now - *duration);
  const auto time = parse_iso8601(words);
  if (!time) return std::nullopt;
  const bool is_bare_date = words.size() == std::string_view{"2026-01-31"}.size();
  return known(is_bare_date ? *time - local_offset : *time);
}

}  // namespace yore::text
