// agent_check.hpp — yore agents check FILE PATH: what a description makes of real files, before it
// is put to use. Nothing is indexed.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace yore::cli {

// Returns the exit code: nothing when no session is found, wrong use when the description is no
// good, broken when PATH cannot be read.
int check_agent(const Context& context, const std::string& file, const std::string& path);

}  // namespace yore::cli
