// lazy_agent.hpp — an adapter whose description is not read before it is needed.
#pragma once

#include <functional>

#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

using LoadSpec = std::function<Result<AgentSpec>()>;

// `head` has names, roots, resume words, the rule for directory names and hooks; `load` gives the
// whole description, hooks included, and is called once.
Adapter make_adapter(AgentSpec head, LoadSpec load);

}  // namespace yore::transcript
