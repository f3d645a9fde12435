// named_date.hpp — the date a question names: "what did we conclude on 3 June", "the crash we fixed
// in October 2025", "2026-03-04", "yesterday". English month names.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace yore::text {

struct NamedDate {
  std::optional<std::chrono::year> year;  // nullopt: of any year
  std::chrono::month month{1};
  std::optional<std::chrono::day> day;  // nullopt: the whole month

  // Days between `when` and what is named; 0 inside of it.
  [[nodiscard]] std::int64_t days_from(std::chrono::sys_days when) const;
};

// The most exact one, of equals the first. "may" and "march" without a year are words like others
// unless something like "in" or "on" stands before them. Days that do not exist are no dates.
std::optional<NamedDate> find_named_date(std::string_view question, std::chrono::sys_days today);

}  // namespace yore::text
