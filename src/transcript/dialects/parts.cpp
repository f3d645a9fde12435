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

// {"type":"text","text":"…"}: what it is called is not what it says.
constexpr std::array<std::string_view, 6> kOutputLabels = {"type", "mimeType",    "status",
                                                           "data", "annotations", "_meta"};
constexpr int kMaxInnerDepth = 3;

const DialectTable& table_of(Dialect dialect) {
  static constexpr std::array<DialectTable, 8> kTables = {{
      {kAnthropicKeys, kAnthropicTypes},
      {kOpenAiKeys, kOpenAiTypes},
      {kGenaiKeys, {}},
      {kPiKeys, kPiTypes},
      {kTypedKeys, kTypedTypes},
      {kAcpKeys, kAcpTypes},
      {kVscodeKeys, kVscodeTypes, kVscodeCallKeys, true},
      {kTaggedKeys, {}},
  }};
  return kTables[static_cast<std::size_t>(dialect)];
}

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

}  // namespace

PartReader::PartReader(Dialect dialect) : table_(table_of(dialect)) {}

void PartReader::clear() {
  parts_.clear();
  pieces_ = nullptr;
  inputs_used_ = 0;
  texts_.reset();
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
  const auto add_result = [this](std::string_view id, value item) {
    if (table_.pieces) {
      ContentPart part;
      part.kind = ContentKind::result;
      part.id = id;
      part.beside = true;
      if (!read_output(item, part.output)) return false;
      add(part);
      return true;
    }
    const std::size_t before = parts_.size();
    if (!read_part(item, false)) return false;
    if (parts_.size() == before) return true;
    ContentPart& part = parts_.back();
    part.kind = ContentKind::result;
    if (part.id.empty()) part.id = id;
    if (part.output.empty()) part.output = part.text;
    return true;
  };
  if (type != json_type::array) return each_field(json, add_result);
  return each_item(json, [&](value item) { return add_result({}, item); });
}

bool PartReader::read_part(value json, bool calls) {
  json_type type{};
  if (!get_type(json, type)) return false;
  ContentPart part;
  if (type == json_type::string) {
    if (calls) return true;
    part.kind = ContentKind::text;
    if (!get_text(json, part.text)) return false;
    if (!part.text.empty()) add(part);
    return true;
  }
  first_key_ = {};
  thought_ = false;
  part.beside = calls;
  if (!read_fields(json, part, 0)) return false;
  finish(part, calls);
  const bool again = calls && merge_call(part);
  if (!again) add(part);
  return true;
}

// Calls that are listed twice, the second time with what came of them, are one.
bool PartReader::merge_call(const ContentPart& part) {
  if (part.id.empty()) return false;
  const auto before = std::ranges::find(parts_, part.id, &ContentPart::id);
  if (before == parts_.end() || before->kind != ContentKind::call) return false;
  before->kind = part.kind;
  before->output = part.output;
  return true;
}

void PartReader::add(const ContentPart& part) {
  const bool follows = table_.pieces && !parts_.empty() && part.kind == ContentKind::text &&
                       parts_.back().kind == ContentKind::text;
  if (!follows) {
    pieces_ = nullptr;
    if (parts_.size() < kMaxParts) parts_.push_back(part);
    return;
  }
  if (pieces_ == nullptr) pieces_ = &texts_.take().append(parts_.back().text);
  parts_.back().text = pieces_->append(part.text);
}

bool PartReader::read_fields(value json, ContentPart& part, int depth) {
  const bool own = part.beside && !table_.call_keys.empty();
  const std::span<const PartKey> keys = own ? table_.call_keys : table_.keys;
  return each_field(json, [&](std::string_view key, value field) {
    if (first_key_.empty()) first_key_ = key;
    const auto known = std::ranges::find(keys, key, &PartKey::key);
    if (known == keys.end()) return true;
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
    const ContentKind call = part.output.empty() ? ContentKind::call : ContentKind::call_and_result;
    part.kind = part.name.empty() ? ContentKind::silent : call;
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

void PartReader::add_input(ContentPart& part, std::string_view key, std::string_view text) {
  if (part.input == SIZE_MAX) {
    if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
    inputs_[inputs_used_].clear();
    part.input = inputs_used_++;
  }
  inputs_[part.input].add(key, text);
}

bool PartReader::read_output(value json, std::string_view& text) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) return get_text(json, text);
  std::string& lines = texts_.take();
  const bool fine = append_texts(json, kOutputLabels, lines);
  if (!lines.empty()) text = lines;
  return fine;
}

std::string_view PartReader::joined_text() {
  text::JoinedLines joined(texts_.take());
  for (const ContentPart& part : parts_) {
    if (part.kind == ContentKind::text) joined.add(part.text);
  }
  return joined.text();
}

Block PartReader::call_block(const ContentPart& part, std::span<const ToolRule> rules) {
  static const ToolInput none;
  const ToolInput* input = part.input == SIZE_MAX ? &none : &inputs_[part.input];
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
  Block block = tool_call_block(part.name, part.id, *input, rules, texts_.take());
  // Views of the inner parser end with its next text.
  if (!part.arguments.empty()) block.file = texts_.take().append(block.file);
  if (!readable) block.text = text::prefix_bytes(part.arguments, kInputBytes);
  return block;
}

}  // namespace yore::transcript
