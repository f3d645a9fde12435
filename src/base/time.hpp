// time.hpp — points in time as milliseconds since 1970 UTC, and their text forms.
//
// Transcripts mix ISO 8601 strings and epoch numbers; inside yore there is only Time.
// kNoTime (the epoch itself) means "not known".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yore {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;
inline constexpr Time kNoTime{};

constexpr std::int64_t to_ms(Time time) {
  return time.time_since_epoch().count();
}
constexpr Time from_ms(std::int64_t ms) {
  return Time{std::chrono::milliseconds{ms}};
}

// "2026-02-10T08:19:22.658Z", with or without seconds and fraction, "Z", "+02:00", "+0200" or no
// zone (read as UTC), and a space for the "T"; a bare date is midnight. Years 1970 to 9999, days
// that exist. Anything else: nullopt. Called once per record: no allocation, no locale.
std::optional<Time> parse_iso8601(std::string_view text);

// The same, but no zone means this machine's: its clocks showed this when it was written.
std::optional<Time> parse_local_iso8601(std::string_view text);

// "2026-02-10T08:19:22.658Z"; "" for kNoTime and outside the years 1970 to 9999.
std::string format_iso8601(Time time);

// "just now" (also for the future), "5 minutes ago", "1 hour ago", "3 days ago", "2 weeks ago",
// "4 months ago", "2 years ago"; "" when `then` is kNoTime.
std::string format_age(Time then, Time now);

}  // namespace yore
