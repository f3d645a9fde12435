#include "cli/interrupt.hpp"

namespace yore::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> g_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) {
  g_asked.store(true);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  g_asked.store(false);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool>& InterruptGuard::asked() {
  return g_asked;
}

}  // namespace yore::cli
