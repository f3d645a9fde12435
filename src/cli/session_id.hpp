// session_id.hpp — ids as short as they can be while still naming one session of a list. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore::cli {

// For each id, in order: "1a2b3c4d" of a UUID, "openclaw:1a2b3c4d" of another agent's, and
// "agent-1a2b3c4d" of a sub-agent; each longer where eight characters name two of them. All are
// accepted wherever an id is.
std::vector<std::string> short_ids(const std::vector<std::string>& ids);

}  // namespace yore::cli
