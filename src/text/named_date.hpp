// named_date.hpp — the time a question names: "what did we conclude on 3 June", "the crash we fixed
// in October 2025", "2026-03-04", "yesterday", "last week", "three days ago", "on Friday". English.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace yore::text {

struct NamedDate {
  std::chrono::sys_days first;  // of the days that are meant
  std::chrono::sys_days last;   // included
  bool every_year = false;      // no year was named: both are days of 2000, which has them all
  // Where it stands in the question, and whether as something said: then its words tell when, not
  // what. A bare 2026-03-04 may as well be part of a name.
  std::size_t begin = 0;
  std::size_t end = 0;
  bool said = false;

  // Days between `when` and what is named; 0 inside of it.
  [[nodiscard]] std::int64_t days_from(std::chrono::sys_days when) const;
};

// The most exact one, of equals the first. "may" and "march" without a year, and days of the week,
// are words like others unless something like "in" or "on" stands before them. Days that do not
// exist are no dates.
std::optional<NamedDate> find_named_date(std::string_view question, std::chrono::sys_days today);

}  // namespace yore::text
