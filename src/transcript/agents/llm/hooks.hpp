// What is odd about llm: since 0.32 messages are shared by conversations, and known by their
// hashes.
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::llm {

extern const Hooks kHooks;

}  // namespace yore::transcript::llm
