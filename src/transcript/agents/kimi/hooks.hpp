// hooks.hpp — what of Kimi is not data: see kimi.toml for the rest.
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::kimi {

extern const Hooks kHooks;

}  // namespace yore::transcript::kimi
