// user_agents.hpp — agents that a person describes in TOML (docs/agents.md): no compiler needed.
#pragma once

#include <string>
#include <vector>

#include "transcript/registry.hpp"

namespace yore::config {

// `agents` and those described by the *.toml files of `directory`, in the order of their names. A
// file that is no good costs a sentence in `warnings`, which names file and line, and nothing else.
// Without such a directory: `agents`, for one failed open.
transcript::Agents with_user_agents(transcript::Agents agents, const std::string& directory,
                                    std::vector<std::string>& warnings);

}  // namespace yore::config
