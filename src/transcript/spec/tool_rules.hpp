// tool_rules.hpp — which of a tool's arguments are shown, as a table: one row per tool and
// argument. Shared by the adapters, each with its own table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript {

// Versions and providers name the same argument differently: the first that is there counts.
using ArgumentNames = std::array<std::string_view, 8>;
inline constexpr ArgumentNames kPathArguments = {"file_path", "filePath",      "filepath",
                                                 "path",      "absolute_path", "notebook_path",
                                                 "file",      "target_file"};
// Longest question or address in a rendering, in characters.
inline constexpr std::size_t kQueryChars = 100;

// {"tool":tool, shown:first of names}. A tool with several arguments has several rows.
struct ToolRule {
  std::string_view tool;
  std::string_view shown;
  ArgumentNames names;
  std::size_t max_chars = SIZE_MAX;
};

std::string_view first_argument(const ToolInput& input, const ArgumentNames& names);

// What a call takes away from a file and what it writes, by the names that tools have for it; a
// text to write counts only beside a path.
struct EditedText {
  std::string_view removed;
  std::string_view added;
};
EditedText edited_text(const ToolInput& input);

// A tool of another program, by its name: "mcp__server__tool", "mcp_server_tool", "server__tool".
bool is_mcp_tool(std::string_view tool);

struct Argument {
  std::string_view name;  // "" when there is none
  std::string_view value;
};
// Of arguments that no rule speaks of, the one that says most about the call: what was asked, run,
// opened or named, else the first short text.
Argument telling_argument(const ToolInput::Named& arguments);

// Some tools only call another one: {"name":"mcp__wiki__find","arguments":{…}} of "tool_call".
// Which tool is meant, and what of its arguments is shown.
struct CallTarget {
  std::string_view tool;
  const ToolInput::Named& arguments;
};
CallTarget call_target(std::string_view tool, const ToolInput& input);

// Adds the most telling argument of a tool that has no rule of its own.
void add_telling(Rendering& rendering, const ToolInput::Named& arguments);

// How the agent names tools of other programs.
enum class McpNames : std::uint8_t {
  marked,      // is_mcp_tool() knows them
  underscore,  // "server_tool": any name with "_" that has no rule
};
// The block of one call. It views `input`, `rendering` and the two texts given.
Block tool_call_block(std::string_view tool, std::string_view call_id, const ToolInput& input,
                      std::span<const ToolRule> rules, std::string& rendering,
                      McpNames names = McpNames::marked);

}  // namespace yore::transcript
