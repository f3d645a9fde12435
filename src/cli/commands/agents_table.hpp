// agents_table.hpp — the supported agents as a Markdown table; the README holds exactly this.
#pragma once

#include <string>
#include <string_view>

#include "transcript/registry.hpp"

namespace yore::cli {

// "real files", "derived files", "source only"; "" when nobody said.
std::string_view verified_words(transcript::Verified verified);

std::string agents_markdown(const transcript::AgentRegistry& agents);

}  // namespace yore::cli
