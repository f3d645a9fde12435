// agent_names.hpp — what to say of agents that were asked for and are not there. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "transcript/registry.hpp"

namespace yore::search {

// `no agent "cod"; did you mean codex?`, with all agents as the hint.
Error no_such_agent(std::string_view name, const transcript::AgentRegistry& agents);

// A sentence for each of `wanted` that is not `present`: there is no such agent, or it has no
// sessions here. Sources of a program's own are agents too, by whatever name.
std::vector<std::string> notes_on_agents(const std::vector<std::string>& wanted,
                                         const std::vector<std::string_view>& present,
                                         const transcript::AgentRegistry& agents);

}  // namespace yore::search
