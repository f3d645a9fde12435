// priority.hpp — work that must never be in anybody's way.
#pragma once

namespace yore {

// From now on the calling thread runs only when nobody else wants the processor, as far as the
// system can do that. There is no way back.
void run_in_background();

}  // namespace yore
