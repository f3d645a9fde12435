#include "transcript/dialects/pi_entry.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::pi {
namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

// Keys that are of no use here. What a context_edit puts in place of something (replacement) is no
// part of the conversation.
constexpr std::array<std::string_view, 20> kSilentEntryKeys = {
    "appendMode",    "appendParentId",      "branchedFrom", "customType",    "data",
    "details",       "firstKeptEntryId",    "fromHook",     "fromId",        "kind",
    "label",         "firstKeptEntryIndex", "provider",     "parentSession", "systemMessage",
    "thinkingLevel", "replacement",         "reason",       "targetId",      "tokensBefore",
};
constexpr std::array<std::string_view, 17> kSilentMessageKeys = {
    "api",       "cancelled",      "customType",   "details",    "excludeFromContext", "exitCode",
    "fromId",    "idempotencyKey", "isError",      "responseId", "fullOutputPath",     "sections",
    "truncated", "toolName",       "tokensBefore", "summary",    "toolsAdded",
};

// {"input":1,"output":2,"cacheRead":0,"cacheWrite":0,…}
bool read_usage(ondemand::value json, Usage& out) {
  return each_field(json, [&](std::string_view key, ondemand::value field) {
    if (key == "input") return get_count(field, out.input_tokens);
    if (key == "output") return get_count(field, out.output_tokens);
    if (key == "cacheRead") return get_count(field, out.cache_read_tokens);
    if (key == "cacheWrite") return get_count(field, out.cache_write_tokens);
    return true;
  });
}

}  // namespace

bool EntryParser::read(ondemand::object& object) {
  entry = {};
  parts.clear();
  unknown.clear();
  inputs_used_ = 0;
  return each_field(
      object, [&](std::string_view key, ondemand::value json) { return read_field(key, json); });
}

bool EntryParser::read_field(std::string_view key, ondemand::value json) {
  if (key == "type") return text(json, entry.type);
  if (key == "id") return scalar(json, entry.id);
  if (key == "parentId") return scalar(json, entry.parent_id);
  if (key == "timestamp") return get_time(json, entry.time);
  if (key == "message") return read_message(json);
  if (key == "cwd") return text(json, entry.cwd);
  if (key == "version") return scalar(json, entry.version);
  if (key == "summary") return text(json, entry.summary);
  if (key == "name") return text(json, entry.name);
  if (key == "modelId" || key == "model") return text(json, entry.model);
  if (key == "display") return get_flag(json, entry.display);
  if (key == "content") return read_content(json);
  if (key == "usage") return read_usage(json, entry.usage);
  return pass_key("entry.", key, kSilentEntryKeys);
}

bool EntryParser::read_message(ondemand::value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  entry.has_message = type == json_type::object;
  if (!entry.has_message) entry.wrong_type = true;
  return each_field(json, [&](std::string_view key, ondemand::value field) {
    return read_message_field(key, field);
  });
}

bool EntryParser::read_message_field(std::string_view key, ondemand::value json) {
  Message& message = entry.message;
  if (key == "role") return text(json, message.role);
  if (key == "content") return read_content(json);
  if (key == "timestamp") return get_time(json, message.time);
  if (key == "model") return text(json, message.model);
  if (key == "provider") return text(json, message.provider);
  if (key == "usage") return read_usage(json, message.usage);
  if (key == "stopReason") return text(json, message.stop_reason);
  if (key == "errorMessage") return scalar(json, message.error);
  if (key == "toolCallId") return scalar(json, message.tool_call_id);
  if (key == "command") return text(json, message.command);
  if (key == "output") return text(json, message.output);
  if (key == "display") return get_flag(json, message.display);
  if (key != "provenance") return pass_key("message.", key, kSilentMessageKeys);
  return each_field(json, [&](std::string_view name, ondemand::value field) {
    return name != "kind" || text(field, message.provenance);
  });
}

// A text, or a list of blocks and texts.
bool EntryParser::read_content(ondemand::value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::array) {
    return each_item(json, [&](ondemand::value item) { return read_part(item); });
  }
  if (type == json_type::string) return read_part(json);
  if (type != json_type::null) entry.wrong_type = true;
  return true;
}

bool EntryParser::read_part(ondemand::value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  EntryPart part;
  if (type == json_type::string) {
    part.type = "text";
    if (!get_text(json, part.text)) return false;
    if (part.text.empty()) return true;
  } else {
    if (type != json_type::object) entry.wrong_type = true;
    const bool fine = each_field(json, [&](std::string_view key, ondemand::value field) {
      if (key == "type") return text(field, part.type);
      if (key == "text") return text(field, part.text);
      if (key == "thinking") return text(field, part.thinking);
      if (key == "id") return scalar(field, part.id);
      if (key == "name") return text(field, part.name);
      const bool is_input = key == "arguments" || key == "input" || key == "args";
      return !is_input || read_input(field, part);
    });
    if (!fine) return false;
  }
  if (parts.size() < kMaxParts) parts.push_back(part);
  return true;
}

bool EntryParser::read_input(ondemand::value json, EntryPart& part) {
  json_type type{};
  if (!get_type(json, type)) return false;
  const bool filled = part.input != SIZE_MAX;
  if (type == json_type::null || filled || parts.size() >= kMaxParts) return true;
  if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
  inputs_[inputs_used_].clear();
  if (!inputs_[inputs_used_].read(json)) return false;
  part.input = inputs_used_++;
  return true;
}

bool EntryParser::text(ondemand::value json, std::string_view& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::string && type != json_type::null) entry.wrong_type = true;
  return get_text(json, out);
}

// A text, or a number as it is written.
bool EntryParser::scalar(ondemand::value json, std::string_view& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::number) return text(json, out);
  out = text::trim(json.raw_json_token());
  return true;
}

bool EntryParser::pass_key(std::string_view where, std::string_view key,
                           std::span<const std::string_view> silent) {
  const bool room = unknown.size() < kMaxUnknown;
  if (room && !contains(silent, key)) unknown.push_back(unknown_name(where, key));
  return true;
}

std::string_view EntryParser::joined_text(RecordSink& sink) {
  text::JoinedLines joined(joined_);
  for (const EntryPart& part : parts) {
    if (part.type == "text" || part.type == "toolResult") {
      joined.add(part.text);
    } else if (part.type != "image") {
      sink.unknown(unknown_name("block ", part.type));
    }
  }
  return joined.text();
}

std::span<const Block> EntryParser::blocks(std::span<const ToolRule> rules, RecordSink& sink) {
  static const ToolInput kNoInput;
  blocks_.clear();
  if (renderings_.size() < parts.size()) renderings_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const EntryPart& part = parts[i];
    Block block;
    if (part.type == "text") {
      block.text = part.text;
      if (!text::is_blank(part.text)) blocks_.push_back(block);
    } else if (part.type == "thinking") {
      block.kind = BlockKind::thinking;
      block.text = part.thinking;
      if (!text::is_blank(part.thinking)) blocks_.push_back(block);
    } else if (part.type == "toolCall") {
      if (part.name.empty()) continue;
      const ToolInput& input = part.input == SIZE_MAX ? kNoInput : inputs_[part.input];
      blocks_.push_back(tool_call_block(part.name, part.id, input, rules, renderings_[i]));
    } else if (part.type != "image") {
      sink.unknown(unknown_name("block ", part.type));
    }
  }
  return blocks_;
}

}  // namespace yore::transcript::pi
