#include "measured.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace yore::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

struct Report {
  double wall_seconds;
  std::uint64_t value;
};

}  // namespace

Cost measure(const std::function<std::uint64_t()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t value = work();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    const Report report{wall.count(), value};
    const bool sent = ::write(ends[1], &report, sizeof report) == sizeof report;
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  Report report{};
  const bool received = ::read(ends[0], &report, sizeof report) == sizeof report;
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  Cost cost;
  cost.ok = received && status == 0;
  cost.wall_seconds = report.wall_seconds;
  cost.value = report.value;
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak_rss_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  return cost;
}

Cost best_of(int rounds, const std::function<std::uint64_t()>& work) {
  Cost best;
  for (int i = 0; i < rounds; ++i) {
    const Cost cost = measure(work);
    if (cost.ok && (!best.ok || cost.wall_seconds < best.wall_seconds)) best = cost;
  }
  return best;
}

}  // namespace yore::bench
