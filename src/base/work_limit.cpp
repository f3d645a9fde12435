#include "base/work_limit.hpp"

#include <ctime>
#include <string>

namespace yore {
namespace {

using std::chrono::nanoseconds;

// Reading the clock of a thread costs a call to the system.
constexpr unsigned kLooksPerClock = 16;

thread_local WorkLimit* t_innermost = nullptr;

nanoseconds thread_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + nanoseconds{time.tv_nsec};
}

}  // namespace

WorkLimit::WorkLimit(const std::atomic<bool>& cancel, nanoseconds processor_time)
    : cancel_(cancel), most_(processor_time), start_(thread_time()), outer_(t_innermost) {
  t_innermost = this;
}

WorkLimit::~WorkLimit() {
  t_innermost = outer_;
}

bool WorkLimit::look() {
  if (cancel_.load(std::memory_order_relaxed) || late_) return true;
  if (most_ != kUnlimited && ++looks_ % kLooksPerClock == 0) late_ = used() > most_;
  return late_ || (outer_ != nullptr && outer_->look());
}

bool WorkLimit::is_over() {
  return t_innermost != nullptr && t_innermost->look();
}

Status WorkLimit::check(std::string_view what, std::string_view path) {
  if (!is_over()) return {};
  return Error{Errc::cancelled,
               "stopped before " + std::string(path) + " could be " + std::string(what)};
}

bool WorkLimit::was_over() const {
  return late_ || cancel_ || (outer_ != nullptr && outer_->was_over());
}

nanoseconds WorkLimit::used() const {
  return thread_time() - start_;
}

}  // namespace yore
