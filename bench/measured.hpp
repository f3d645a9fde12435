// measured.hpp — runs a piece of work in a process of its own and tells what it cost.
#pragma once

#include <cstdint>
#include <functional>

namespace yore::bench {

struct Cost {
  bool ok = false;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double peak_rss_mb = 0;
  std::uint64_t value = 0;  // what the work returned
};

// A child process, so that memory and caches of one measurement do not show in the next. The work
// is timed inside the child; the fork is not counted.
Cost measure(const std::function<std::uint64_t()>& work);

// The best of `rounds`, by wall time: what the machine can do when nobody disturbs.
Cost best_of(int rounds, const std::function<std::uint64_t()>& work);

}  // namespace yore::bench
