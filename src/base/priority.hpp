// priority.hpp — work that must never be in anybody's way.
#pragma once

namespace yore {

// From now on the calling thread leaves the processor to whoever else wants it, but for a small
// share. There is no way back.
void run_in_background();

}  // namespace yore
