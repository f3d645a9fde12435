#include "transcript/adapters/pi_records.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/json_values.hpp"
#include "transcript/tool_rules.hpp"

namespace yore::transcript::pi {
namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

// A message of more parts is no conversation any more; the rest of them is not kept.
constexpr std::size_t kMaxParts = 10'000;
constexpr std::size_t kMaxUnknown = 16;
constexpr std::size_t kMaxNameBytes = 64;
constexpr std::string_view kImage = "[image]";
// What the first entries of a tree answer: so a second beginning is seen as one.
constexpr std::string_view kRoot = "root";
constexpr std::array<std::string_view, 4> kVersions = {"", "1", "2", "3"};

// Entries that are links in the chain and nothing more.
constexpr std::array<std::string_view, 4> kSilentTypes = {"context_edit", "custom", "label",
                                                          "thinking_level_change"};
// Messages that only the model was meant to see, or that repeat an entry.
constexpr std::array<std::string_view, 3> kSilentRoles = {"branchSummary", "compactionSummary",
                                                          "system"};
// Keys that are of no use here.
constexpr std::array<std::string_view, 16> kSilentEntryKeys = {
    "branchedFrom", "customType", "data",          "details",       "firstKeptEntryId",
    "fromHook",     "fromId",     "kind",          "label",         "firstKeptEntryIndex",
    "provider",     "targetId",   "parentSession", "systemMessage", "thinkingLevel",
    "tokensBefore",
};
constexpr std::array<std::string_view, 17> kSilentMessageKeys = {
    "api",       "cancelled", "customType",   "details",    "excludeFromContext", "exitCode",
    "fromId",    "isError",   "provider",     "responseId", "fullOutputPath",     "sections",
    "truncated", "toolName",  "tokensBefore", "summary",    "toolsAdded",
};

constexpr std::array kToolRules = {
    ToolRule{"bash", "command", {"command"}, kCommandChars},
    ToolRule{"powershell", "command", {"command"}, kCommandChars},
    ToolRule{"read", "file", kPathArguments},
    ToolRule{"write", "file", kPathArguments},
    ToolRule{"edit", "file", kPathArguments},
    ToolRule{"ls", "file", kPathArguments},
    ToolRule{"grep", "pattern", {"pattern"}},
    ToolRule{"find", "pattern", {"pattern"}},
};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string named(std::string_view prefix, std::string_view name) {
  return std::string(prefix) +
         std::string(name.empty() ? "(none)" : text::prefix_bytes(name, kMaxNameBytes));
}

// A string, or a number as it is written.
bool get_scalar(ondemand::value json, std::string_view& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::number) return get_text(json, out);
  out = text::trim(json.raw_json_token());
  return true;
}

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

EntryReader::EntryReader(const SessionRef& session, RecordSink& sink)
    : sink_(sink), session_hash_(hash64(session.id)) {}

bool EntryReader::read(ondemand::object& object, const LineInfo& where) {
  entry_ = {};
  parts_.clear();
  inputs_used_ = 0;
  unknown_.clear();
  if (!read_entry(object)) return false;
  if (entry_.type == "message" && !entry_.has_message) return false;
  for (const std::string& what : unknown_) sink_.unknown(what);
  start_record(where);
  if (entry_.type == "session") {
    deliver_header();
  } else if (entry_.type == "message") {
    deliver_message();
  } else {
    deliver_entry();
  }
  return true;
}

bool EntryReader::read_entry(ondemand::object& object) {
  return each_field(object, [&](std::string_view key, ondemand::value json) {
    if (key == "type") return get_text(json, entry_.type);
    if (key == "id") return get_scalar(json, entry_.id);
    if (key == "parentId") return get_scalar(json, entry_.parent_id);
    if (key == "timestamp") return get_time(json, entry_.time);
    if (key == "message") return read_message(json);
    if (key == "cwd") return get_text(json, entry_.cwd);
    if (key == "version") return get_scalar(json, entry_.version);
    if (key == "summary") return get_text(json, entry_.summary);
    if (key == "name") return get_text(json, entry_.name);
    if (key == "modelId" || key == "model") return get_text(json, entry_.model);
    if (key == "display") return get_flag(json, entry_.display);
    if (key == "content") return read_content(json);
    if (key == "usage") return read_usage(json, entry_.usage);
    // What a context_edit puts in its place is no part of the conversation.
    if (key == "replacement" || contains(kSilentEntryKeys, key)) return true;
    if (unknown_.size() < kMaxUnknown) unknown_.push_back(named("entry.", key));
    return true;
  });
}

bool EntryReader::read_message(ondemand::value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  entry_.has_message = type == json_type::object;
  Message& message = entry_.message;
  return each_field(json, [&](std::string_view key, ondemand::value field) {
    if (key == "role") return get_text(field, message.role);
    if (key == "content") return read_content(field);
    if (key == "timestamp") return get_time(field, message.time);
    if (key == "model") return get_text(field, message.model);
    if (key == "usage") return read_usage(field, message.usage);
    if (key == "stopReason") return get_text(field, message.stop_reason);
    if (key == "errorMessage") return get_text(field, message.error);
    if (key == "toolCallId") return get_scalar(field, message.tool_call_id);
    if (key == "command") return get_text(field, message.command);
    if (key == "output") return get_text(field, message.output);
    if (key == "display") return get_flag(field, message.display);
    if (contains(kSilentMessageKeys, key)) return true;
    if (unknown_.size() < kMaxUnknown) unknown_.push_back(named("message.", key));
    return true;
  });
}

// A string, or a list of blocks and strings.
bool EntryReader::read_content(ondemand::value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::array) {
    return each_item(json, [&](ondemand::value item) { return read_part(item); });
  }
  return type != json_type::string || read_part(json);
}

bool EntryReader::read_part(ondemand::value json) {
  json_type type{};
  if (!get_type(json, type)) return false;
  Part part;
  if (type == json_type::string) {
    part.type = "text";
    if (!get_text(json, part.text)) return false;
  } else {
    const bool fine = each_field(json, [&](std::string_view key, ondemand::value field) {
      if (key == "type") return get_text(field, part.type);
      if (key == "text") return get_text(field, part.text);
      if (key == "thinking") return get_text(field, part.thinking);
      if (key == "id") return get_scalar(field, part.id);
      if (key == "name") return get_text(field, part.name);
      return key != "arguments" || read_input(field, part);
    });
    if (!fine) return false;
  }
  if (parts_.size() < kMaxParts) parts_.push_back(part);
  return true;
}

bool EntryReader::read_input(ondemand::value json, Part& part) {
  if (part.input != SIZE_MAX || parts_.size() >= kMaxParts) return true;
  if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
  inputs_[inputs_used_].clear();
  if (!inputs_[inputs_used_].read(json)) return false;
  part.input = inputs_used_++;
  return true;
}

void EntryReader::start_record(const LineInfo& where) {
  blocks_.clear();
  record_ = {};
  record_.time = entry_.time == kNoTime ? entry_.message.time : entry_.time;
  record_.offset = where.offset;
  record_.line = where.line;
}

// The session's id is no record's key: forks and copies repeat it.
void EntryReader::deliver_header() {
  record_.cwd = entry_.cwd;
  record_.model = entry_.model;
  record_.version = entry_.version.empty() ? std::string_view("1") : entry_.version;
  if (!contains(kVersions, entry_.version)) {
    sink_.problem(ProblemKind::unknown_schema, record_.line);
  }
  deliver(RecordKind::meta);
}

void EntryReader::deliver_entry() {
  record_.key = entry_.id;
  record_.parent_key = entry_.parent_id;
  if (!entry_.id.empty() && entry_.parent_id.empty()) record_.parent_key = kRoot;
  record_.structural = true;
  const std::string_view type = entry_.type;
  if (type == "compaction" || type == "branch_summary") {
    return deliver_text(RecordKind::note, BlockKind::text, entry_.summary);
  }
  if (type == "custom_message") {
    return deliver_text(RecordKind::note, BlockKind::text,
                        entry_.display ? joined_text() : std::string_view{});
  }
  if (type == "session_info") {
    record_.title = text::trim(entry_.name);
    record_.title_kind = record_.title.empty() ? TitleKind::none : TitleKind::custom;
  } else if (type == "model_change") {
    record_.model = entry_.model;
  } else if (type == "usage") {
    record_.message_id = entry_.id;
    record_.usage = entry_.usage;
    return deliver(RecordKind::assistant);
  } else if (!contains(kSilentTypes, type)) {
    sink_.unknown(named("type ", type));
  }
  deliver(RecordKind::meta);
}

void EntryReader::deliver_message() {
  record_.key = entry_.id;
  record_.parent_key = entry_.parent_id;
  if (!entry_.id.empty() && entry_.parent_id.empty()) record_.parent_key = kRoot;
  const std::string_view role = entry_.message.role;
  if (role == "user") return deliver_user();
  if (role == "assistant") return deliver_assistant();
  if (role == "bashExecution") return deliver_shell();
  if (role == "toolResult") {
    Block block;
    block.kind = BlockKind::tool_result;
    block.tool_id = entry_.message.tool_call_id;
    block.text = joined_text();
    blocks_.push_back(block);
    return deliver(RecordKind::tool_output);
  }
  // Written by an extension: of use when it was shown to the person.
  if (role == "custom" || role == "hookMessage") {
    return deliver_text(RecordKind::note, BlockKind::text,
                        entry_.message.display ? joined_text() : std::string_view{});
  }
  if (!contains(kSilentRoles, role)) sink_.unknown(named("role ", role));
  deliver(RecordKind::meta);
}

void EntryReader::deliver_user() {
  const std::string_view text = joined_text();
  if (!text::trim(text).empty()) return deliver_prompt(text);
  const bool picture = std::ranges::find(parts_, "image", &Part::type) != parts_.end();
  if (picture) return deliver_prompt(kImage);
  deliver(RecordKind::meta);
}

// A prompt of version 1 is known again in a fork by its time and its words.
void EntryReader::deliver_prompt(std::string_view text) {
  if (record_.key.empty()) {
    const bool timed = record_.time != kNoTime;
    const auto from = timed ? static_cast<std::uint64_t>(to_ms(record_.time))
                            : session_hash_ ^ (record_.offset + 1);
    key_ = std::to_string(from) + ":" + std::to_string(hash64(text));
    record_.key = key_;
  }
  deliver_text(RecordKind::prompt, BlockKind::text, text);
}

void EntryReader::deliver_assistant() {
  static const ToolInput kNoInput;
  if (renderings_.size() < parts_.size()) renderings_.resize(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    Block block;
    if (part.type == "text") {
      block.text = part.text;
      if (!text::trim(part.text).empty()) blocks_.push_back(block);
    } else if (part.type == "thinking") {
      block.kind = BlockKind::thinking;
      block.text = part.thinking;
      if (!text::trim(part.thinking).empty()) blocks_.push_back(block);
    } else if (part.type == "toolCall") {
      if (part.name.empty()) continue;
      const ToolInput& input = part.input == SIZE_MAX ? kNoInput : inputs_[part.input];
      blocks_.push_back(tool_call_block(part.name, part.id, input, kToolRules, renderings_[i]));
    } else if (part.type != "image") {
      sink_.unknown(named("block ", part.type));
    }
  }
  const Message& message = entry_.message;
  const bool failed = !message.error.empty() || message.stop_reason == "error";
  if (blocks_.empty() && failed) return deliver(RecordKind::meta);
  record_.model = message.model;
  record_.usage = message.usage;
  record_.message_id = record_.key;
  deliver(RecordKind::assistant);
}

// A command that a person ran from the prompt: two records, of which only the first has the key.
void EntryReader::deliver_shell() {
  if (text::trim(entry_.message.command).empty()) return deliver(RecordKind::meta);
  joined_.assign("! ").append(entry_.message.command);
  deliver_prompt(joined_);
  record_.parent_key = record_.key;
  record_.key = {};
  deliver_text(RecordKind::tool_output, BlockKind::tool_result, entry_.message.output);
}

void EntryReader::deliver(RecordKind kind) {
  record_.kind = kind;
  record_.blocks = blocks_;
  sink_.record(record_);
}

// Text of nothing but blanks is none.
void EntryReader::deliver_text(RecordKind kind, BlockKind block, std::string_view text) {
  blocks_.clear();
  if (text::trim(text).empty()) return deliver(RecordKind::meta);
  Block& only = blocks_.emplace_back();
  only.kind = block;
  only.text = text;
  deliver(kind);
}

std::string_view EntryReader::joined_text() {
  std::string_view first;
  std::size_t texts = 0;
  for (const Part& part : parts_) {
    if (part.type != "text") {
      if (part.type != "image") sink_.unknown(named("block ", part.type));
      continue;
    }
    if (part.text.empty()) continue;
    if (texts++ == 0) {
      first = part.text;
      continue;
    }
    if (texts == 2) joined_ = first;
    joined_.append("\n").append(part.text);
  }
  return texts <= 1 ? first : std::string_view(joined_);
}

}  // namespace yore::transcript::pi
