// What a description cannot say of Mistral Vibe: where version 3 keeps what was said.
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::vibe {

extern const Hooks kHooks;

}  // namespace yore::transcript::vibe
