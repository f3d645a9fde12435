#include "transcript/dialects/anthropic.hpp"

#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript::claude_code {
namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

MessagePartKind part_kind(std::string_view type) {
  if (type == "text") return MessagePartKind::text;
  if (type == "thinking") return MessagePartKind::thinking;
  if (type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use") {
    return MessagePartKind::call;
  }
  if (type.ends_with("tool_result")) return MessagePartKind::result;
  if (type == "image") return MessagePartKind::image;
  if (type == "document") return MessagePartKind::document;
  if (type == "redacted_thinking" || type == "fallback") return MessagePartKind::ignored;
  return MessagePartKind::unknown;
}

// The compact object that people and agents see.
void render_call(std::string_view tool, const ToolInput& input, std::string& out) {
  Rendering rendering(out, tool);
  if (tool == "Read" || tool == "Edit") {
    rendering.add("file", input.get({"file_path"}));
  } else if (tool == "Write") {
    rendering.add("file", input.get({"file_path"}));
    rendering.add("chars", std::uint64_t{text::count_chars(input.get({"content"}))});
  } else if (tool == "Bash") {
    rendering.add("command", text::first_chars(input.get({"command"}), kCommandChars));
  } else if (tool == "Grep" || tool == "Glob") {
    rendering.add("pattern", input.get({"pattern"}));
  } else if (tool == "Task" || tool == "Agent") {
    rendering.add("type", input.get({"subagent_type"}));
    rendering.add("description", input.get({"description"}));
  } else if (is_mcp_tool(tool)) {
    add_telling(rendering, input.strings());
  }
  rendering.finish();
}

}  // namespace

void ContentReader::start() {
  texts_.reset();
  has_input_ = false;
}

bool ContentReader::read_content(value json, Content& content) {
  json_type type{};
  if (!get_type(json, type)) return false;
  content.parts.clear();
  content.shape = Shape::absent;
  if (type == json_type::null) return true;
  content.shape = Shape::good;
  if (type == json_type::string) return get_text(json, content.parts.emplace_back().text);
  if (type != json_type::array) {
    content.shape = Shape::wrong;
    return true;
  }
  return each_item(json, [&](value item) {
    json_type item_type{};
    if (!get_type(item, item_type)) return false;
    if (item_type == json_type::string) return get_text(item, content.parts.emplace_back().text);
    return item_type != json_type::object || read_part(item, content.parts.emplace_back());
  });
}

bool ContentReader::read_part(value json, MessagePart& part) {
  std::string_view type;
  std::string_view thinking;
  std::string_view output;
  has_input_ = false;
  const bool fine = each_field(json, [&](std::string_view key, value inner) {
    if (key == "type") return get_text(inner, type);
    if (key == "text") return get_text(inner, part.text);
    if (key == "thinking") return get_text(inner, thinking);
    if (key == "id" || key == "tool_use_id") return get_text(inner, part.id);
    if (key == "name") return get_text(inner, part.name);
    if (key == "content") return read_output(inner, output);
    if (key == "input") return read_input(inner);
    return true;
  });
  if (!fine) return false;
  part.kind = part_kind(type);
  if (part.kind == MessagePartKind::thinking) part.text = thinking;
  if (part.kind == MessagePartKind::result && !output.empty()) part.text = output;
  if (part.kind == MessagePartKind::unknown) part.name = type;
  if (part.kind == MessagePartKind::call) finish_call(part);
  return true;
}

bool ContentReader::read_input(value json) {
  input_.clear();
  has_input_ = true;
  return input_.read(json);
}

void ContentReader::finish_call(MessagePart& part) {
  if (!has_input_) input_.clear();
  has_input_ = false;
  std::string& searched = texts_.take();
  searched = input_.search_text();
  std::string& rendering = texts_.take();
  render_call(part.name, input_, rendering);
  part.text = searched;
  part.rendering = rendering;
  // Copied: the input forgets it at the next call.
  part.file = texts_.take().append(
      input_.get({"file_path", "filePath", "path", "absolute_path", "notebook_path", "file"}));
  const EditedText edited = edited_text(input_);
  if (!edited.removed.empty()) part.removed = texts_.take().append(edited.removed);
  if (!edited.added.empty()) part.added = texts_.take().append(edited.added);
}

bool ContentReader::read_output(value json, std::string_view& text) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::array) return get_text(json, text);
  std::string& joined = texts_.take();
  const bool fine = each_item(json, [&joined](value item) {
    std::string_view line;
    if (!get_text(item, line)) return false;
    const bool read = each_field(item, [&line](std::string_view key, value inner) {
      return (key != "text" && key != "tool_name") || get_text(inner, line);
    });
    text::append_line(joined, line);
    return read;
  });
  text = joined;
  return fine;
}

}  // namespace yore::transcript::claude_code
