// local_time.hpp — moments as people read them.
#pragma once

#include <string>

#include "base/time.hpp"

namespace yore::render {

// "2026-02-10 08:19" in the zone of this machine; "" for kNoTime.
std::string local_time(Time time);

}  // namespace yore::render
