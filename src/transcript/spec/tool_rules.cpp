#include "transcript/spec/tool_rules.hpp"

#include "text/utf8.hpp"

namespace yore::transcript {

std::string_view first_argument(const ToolInput& input, const ArgumentNames& names) {
  for (const auto name : names) {
    if (name.empty()) break;
    if (const auto value = input.get({name}); !value.empty()) return value;
  }
  return {};
}

Block tool_call_block(std::string_view tool, std::string_view call_id, const ToolInput& input,
                      std::span<const ToolRule> rules, std::string& rendering) {
  Rendering shown(rendering, tool);
  for (const ToolRule& rule : rules) {
    if (rule.tool != tool) continue;
    shown.add(rule.shown, text::first_chars(first_argument(input, rule.names), rule.max_chars));
  }
  shown.finish();

  Block block;
  block.kind = BlockKind::tool_call;
  block.tool_id = call_id;
  block.tool_name = tool;
  block.text = input.search_text();
  block.rendering = rendering;
  block.file = first_argument(input, kPathArguments);
  for (const ToolRule& rule : rules) {
    const bool other = block.file.empty() && rule.tool == tool && rule.shown == "file";
    if (other) block.file = first_argument(input, rule.names);
  }
  return block;
}

}  // namespace yore::transcript
