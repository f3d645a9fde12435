// agents_table.hpp — the supported agents as a Markdown table; the README holds exactly this.
#pragma once

#include <string>

#include "transcript/registry.hpp"

namespace yore::cli {

std::string agents_markdown(const transcript::AgentRegistry& agents);

}  // namespace yore::cli
