// like_spec.hpp — descriptions that begin with what another says: like = "pi".
//
// Names, roots, resume words and the like are always an agent's own. Of the rest a description says
// only what is different: `fields`, `silent`, `typed` and `tools` are added to the other's,
// `records` stand before them, and everything else replaces what the other says. Pure.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

// What an own description of this name says; not_found when there is none.
Result<AgentSpec> described_agent(std::string_view name);

// What is there before the own keys are read: no names and no rules that own ones are added to.
AgentSpec without_own_parts(const AgentSpec& other);
// After them: the other's rules, but for those that `spec` has rules of its own for.
void add_rules(const AgentSpec& other, AgentSpec& spec);

}  // namespace yore::transcript
