// trace.hpp — tells what the program does, step by step, to whoever asked to see it.
//
//   yore trace:    3.2 ms     12 KB  list ~/.claude/projects
//   yore trace: failed  remove the keeper's report: cannot remove …
//
// Off unless an edge of the program switches it on; while off, a step costs one branch. Lines come
// when a step ends, so inner steps stand above the ones they belong to. Failures that change
// nothing for the user, and so are not reported anywhere else, are told here.
// Threads: steps may run in any thread; a line is handed over whole.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace yore {

// Takes one line with its end; may be called from several threads at once.
using TraceSink = void (*)(std::string_view line);

class Trace {
 public:
  static void switch_on(TraceSink sink) { sink_.store(sink, std::memory_order_relaxed); }
  static void switch_off() { switch_on(nullptr); }
  [[nodiscard]] static bool is_on() { return sink_.load(std::memory_order_relaxed) != nullptr; }
  // A failure that is nobody's business but that of who looks for one; a success says nothing.
  // `what` was tried: "remove a file".
  static void failure(std::string_view what, const Status& status) {
    if (!status.ok() && is_on()) failure(what, status.error());
  }
  static void failure(std::string_view what, const Error& error);

 private:
  friend class TraceStep;
  static void tell(const std::string& text);
  inline static std::atomic<TraceSink> sink_{nullptr};  // NOLINT(readability-identifier-naming)
};

// From here to the end of the block.
class TraceStep {
 public:
  // `what` is one word or two ("list", "merge segments"), `subject` what it is done to.
  explicit TraceStep(std::string_view what, std::string_view subject = {}) {
    if (Trace::is_on()) begin(what, subject);
  }
  TraceStep(const TraceStep&) = delete;
  TraceStep& operator=(const TraceStep&) = delete;
  ~TraceStep() {
    if (!text_.empty()) end();
  }
  // What went through the step so far.
  void add_bytes(std::uint64_t bytes) { bytes_ += bytes; }

 private:
  void begin(std::string_view what, std::string_view subject);
  void end() const;

  std::string text_;  // "": not told
  std::uint64_t bytes_ = 0;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace yore
