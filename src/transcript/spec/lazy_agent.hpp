// lazy_agent.hpp — an adapter whose description is not read before it is needed.
#pragma once

#include <functional>

#include "transcript/spec/agent_spec.hpp"
#include "transcript/spec/spec_head.hpp"

namespace yore::transcript {

using LoadSpec = std::function<Result<AgentSpec>()>;

// What `head` views outlives the adapter, or is held by `load`. That gives the whole description
// and is called once. `hooks` may be null.
Adapter make_adapter(const SpecHead& head, const Hooks* hooks, LoadSpec load);

}  // namespace yore::transcript
