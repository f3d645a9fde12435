#include "transcript/agents/codex/calls.hpp"

#include <array>

#include "text/utf8.hpp"
#include "transcript/agents/codex/text.hpp"
#include "transcript/input/json_repair.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript::codex {
namespace {

namespace ondemand = simdjson::ondemand;

// JSON inside a string is looked into up to this size; only the ends of longer values are kept
// anyway.
constexpr std::size_t kMaxInnerBytes = 1 << 20;
constexpr std::string_view kApplyPatch = "apply_patch";
constexpr std::string_view kPatchStart = "*** Begin Patch";

constexpr std::array kToolRules = {
    ToolRule{"exec", "command", {"command", "cmd"}, kCommandChars},
    ToolRule{"exec_command", "command", {"cmd", "command"}, kCommandChars},
    ToolRule{"local_shell", "command", {"command", "cmd"}, kCommandChars},
    ToolRule{"shell", "command", {"command", "cmd"}, kCommandChars},
    ToolRule{"shell_command", "command", {"command", "cmd"}, kCommandChars},
    ToolRule{"grep_files", "pattern", {"pattern"}, kCommandChars},
    ToolRule{"list_dir", "file", {"dir_path", "path"}},
    ToolRule{"read_file", "file", kPathArguments},
    ToolRule{"view_image", "file", kPathArguments},
    ToolRule{"web_search", "query", {"query", "url"}, kQueryChars},
    ToolRule{"tool_search", "query", {"query"}, kQueryChars},
    ToolRule{"spawn_agent", "type", {"agent_type", "agent_role"}},
    ToolRule{"spawn_agent", "description", {"task_name", "message"}, kQueryChars},
};

}  // namespace

bool CallReader::open(std::string_view json, ondemand::object& object) {
  if (json.size() > kMaxInnerBytes || !text::trim(json).starts_with('{')) return false;
  inner_.assign(json);
  inner_.append(simdjson::SIMDJSON_PADDING, ' ');
  if (parser_.iterate(inner_.data(), json.size(), inner_.size()).get(document_)) return false;
  return document_.get_object().get(object) == simdjson::SUCCESS;
}

bool CallReader::read_arguments(Input& input) {
  if (input.is_object) return true;
  // Once as it stands, once with half characters and the like replaced.
  for (const bool repair : {false, true}) {
    const std::string repaired = repair ? repair_json(input.text).text : std::string{};
    ondemand::object object;
    ondemand::value value;
    if (!open(repair ? std::string_view(repaired) : input.text, object)) continue;
    document_.rewind();
    input.object.clear();
    if (document_.get_value().get(value)) continue;
    if (input.object.read(value)) return true;
  }
  input.object.clear();
  return false;
}

std::string& CallReader::next_rendering() {
  if (renderings_used_ == renderings_.size()) renderings_.emplace_back();
  return renderings_[renderings_used_++];
}

void CallReader::read(std::string_view tool, Fields& fields, std::vector<Block>& blocks) {
  renderings_used_ = 0;
  Input& input = fields.input;
  const bool named = read_arguments(input);
  const std::string_view raw = named ? std::string_view{} : input.text;

  Block block;
  block.kind = BlockKind::tool_call;
  block.tool_id = fields.call_id;
  block.tool_name = tool;
  block.text =
      named ? std::string_view(input.object.search_text()) : text::prefix_bytes(raw, kInputBytes);
  if (tool == kApplyPatch) {
    return add_patch(block, named ? input.object.get({"input", "patch"}) : raw, blocks);
  }
  std::string& rendering = next_rendering();
  Rendering shown(rendering, tool);
  for (const ToolRule& rule : kToolRules) {
    if (rule.tool != tool) continue;
    std::string_view value = named ? first_argument(input.object, rule.names) : raw;
    if (rule.shown == "command") {
      value = without_shell(value);
      const std::size_t patch = value.find(kPatchStart);
      const auto files = patch == std::string_view::npos ? std::vector<std::string_view>{}
                                                         : patched_files(value.substr(patch));
      if (!files.empty()) block.file = files.front();
    }
    if (!value.empty()) shown.add(rule.shown, text::first_chars(value, rule.max_chars));
  }
  if (named && is_mcp_tool(tool)) add_telling(shown, input.object.strings());
  shown.finish();
  block.rendering = rendering;
  if (block.file.empty()) block.file = first_argument(input.object, kPathArguments);
  blocks.push_back(block);
}

void CallReader::add_patch(Block block, std::string_view patch, std::vector<Block>& blocks) {
  std::vector<std::string_view> files = patched_files(patch);
  if (files.empty()) files.emplace_back();
  for (const std::string_view file : files) {
    std::string& rendering = next_rendering();
    Rendering shown(rendering, block.tool_name);
    if (!file.empty()) shown.add("file", file);
    shown.finish();
    block.rendering = rendering;
    block.file = file;
    blocks.push_back(block);
    block.text = {};
  }
}

std::string_view CallReader::unwrapped(std::string_view output) {
  if (!output.starts_with("{\"output\"")) return output;
  ondemand::object object;
  if (!open(output, object)) return output;
  std::string_view text = output;
  const bool fine = each_field(object, [&](std::string_view key, ondemand::value value) {
    return key != "output" || get_text(value, text);
  });
  return fine ? text : output;
}

}  // namespace yore::transcript::codex
