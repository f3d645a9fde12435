#include "base/priority.hpp"

#include <sys/resource.h>

namespace yore {

void run_in_background() {
#if defined(__linux__)
  // Applies to the thread, not the process. Not SCHED_IDLE: on a busy machine the work would never
  // end.
  [[maybe_unused]] const int nice = ::setpriority(PRIO_PROCESS, 0, 19);
#elif defined(__APPLE__)
  [[maybe_unused]] const int low = ::setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG);
#endif
}

}  // namespace yore
