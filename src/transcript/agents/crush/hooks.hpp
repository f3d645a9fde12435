// hooks.hpp — what of Crush is not data: see crush.toml for the rest.
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::crush {

extern const Hooks kHooks;

}  // namespace yore::transcript::crush
