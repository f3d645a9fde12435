// spec_toml.hpp — a description as people write it (docs/agents.md), checked while it is read.
//
// What is wrong is said in one sentence with file and line. A description may be as hostile as it
// likes: its size, its rules and its nesting are bounded, its patterns stay below its roots.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

inline constexpr std::size_t kMaxSpecBytes = 256 << 10;

// `file` is for messages.
Result<AgentSpec> parse_agent(std::string_view text, std::string_view file);

}  // namespace yore::transcript
