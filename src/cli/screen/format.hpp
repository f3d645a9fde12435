// format.hpp — numbers, sizes, times and paths as people read them. Pure but for the time zone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "render/local_time.hpp"

namespace yore::cli {

std::string count(std::uint64_t number);                          // 1,234
std::string plural(std::uint64_t number, std::string_view noun);  // "1 turn", "1,234 turns"
std::string size(std::uint64_t bytes);                            // "999 B", "12.3 MB"
std::string rate(std::uint64_t bytes, double seconds);            // "85.3 MB/s"; "" when unknown
std::string duration(double seconds);                             // "0.4 s", "2 min 5 s"
// For narrow columns: "now", "5min", "3h", "2d", "3w", "4mo", "2y"; "" for kNoTime.
std::string short_age(Time then, Time now);
using render::local_time;
// "~/x" for a path below `home`; safe to print.
std::string shown_path(std::string_view path, std::string_view home);

}  // namespace yore::cli
