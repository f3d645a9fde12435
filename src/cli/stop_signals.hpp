// stop_signals.hpp — SIGINT and SIGTERM as a descriptor that becomes readable, for a server that
// ends in good order. A second signal ends the process as usual.
#pragma once

#include <csignal>

namespace yore::cli {

// One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Readable once a signal came; -1 when the system has no descriptor left.
  [[nodiscard]] int fd() const { return read_fd_; }

 private:
  int read_fd_ = -1;
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

}  // namespace yore::cli
