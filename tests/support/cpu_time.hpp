// cpu_time.hpp — what something cost this thread, whatever else the machine is doing.
#pragma once

#include <ctime>

namespace yore::fake {

// Seconds of processor time that `work()` took.
template <typename Work>
double cpu_seconds(Work&& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}

}  // namespace yore::fake
