// tools.hpp — the four tools of `yore mcp`, one file each: what it says of itself, which arguments
// it takes, what it answers.
//
// Names, parameters and fields are fixed by contract. What a tool returns is JSON text that quotes
// transcripts; the quotes stand in JSON strings as they were said, and nothing of ours is mixed in.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "mcp/tools/tool.hpp"
#include "mcp/tools/tool_backend.hpp"
#include "turns/own_tools.hpp"

namespace yore::mcp {

// `recall` must outlive the tool.
Tool search_conversations_tool(ToolBackend& recall);
Tool list_conversations_tool(ToolBackend& recall);
Tool read_turn_tool(ToolBackend& recall);
Tool read_conversation_tool(ToolBackend& recall);
// All four, in this order.
std::vector<Tool> all_tools(ToolBackend& recall);

// What the server says of itself to a model.
std::string_view server_instructions();

// Bytes that every session pays before it asks anything, used or not.
inline constexpr std::size_t kMostListedBytes = 2800;  // of the answer to tools/list
inline constexpr std::size_t kMostPriceBytes = 4300;   // that and the instructions
struct Price {
  std::size_t tools_list = 0;
  std::size_t instructions = 0;
};
Price price_of(const std::vector<Tool>& tools);

}  // namespace yore::mcp
