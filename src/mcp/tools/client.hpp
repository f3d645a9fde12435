// client.hpp — what is known of the programs that ask: whose transcripts are theirs, and how long
// an answer may be before they cut it. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "mcp/tools/tool.hpp"

namespace yore::mcp {

// The agent behind a client, as sessions name it; "" when it is not known.
std::string_view agent_of_client(std::string_view client);

// Characters of an answer that is a page: kPageChars, less for a client that would cut it in the
// middle and leave no JSON.
std::size_t page_chars(const ToolCall& call);

}  // namespace yore::mcp
