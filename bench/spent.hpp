// spent.hpp — wall and CPU time of a piece of work in this process.
#pragma once

#include <time.h>

#include <chrono>

namespace yore::bench {

struct Spent {
  double wall = 0;
  double cpu = 0;  // of all threads
};

inline double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

template <typename Work>
Spent spend(Work work) {
  const double cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), cpu_seconds() - cpu};
}

}  // namespace yore::bench
