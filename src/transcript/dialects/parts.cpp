#include "transcript/dialects/parts.hpp"

#include <algorithm>
#include <array>

#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/dialects/part_tables.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/limits.hpp"

namespace yore::transcript {

namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

// Of one tool's output when it is not a single text.
constexpr std::size_t kMaxCollectedBytes = 1 << 20;
constexpr int kMaxCollectDepth = 8;
constexpr int kMaxInnerDepth = 3;

ContentKind kind_of(std::span<const PartType> types, std::string_view type) {
  for (const PartType& each : types) {
    const std::string_view name = each.type;
    const bool fits = name.starts_with('*') ? type.ends_with(name.substr(1))
                      : name.ends_with('*') ? type.starts_with(name.substr(0, name.size() - 1))
                                            : type == name;
    if (fits) return each.kind;
  }
  return ContentKind::unknown;
}

// Keys whose values say what something is, or for whom, and not what it says.
constexpr std::array<std::string_view, 6> kLabels = {"type", "mimeType",    "status",
                                                     "data", "annotations", "_meta"};

// Every string in it, one a line. Recursion ends at kMaxCollectDepth.
bool collect(value json, std::string& out, int depth) {
  if (depth > kMaxCollectDepth || out.size() >= kMaxCollectedBytes) return true;
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) {
    std::string_view line;
    if (!get_text(json, line)) return false;
    text::append_line(out, text::prefix_bytes(line, kMaxCollectedBytes));
    return true;
  }
  if (type == json_type::array) {
    return each_item(json, [&](value item) { return collect(item, out, depth + 1); });
  }
  return each_field(json, [&](std::string_view key, value inner) {
    // {"type":"text","text":"…"}: what it is called is not what it says.
    const bool label = std::ranges::find(kLabels, key) != kLabels.end();
    return label || collect(inner, out, depth + 1);
  });
}

}  // namespace

PartReader::PartReader(Dialect dialect) : table_(table_of(dialect)) {}

void PartReader::clear() {
  parts_.clear();
  inputs_used_ = 0;
  texts_used_ = 0;
}

bool PartReader::knows(std::string_view type) const {
  return kind_of(table_.types, type) != ContentKind::unknown;
}

bool PartReader::read(value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::array) {
    return each_item(json, [&](value item) { return read_part(item, false); });
  }
  const bool part = type == json_type::string || type == json_type::object;
  return !part || read_part(json, false);
}

bool PartReader::read_calls(value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::array) return true;
  return each_item(json, [&](value item) { return read_part(item, true); });
}

bool PartReader::read_results(value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  const auto add = [this](std::string_view id, value item) {
    const std::size_t before = parts_.size();
    if (!read_part(item, false)) return false;
    if (parts_.size() == before) return true;
    ContentPart& part = parts_.back();
    part.kind = ContentKind::result;
    if (part.id.empty()) part.id = id;
    if (part.output.empty()) part.output = part.text;
    return true;
  };
  if (type == json_type::array) return each_item(json, [&](value item) { return add({}, item); });
  return each_field(json, add);
}

bool PartReader::read_part(value json, bool calls) {
  json_type type{};
  if (!get_type(json, type)) return false;
  ContentPart part;
  if (type == json_type::string) {
    if (calls) return true;
    part.kind = ContentKind::text;
    if (!get_text(json, part.text)) return false;
    if (!part.text.empty() && parts_.size() < kMaxParts) parts_.push_back(part);
    return true;
  }
  first_key_ = {};
  thought_ = false;
  if (!read_fields(json, part, 0)) return false;
  finish(part, calls);
  if (parts_.size() < kMaxParts) parts_.push_back(part);
  return true;
}

bool PartReader::read_fields(value json, ContentPart& part, int depth) {
  return each_field(json, [&](std::string_view key, value field) {
    if (first_key_.empty()) first_key_ = key;
    const auto known = std::ranges::find(table_.keys, key, &PartKey::key);
    if (known == table_.keys.end()) return true;
    switch (known->field) {
      case PartField::type:
        return depth > 0 || get_text(field, part.type);
      case PartField::text:
      case PartField::thinking:
        return get_text(field, part.text);
      case PartField::id:
        return get_text(field, part.id);
      case PartField::name:
        return get_text(field, part.name);
      case PartField::input:
        return read_input(field, part);
      case PartField::output:
        return read_output(field, part.output);
      case PartField::picture:
        part.kind = ContentKind::picture;
        return true;
      case PartField::silent:
        part.kind = ContentKind::silent;
        return true;
      case PartField::thinking_flag:
        return get_flag(field, thought_);
      case PartField::inner_call:
        part.kind = ContentKind::call;
        break;
      case PartField::inner_result:
        part.kind = ContentKind::result;
        break;
      case PartField::inner_thinking:
        thought_ = true;
        break;
      case PartField::inner:
        break;
    }
    // A text in place of an object is all that it says.
    std::string_view inner;
    if (!get_text(field, inner)) return false;
    if (!inner.empty()) part.text = inner;
    return !inner.empty() || depth >= kMaxInnerDepth || read_fields(field, part, depth + 1);
  });
}

void PartReader::finish(ContentPart& part, bool calls) {
  if (calls) {
    part.kind = part.name.empty() ? ContentKind::silent : ContentKind::call;
  } else if (!table_.types.empty()) {
    part.kind = kind_of(table_.types, part.type);
    // "tool-bash": the type names the tool.
    const std::size_t dash = part.type.find('-');
    const bool named = part.kind == ContentKind::call_and_result && part.name.empty();
    if (named && dash != std::string_view::npos) part.name = part.type.substr(dash + 1);
  } else if (part.kind == ContentKind::unknown) {
    thought_ = thought_ || part.type == "thinking";
    part.type = first_key_;
    if (!part.text.empty()) part.kind = thought_ ? ContentKind::thinking : ContentKind::text;
  }
  if (part.kind == ContentKind::result && part.output.empty()) part.output = part.text;
}

bool PartReader::read_input(value json, ContentPart& part) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) return get_text(json, part.arguments);
  const bool filled = part.input != SIZE_MAX;
  if (type == json_type::null || filled || parts_.size() >= kMaxParts) return true;
  if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
  inputs_[inputs_used_].clear();
  if (!inputs_[inputs_used_].read(json)) return false;
  part.input = inputs_used_++;
  return true;
}

bool PartReader::read_output(value json, std::string_view& text) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) return get_text(json, text);
  std::string& lines = take_text();
  const bool fine = collect(json, lines, 0);
  if (!lines.empty()) text = lines;
  return fine;
}

std::string& PartReader::take_text() {
  if (texts_used_ == texts_.size()) texts_.emplace_back();
  std::string& text = texts_[texts_used_++];
  if (text.capacity() > kKeptCapacity) std::string().swap(text);
  text.clear();
  return text;
}

std::string_view PartReader::joined_text() {
  std::string_view only;
  std::string* joined = nullptr;
  for (const ContentPart& part : parts_) {
    if (part.kind != ContentKind::text || part.text.empty()) continue;
    if (only.empty()) {
      only = part.text;
      continue;
    }
    if (joined == nullptr) joined = &take_text().append(only);
    joined->append("\n").append(part.text);
  }
  return joined == nullptr ? only : std::string_view(*joined);
}

Block PartReader::call_block(const ContentPart& part, std::span<const ToolRule> rules) {
  static const ToolInput kNone;
  const ToolInput* input = part.input == SIZE_MAX ? &kNone : &inputs_[part.input];
  bool readable = true;
  if (part.input == SIZE_MAX && !part.arguments.empty()) {
    if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
    ToolInput& read = inputs_[inputs_used_++];
    read.clear();
    inner_.assign(part.arguments).append(simdjson::SIMDJSON_PADDING, ' ');
    const simdjson::padded_string_view json(inner_.data(), part.arguments.size(), inner_.size());
    simdjson::ondemand::document document;
    value root;
    readable = parser_.iterate(json).get(document) == simdjson::SUCCESS &&
               document.get_value().get(root) == simdjson::SUCCESS && read.read(root);
    // Arguments that were cut off: what of them came first is not trusted by name.
    if (!readable) read.clear();
    input = &read;
  }
  Block block = tool_call_block(part.name, part.id, *input, rules, take_text());
  // Views of the inner parser end with its next text.
  if (!part.arguments.empty()) block.file = take_text().append(block.file);
  if (!readable) block.text = text::prefix_bytes(part.arguments, kInputBytes);
  return block;
}

}  // namespace yore::transcript
