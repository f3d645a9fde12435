#include "transcript/spec/tool_render.hpp"

#include <algorithm>

#include "text/utf8.hpp"
#include "transcript/input/json_repair.hpp"

namespace yore::transcript {
namespace {

namespace ondemand = simdjson::ondemand;

// Deeper values are not searched. An input nests two or three levels; more is data.
constexpr int kMaxDepth = 4;
// Named strings kept of one input; no tool has half as many parameters.
constexpr std::size_t kMaxNamedStrings = 256;

bool is_command(std::string_view key) {
  return key == "command" || key == "cmd";
}

bool is_type(ondemand::value& value, ondemand::json_type wanted) {
  ondemand::json_type type{};
  return !value.type().get(type) && type == wanted;
}

void append_control_escape(std::string& out, char c) {
  if (c == '\n' || c == '\r' || c == '\t') {
    out += '\\';
    out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    return;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0x0F];
}

// The strings of an array with spaces between them; other elements are left out.
bool join_words(ondemand::value value, std::string& out) {
  ondemand::array array;
  if (value.get_array().get(array)) return false;
  for (auto element : array) {
    ondemand::value child;
    if (element.get(child)) return false;
    if (!is_type(child, ondemand::json_type::string)) continue;
    std::string_view word;
    if (child.get_string().get(word)) return false;
    if (out.size() >= kInputBytes) continue;
    if (!out.empty()) out += ' ';
    out += text::prefix_bytes(word, kInputBytes);
  }
  return true;
}

}  // namespace

Rendering::Rendering(std::string& out, std::string_view tool) : out_(out) {
  out_ = "{\"tool\":\"";
  append_json_escaped(out_, tool);
  out_ += '"';
}

void Rendering::add(std::string_view key, std::string_view value) {
  out_ += ",\"";
  append_json_escaped(out_, key);
  out_ += "\":\"";
  append_json_escaped(out_, value);
  out_ += '"';
}

void Rendering::add(std::string_view key, std::uint64_t value) {
  out_ += ",\"";
  append_json_escaped(out_, key);
  out_ += "\":";
  out_ += std::to_string(value);
}

void Rendering::finish() {
  out_ += '}';
}

void append_json_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    const Utf8Char first = first_utf8_char(text);
    if (!first.valid) {
      out += text::kReplacementText;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append_control_escape(out, c);
    } else {
      out += text.substr(0, first.size_bytes);
    }
    text.remove_prefix(first.size_bytes);
  }
}

void ToolInput::clear() {
  strings_.clear();
  inner_strings_.clear();
  joined_.clear();
  search_text_.clear();
}

bool ToolInput::read(ondemand::value value) {
  clear();
  if (!is_type(value, ondemand::json_type::object)) return collect(value, 0);
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  for (auto field : object) {
    std::string_view key;
    ondemand::value child;
    if (field.error() || field.unescaped_key().get(key)) return false;
    if (field.value().get(child) || !read_field(key, child)) return false;
  }
  return true;
}

bool ToolInput::read_field(std::string_view key, ondemand::value value) {
  if (is_type(value, ondemand::json_type::string)) {
    std::string_view text;
    if (value.get_string().get(text)) return false;
    add(key, text);
    return true;
  }
  if (key == "arguments" && is_type(value, ondemand::json_type::object)) return read_inner(value);
  if (!is_type(value, ondemand::json_type::array)) return collect(value, 1);
  if (!is_command(key)) return read_list(key, value);
  std::string& command = joined_.emplace_front();
  if (!join_words(value, command)) return false;
  add(key, command);
  return true;
}

bool ToolInput::read_inner(ondemand::value value) {
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  for (auto field : object) {
    std::string_view key;
    ondemand::value child;
    if (field.error() || field.unescaped_key().get(key) || field.value().get(child)) return false;
    if (!is_type(child, ondemand::json_type::string)) {
      if (!collect(child, 2)) return false;
      continue;
    }
    std::string_view text;
    if (child.get_string().get(text)) return false;
    if (inner_strings_.size() < kMaxNamedStrings) inner_strings_.emplace_back(key, text);
    add_search_line(text);
  }
  return true;
}

bool ToolInput::read_list(std::string_view key, ondemand::value value) {
  ondemand::array array;
  if (value.get_array().get(array)) return false;
  std::string words;
  for (auto element : array) {
    ondemand::value child;
    if (element.get(child)) return false;
    if (is_type(child, ondemand::json_type::object)) {
      if (!read_item(key, child)) return false;
      continue;
    }
    if (!is_type(child, ondemand::json_type::string)) {
      if (!collect(child, 2)) return false;
      continue;
    }
    std::string_view text;
    if (child.get_string().get(text)) return false;
    add_search_line(text);
    if (words.size() >= kInputBytes) continue;
    words.append(words.empty() ? "" : "; ").append(text::prefix_bytes(text, kInputBytes));
  }
  const bool named = !words.empty() && strings_.size() < kMaxNamedStrings;
  if (named) strings_.emplace_back(key, joined_.emplace_front(std::move(words)));
  return true;
}

bool ToolInput::read_item(std::string_view key, ondemand::value value) {
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  for (auto field : object) {
    std::string_view name;
    ondemand::value child;
    if (field.error() || field.unescaped_key().get(name)) return false;
    if (field.value().get(child)) return false;
    if (!is_type(child, ondemand::json_type::string)) {
      if (!collect(child, 3)) return false;
      continue;
    }
    std::string_view text;
    if (child.get_string().get(text)) return false;
    add_search_line(text);
    if (strings_.size() >= kMaxNamedStrings) continue;
    std::string& path = joined_.emplace_front(key);
    strings_.emplace_back(path.append(".").append(name), text);
  }
  return true;
}

void ToolInput::add(std::string_view key, std::string_view text) {
  if (strings_.size() < kMaxNamedStrings) strings_.emplace_back(key, text);
  add_search_line(text);
}

std::string_view ToolInput::get(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    const auto found = std::find_if(strings_.begin(), strings_.end(),
                                    [&](const auto& named) { return named.first == key; });
    if (found != strings_.end()) return found->second;
  }
  return {};
}

// Recursion ends at kMaxDepth. What is not looked into is skipped by the parser as the iteration
// goes on.
bool ToolInput::collect(ondemand::value value, int depth) {
  if (depth > kMaxDepth || search_text_.size() >= kInputBytes) return true;
  ondemand::json_type type{};
  if (value.type().get(type)) return false;
  if (type == ondemand::json_type::string) {
    std::string_view text;
    if (value.get_string().get(text)) return false;
    add_search_line(text);
    return true;
  }
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (value.get_array().get(array)) return false;
    for (auto element : array) {
      ondemand::value child;
      if (element.get(child) || !collect(child, depth + 1)) return false;
    }
    return true;
  }
  if (type == ondemand::json_type::object) {
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    for (auto field : object) {
      ondemand::value child;
      if (field.error() || field.value().get(child) || !collect(child, depth + 1)) return false;
    }
  }
  return true;
}

void ToolInput::add_search_line(std::string_view line) {
  const std::string_view newline = search_text_.empty() ? "" : "\n";
  const std::size_t used = search_text_.size() + newline.size();
  if (used >= kInputBytes) return;
  const std::string_view fitting = text::prefix_bytes(line, kInputBytes - used);
  if (fitting.empty()) return;
  search_text_ += newline;
  search_text_ += fitting;
}

}  // namespace yore::transcript
