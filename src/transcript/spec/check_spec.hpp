// check_spec.hpp — is a description that could be parsed one that can work, and stay where it
// belongs? Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

// Entries of one list of rules.
inline constexpr std::size_t kMaxRules = 512;

// Where what was said: a key, a path, "place 2".
using SpecLines = std::vector<std::pair<std::string, std::size_t>>;

Status check_spec(const AgentSpec& spec, std::string_view file, const SpecLines& lines);

// What a tool's row leaves unsaid: paths by their usual names, commands of 200 characters.
void complete_tool(ToolArgument& argument);

}  // namespace yore::transcript
