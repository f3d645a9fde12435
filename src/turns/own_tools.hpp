// own_tools.hpp — the tools that yore gives to models. Here because their answers, which stand in
// transcripts, are not indexed again (own_output.hpp); mcp/tools/tools.cpp makes one tool of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace yore::turns {

enum class OwnTool : std::uint8_t {
  search_conversations,
  list_conversations,
  read_turn,
  read_conversation,
};
// In the order of their values.
inline constexpr std::array<std::string_view, 4> kOwnTools = {
    "search_conversations", "list_conversations", "read_turn", "read_conversation"};

constexpr std::string_view name_of(OwnTool tool) {
  return kOwnTools[static_cast<std::size_t>(tool)];
}

}  // namespace yore::turns
