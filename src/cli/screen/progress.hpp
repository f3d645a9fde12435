// progress.hpp — how far indexing has come, on standard error.
//
// On a terminal one line that is redrawn at most ten times a second and erased at the end;
// elsewhere a line about every ten percent. Runs that end before the delay print nothing. Threads:
// update() may be called from any thread, one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "cli/screen/terminal.hpp"
#include "ingest/indexer.hpp"

namespace yore::cli {

// 0 to 100; by bytes when they are known, else by sessions.
unsigned percent(const ingest::IndexProgress& progress);

// One line without its end, at most `columns` wide: percentage, bar, sessions, speed, time left;
// what does not fit is left out, the least telling first.
std::string progress_line(const ingest::IndexProgress& progress, double seconds,
                          std::size_t columns);

class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;
  using Write = std::function<void(std::string_view)>;

  ProgressMeter(Write write, Screen screen, std::chrono::milliseconds delay);
  void update(const ingest::IndexProgress& progress, Clock::time_point now = Clock::now());
  // Erases the line. Nothing is drawn afterwards.
  void finish();

 private:
  void draw(const ingest::IndexProgress& progress, double seconds);

  Write write_;
  Screen screen_;
  std::chrono::milliseconds delay_;
  Clock::time_point start_;
  Clock::time_point last_draw_;
  unsigned last_percent_ = 0;
  bool was_inverting_ = false;  // the second half of a run counts anew
  bool drawn_ = false;
  bool finished_ = false;
};

}  // namespace yore::cli
