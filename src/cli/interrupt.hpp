// interrupt.hpp — Ctrl-C while something long runs: the first asks it to stop, the second ends the
// process as usual.
#pragma once

#include <csignal>

#include <atomic>

namespace yore::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // True once the signal came.
  [[nodiscard]] static const std::atomic<bool>& asked();

 private:
  struct sigaction before_ {};
};

}  // namespace yore::cli
