// when.hpp — the English words for times that people type: units ("2w", "3 days"), "today",
// "yesterday". Pure. Used for --since and --until, and by named_date.hpp for dates in questions.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace yore::text {

// A month is 30 days, a year 365.
struct TimeUnit {
  std::string_view name;  // "day"
  std::chrono::minutes length;
  std::chrono::days slack;  // "two weeks ago" is about then
};
// "day" and "days"; with `shortened` also "d", "mo" and the like. `word` is in lower case; null
// when it is no unit.
const TimeUnit* find_time_unit(std::string_view word, bool shortened);

// What people type for --since and --until: "30min" "2h" "3d" "2w" "6m" (months) "1y", the same
// spelled out ("2weeks", "6mo"), "today", "yesterday", "2026-01-31" (midnight local time) or ISO
// 8601; case and white space around do not matter. Never before 1970 and never kNoTime. `now` and
// the offset of local time from UTC come in, so that the function stays pure.
std::optional<Time> parse_time_expression(std::string_view text, Time now,
                                          std::chrono::seconds local_offset);

}  // namespace yore::text
