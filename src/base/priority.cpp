#include "base/priority.hpp"

#include <sys/resource.h>

namespace yore {

void run_in_background() {
#if defined(__linux__)
  // Of the thread, not of the process. Not SCHED_IDLE, under which work on a busy machine never
  // ends.
  [[maybe_unused]] const int nice = ::setpriority(PRIO_PROCESS, 0, 19);
#elif defined(__APPLE__)
  [[maybe_unused]] const int low = ::setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG);
#endif
}

}  // namespace yore
