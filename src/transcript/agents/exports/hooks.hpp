// hooks.hpp — what is odd about the exports of ChatGPT and Claude.ai (private to the registry).
#pragma once

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::exports {

extern const Hooks kChatGptHooks;
extern const Hooks kClaudeAiHooks;

}  // namespace yore::transcript::exports
