// lazy_agent.hpp — adapters of descriptions that are not read before they are needed, or never.
#pragma once

#include <functional>
#include <memory>

#include "transcript/spec/agent_spec.hpp"
#include "transcript/spec/spec_head.hpp"

namespace yore::transcript {

using LoadSpec = std::function<Result<AgentSpec>()>;

// What `head` views outlives the adapter, or is held by `load`. That gives the whole description
// and is called once. `hooks` may be null.
Adapter make_adapter(const SpecHead& head, const Hooks* hooks, LoadSpec load);

// An agent whose files are those of another, which is written by hand: read by the other's
// functions, under a name, roots and resume words of its own. "codex:1" becomes "traex:1".
// REQUIRES: the ids of `other` begin with its name. `keep` holds what `head` views; null for
// constants.
Adapter make_renamed(const Adapter& other, const SpecHead& head, std::shared_ptr<const void> keep);
Adapter make_renamed(const Adapter& other, AgentSpec spec);

}  // namespace yore::transcript
