#include "transcript/spec/tool_rules.hpp"

#include <algorithm>

#include "text/utf8.hpp"

namespace yore::transcript {
namespace {

// The most telling first.
constexpr std::array<std::string_view, 20> kTellingNames = {
    "query",     "q",           "question", "search", "command", "cmd",    "path",
    "file_path", "file",        "url",      "uri",    "pattern", "sql",    "name",
    "title",     "description", "prompt",   "text",   "id",      "message"};
// A text that is longer is content, not a name for it.
constexpr std::size_t kShortBytes = 200;

// Tools that call others: the name of the tool is the argument `named`, its own are in `arguments`.
struct Caller {
  std::string_view tool;
  std::string_view named;
};
constexpr std::array kCallers = {
    Caller{"tool_call", "name"},
    Caller{"use_mcp_tool", "tool_name"},
};

bool can_be_shown(const std::pair<std::string_view, std::string_view>& named) {
  return named.first != "tool" && !text::is_blank(named.second);
}

}  // namespace

bool is_mcp_tool(std::string_view tool) {
  return tool.starts_with("mcp_") || tool.find("__", 1) != std::string_view::npos;
}

Argument telling_argument(const ToolInput::Named& arguments) {
  for (const std::string_view name : kTellingNames) {
    for (const auto& named : arguments) {
      if (named.first == name && can_be_shown(named)) return {named.first, named.second};
    }
  }
  for (const auto& named : arguments) {
    if (can_be_shown(named) && named.second.size() <= kShortBytes) {
      return {named.first, named.second};
    }
  }
  return {};
}

CallTarget call_target(std::string_view tool, const ToolInput& input) {
  const auto caller = std::ranges::find(kCallers, tool, &Caller::tool);
  if (caller == kCallers.end()) return {tool, input.strings()};
  const std::string_view named = input.get({caller->named});
  if (named.empty()) return {tool, input.strings()};
  return {named, input.inner_strings()};
}

void add_telling(Rendering& rendering, const ToolInput::Named& arguments) {
  const Argument argument = telling_argument(arguments);
  if (argument.name.empty()) return;
  rendering.add(argument.name, text::first_chars(argument.value, kQueryChars));
}

std::string_view first_argument(const ToolInput& input, const ArgumentNames& names) {
  for (const auto name : names) {
    if (name.empty()) break;
    if (const auto value = input.get({name}); !value.empty()) return value;
  }
  return {};
}

EditedText edited_text(const ToolInput& input) {
  if (first_argument(input, kPathArguments).empty()) return {};
  EditedText edited;
  edited.removed = input.get({"old_string", "oldString", "old_str", "oldText", "old_text",
                              "edits.old_string", "edits.oldText"});
  edited.added = input.get({"new_string", "newString", "new_str", "newText", "new_text",
                            "edits.new_string", "edits.newText"});
  if (edited.removed.empty() && edited.added.empty()) {
    edited.added = input.get({"content", "contents", "file_text"});
  }
  return edited;
}

Block tool_call_block(std::string_view tool, std::string_view call_id, const ToolInput& input,
                      std::span<const ToolRule> rules, std::string& rendering, McpNames names) {
  const CallTarget target = call_target(tool, input);
  const bool called_by_another = target.tool != tool;
  Rendering shown(rendering, target.tool);
  bool ruled = false;
  for (const ToolRule& rule : rules) {
    if (rule.tool != target.tool || called_by_another) continue;
    shown.add(rule.shown, text::first_chars(first_argument(input, rule.names), rule.max_chars));
    ruled = true;
  }
  const bool joined = names == McpNames::underscore && tool.find('_') != std::string_view::npos;
  const bool telling = called_by_another || joined || is_mcp_tool(tool);
  if (!ruled && telling) add_telling(shown, target.arguments);
  shown.finish();

  Block block;
  block.kind = BlockKind::tool_call;
  block.tool_id = call_id;
  block.tool_name = target.tool;
  block.text = input.search_text();
  block.rendering = rendering;
  block.file = first_argument(input, kPathArguments);
  const EditedText edited = edited_text(input);
  block.removed = edited.removed;
  block.added = edited.added;
  for (const ToolRule& rule : rules) {
    const bool other = block.file.empty() && rule.tool == tool && rule.shown == "file";
    if (other) block.file = first_argument(input, rule.names);
  }
  return block;
}

}  // namespace yore::transcript
