// stats_picture.hpp — statistics as a picture and as a page: self-contained, without script, light
// and dark by what the reader prefers. All names in them are escaped; nothing is fetched. Pure.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "service/stats.hpp"

namespace yore::service {

// The 53 weeks that end with the week of `today`: turns by day, one row per weekday, Monday first.
struct YearOfDays {
  std::chrono::sys_days first;  // a Monday
  std::vector<std::uint64_t> turns;
  std::uint64_t most = 0;
};
YearOfDays year_of_days(const Stats& stats, std::chrono::sys_days today);

// 0 for none, else 1..4 by how near it comes to the most there is.
int shade_of(std::uint64_t count, std::uint64_t most);

// A number as people say it: "950", "12.3k", "4.1M".
std::string short_count(std::uint64_t number);
// "$12.34"; "unknown" where no turn has a price, "$12.34 + unknown" where some have tokens alone.
std::string cost_text(const Figures& figures);

std::string stats_svg(const Stats& stats, std::chrono::sys_days today);
std::string stats_html(const Stats& stats, std::chrono::sys_days today);

}  // namespace yore::service
