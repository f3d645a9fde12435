#include "transcript/dialects/genai.hpp"

#include <array>

#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/limits.hpp"

namespace yore::transcript {
namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

// {"type":"text","text":"…"}: what it is called is not what it says.
constexpr std::array<std::string_view, 2> kGenaiLabels = {"type", "mimeType"};

constexpr ArgumentNames kCommandNames = {"command", "cmd"};
constexpr ArgumentNames kFolderNames = {"dir_path", "path"};
constexpr std::array<ToolRule, 22> kToolRules = {{
    {"run_shell_command", "command", kCommandNames, kCommandChars},
    {"shell", "command", kCommandNames, kCommandChars},
    {"read_file", "file", kPathArguments},
    {"write_file", "file", kPathArguments},
    {"replace", "file", kPathArguments},
    {"edit", "file", kPathArguments},
    {"notebook_edit", "file", kPathArguments},
    {"grep_search", "pattern", {"pattern"}},
    {"search_file_content", "pattern", {"pattern"}},
    {"glob", "pattern", {"pattern"}},
    {"list_directory", "path", kFolderNames},
    {"google_web_search", "query", {"query"}, kQueryChars},
    {"web_search", "query", {"query"}, kQueryChars},
    {"web_fetch", "query", {"url", "prompt"}, kQueryChars},
    {"task", "type", {"subagent_type", "agent_name"}},
    {"task", "description", {"description"}},
    {"agent", "type", {"subagent_type", "agent_name"}},
    {"agent", "description", {"description"}},
    {"invoke_agent", "type", {"agent_name", "subagent_type"}},
    {"invoke_agent", "description", {"description", "prompt"}, kQueryChars},
    {"activate_skill", "skill", {"name"}},
    {"skill", "skill", {"skill", "name"}},
}};

}  // namespace

void GenaiParts::clear() {
  inputs_used_ = 0;
  texts_.reset();
}

bool GenaiParts::read(value json, GenaiPartList& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::array) return read_part(json, out);
  return each_item(json, [&](value item) { return read_part(item, out); });
}

bool GenaiParts::read_part(value json, GenaiPartList& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (out.size() >= kMaxParts) return true;
  GenaiPart part;
  if (type == json_type::string) {
    part.kind = GenaiKind::text;
    if (!get_text(json, part.text)) return false;
    if (!part.text.empty()) out.push_back(part);
    return true;
  }
  bool thought = false;
  bool has_text = false;
  std::string_view text;
  std::string_view first_key;
  const bool fine = each_field(json, [&](std::string_view key, value inner) {
    if (first_key.empty()) first_key = key;
    if (key == "thought") return get_flag(inner, thought);
    if (key == "functionCall") return read_call(inner, part);
    if (key == "functionResponse") return read_answer(inner, part);
    if (key == "inlineData" || key == "fileData") return read_media(inner, part);
    if (key != "text") return true;
    has_text = true;
    return get_text(inner, text);
  });
  if (!fine || type != json_type::object) return fine;
  if (part.kind == GenaiKind::other && has_text) {
    part.kind = thought ? GenaiKind::thought : GenaiKind::text;
    part.text = text;
    if (text.empty()) return true;
  } else if (part.kind == GenaiKind::other) {
    part.text = first_key;
  }
  out.push_back(part);
  return true;
}

bool GenaiParts::read_call(value json, GenaiPart& part) {
  part.kind = GenaiKind::call;
  return each_field(json, [&](std::string_view key, value inner) {
    if (key == "id") return get_text(inner, part.id);
    if (key == "name") return get_text(inner, part.name);
    return key != "args" || read_input(inner, part.input);
  });
}

bool GenaiParts::read_answer(value json, GenaiPart& part) {
  part.kind = GenaiKind::response;
  return each_field(json, [&](std::string_view key, value inner) {
    if (key == "id") return get_text(inner, part.id);
    if (key == "name") return get_text(inner, part.name);
    return key != "response" || read_response(inner, part.text);
  });
}

bool GenaiParts::read_media(value json, GenaiPart& part) {
  part.kind = GenaiKind::media;
  std::string_view type;
  const bool fine = each_field(json, [&](std::string_view key, value inner) {
    return key != "mimeType" || get_text(inner, type);
  });
  part.text = type.empty() || type.starts_with("image/") ? "[image]" : "[document]";
  return fine;
}

bool GenaiParts::read_response(value json, std::string_view& text) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) return get_text(json, text);
  std::string& output = texts_.take();
  std::string& error = texts_.take();
  std::string& rest = texts_.take();
  const auto read = [&](std::string_view key, value inner) {
    std::string& lines = key == "output" ? output : key == "error" ? error : rest;
    return append_texts(inner, kGenaiLabels, lines);
  };
  const bool fine =
      type == json_type::array ? append_texts(json, kGenaiLabels, rest) : each_field(json, read);
  text = !output.empty() ? output : !error.empty() ? error : rest;
  return fine;
}

bool GenaiParts::read_input(value json, std::size_t& index) {
  if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
  index = inputs_used_++;
  return inputs_[index].read(json);
}

const ToolInput& GenaiParts::input(std::size_t index) const {
  static const ToolInput kNone;
  return index < inputs_used_ ? inputs_[index] : kNone;
}

std::string_view joined_parts(const GenaiPartList& parts, GenaiKind kind, std::string& storage) {
  std::string_view only;
  storage.clear();
  for (const GenaiPart& part : parts) {
    if (part.kind != kind || part.text.empty()) continue;
    if (only.empty()) {
      only = part.text;
      continue;
    }
    if (storage.empty()) storage = only;
    const bool apart = storage.ends_with('\n') || part.text.starts_with('\n');
    if (!apart) storage += '\n';
    storage += part.text;
  }
  return storage.empty() ? only : std::string_view(storage);
}

std::span<const ToolRule> genai_tool_rules() {
  return kToolRules;
}

}  // namespace yore::transcript
