#include "base/priority.hpp"

#include <sys/resource.h>
#ifdef __linux__
#include <sched.h>
#endif

namespace yore {

void run_in_background() {
#if defined(__linux__)
  // Both are of the thread, not of the process. Where one is refused the other may do.
  const sched_param none{};
  [[maybe_unused]] const int idle = ::sched_setscheduler(0, SCHED_IDLE, &none);
  [[maybe_unused]] const int nice = ::setpriority(PRIO_PROCESS, 0, 19);
#elif defined(__APPLE__)
  [[maybe_unused]] const int low = ::setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG);
#endif
}

}  // namespace yore
