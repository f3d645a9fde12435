// hooks.hpp — what is odd about Warp: see warp.toml and task.cpp.
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::warp {

extern const Hooks kHooks;

}  // namespace yore::transcript::warp
