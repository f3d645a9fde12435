#include "cli/stop_signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace yore::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> g_write_fd{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int) {
  const int saved = errno;
  // Nothing could be done about a failure here.
  if (::write(g_write_fd.load(), "", 1) < 0) errno = saved;
}

}  // namespace

StopSignals::StopSignals() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  read_fd_ = ends[0];
  g_write_fd = ends[1];
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
}

StopSignals::~StopSignals() {
  if (read_fd_ < 0) return;
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
  ::close(g_write_fd.exchange(-1));
  ::close(read_fd_);
}

}  // namespace yore::cli
