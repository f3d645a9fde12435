// work_limit.hpp — how long this thread may go on with what it is doing.
//
// Work on other people's bytes has to end when a person says so, and when it takes longer than the
// bytes can be worth. Whoever starts such work (lists a source, reads a session, merges) makes a
// WorkLimit; what the work consists of asks is_over() in its loops and gives up when it is: reading
// files and folders, queries to foreign databases, unpacking, merging. So no agent's reader has to
// know of limits, and none can forget them.
//
// What was given up may look like something that is not there, or like an end. Whoever made the
// limit must ask was_over() before believing a result.
//
// Processor time of the thread counts, not time on the wall: neither a laptop that slept nor a busy
// machine makes anything fail.
//
// Threads: a limit belongs to the thread that made it, and limits nest; work is over when any of
// them is. Cost: is_over() looks at a flag, and at the clock now and then.
#pragma once

#include <atomic>
#include <chrono>
#include <string_view>

#include "base/result.hpp"

namespace yore {

// For work that nobody can call off.
inline const std::atomic<bool> kNeverCancelled{false};

class WorkLimit {
 public:
  static constexpr auto kUnlimited = std::chrono::nanoseconds::max();

  explicit WorkLimit(const std::atomic<bool>& cancel,
                     std::chrono::nanoseconds processor_time = kUnlimited);
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;
  ~WorkLimit();

  // Has any limit of this thread been reached? False when there is none.
  static bool is_over();
  // The same as a failure to do `what` with `path`.
  static Status check(std::string_view what, std::string_view path);

  // May is_over() have said so since this limit was made?
  [[nodiscard]] bool was_over() const;
  // Processor time since it was made.
  [[nodiscard]] std::chrono::nanoseconds used() const;

 private:
  bool look();

  const std::atomic<bool>& cancel_;
  const std::chrono::nanoseconds most_;
  const std::chrono::nanoseconds start_;
  WorkLimit* const outer_;
  unsigned looks_ = 0;
  bool late_ = false;
};

}  // namespace yore
