// What a description cannot say of Grok Build.
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::grok {

extern const Hooks kHooks;

}  // namespace yore::transcript::grok
