#include "transcript/adapters/openclaw_records.hpp"

#include <algorithm>
#include <array>

#include "text/utf8.hpp"
#include "transcript/adapters/openclaw_fields.hpp"
#include "transcript/adapters/openclaw_prompt.hpp"
#include "transcript/tool_rules.hpp"

namespace yore::transcript::openclaw {
namespace {

namespace od = simdjson::ondemand;

// A message of more blocks is no conversation any more; the rest of them is not kept.
constexpr std::size_t kMaxBlocks = 10'000;
constexpr std::size_t kMaxUnknownKeys = 16;
constexpr std::size_t kMaxNameBytes = 64;

// Entry types that are links in the chain and nothing more.
constexpr std::array<std::string_view, 5> kSilentTypes = {"custom", "label", "leaf", "reset",
                                                          "thinking_level_change"};
// Roles of messages that only the model was meant to see.
constexpr std::array<std::string_view, 5> kSilentRoles = {"branchSummary", "compactionSummary",
                                                          "custom", "hookMessage", "system"};

constexpr std::array<ToolRule, 9> kToolRules = {{
    {"exec", "command", {"command", "cmd"}, kCommandChars},
    {"read", "file", kPathArguments},
    {"edit", "file", kPathArguments},
    {"write", "file", kPathArguments},
    {"browser", "action", {"action"}},
    {"web_search", "query", {"query", "url"}, kQueryChars},
    {"web_fetch", "query", {"query", "url"}, kQueryChars},
    {"sessions_send", "target", {"accountId", "to"}},
    {"message", "target", {"accountId", "to"}},
}};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string named(std::string_view prefix, std::string_view name) {
  std::string text(prefix);
  text += text::prefix_bytes(name, kMaxNameBytes);
  return text;
}

}  // namespace

bool EntryReader::read(od::object& object, const LineInfo& where) {
  clear();
  where_ = where;
  if (!read_entry(object)) return false;
  deliver();
  return true;
}

void EntryReader::clear() {
  entry_ = {};
  raw_blocks_.clear();
  inputs_used_ = 0;
  blocks_.clear();
  unknown_keys_.clear();
}

bool EntryReader::read_entry(od::object& object) {
  return each_field(object, [&](std::string_view key, od::value value) {
    if (key == "type") return read_string(value, entry_.type);
    if (key == "id") return read_scalar(value, entry_.id);
    if (key == "parentId") return read_scalar(value, entry_.parent_id);
    if (key == "timestamp") return get_time(value, entry_.time);
    if (key == "message") return read_message(value);
    if (key == "cwd") return read_string(value, entry_.cwd);
    if (key == "version") return read_scalar(value, entry_.version);
    if (key == "summary") return read_string(value, entry_.summary);
    if (key == "name") return read_string(value, entry_.name);
    if (key == "modelId") return read_string(value, entry_.model_id);
    if (key == "display") return get_flag(value, entry_.display);
    if (key == "content") return read_content(value);
    return true;
  });
}

bool EntryReader::read_message(od::value value) {
  od::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  auto& message = entry_.message;
  return each_field(object, [&](std::string_view key, od::value field) {
    if (key == "role") return read_string(field, message.role);
    if (key == "content") return read_content(field);
    if (key == "timestamp") return get_time(field, message.time);
    if (key == "model") return read_string(field, message.model);
    if (key == "provider") return read_string(field, message.provider);
    if (key == "usage") return read_usage(field, message.usage);
    if (key == "stopReason") return read_string(field, message.stop_reason);
    if (key == "errorMessage") return read_scalar(field, message.error);
    if (key == "toolCallId") return read_scalar(field, message.tool_call_id);
    if (key == "command") return read_string(field, message.command);
    if (key == "output") return read_string(field, message.output);
    if (key == "provenance") return read_member(field, "kind", message.provenance);
    const bool room = unknown_keys_.size() < kMaxUnknownKeys;
    if (room && !is_message_key(key)) unknown_keys_.push_back(key);
    return true;
  });
}

bool EntryReader::read_content(od::value value) {
  od::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  if (type == od::json_type::null) return true;
  if (type == od::json_type::string) {
    RawBlock block;
    block.type = "text";
    if (!read_string(value, block.text)) return false;
    if (!block.text.empty()) raw_blocks_.push_back(block);
    return true;
  }
  od::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return false;
  for (auto element : array) {
    od::value block;
    if (element.get(block) != simdjson::SUCCESS || !read_block(block)) return false;
  }
  return true;
}

bool EntryReader::read_block(od::value value) {
  od::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  RawBlock block;
  if (type == od::json_type::string) {
    block.type = "text";
    if (!read_string(value, block.text)) return false;
  } else {
    od::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return false;
    const bool whole = each_field(object, [&](std::string_view key, od::value field) {
      if (key == "type") return read_string(field, block.type);
      if (key == "text") return read_string(field, block.text);
      if (key == "thinking") return read_string(field, block.thinking);
      if (key == "id") return read_scalar(field, block.id);
      if (key == "name") return read_string(field, block.name);
      if (key == "arguments" || key == "input" || key == "args") {
        return read_tool_input(field, block);
      }
      return true;
    });
    if (!whole) return false;
  }
  if (raw_blocks_.size() < kMaxBlocks) raw_blocks_.push_back(block);
  return true;
}

bool EntryReader::read_tool_input(od::value value, RawBlock& block) {
  od::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  const bool filled = block.input != SIZE_MAX;
  if (type == od::json_type::null || filled || raw_blocks_.size() >= kMaxBlocks) return true;
  if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
  inputs_[inputs_used_].clear();
  if (!inputs_[inputs_used_].read(value)) return false;
  block.input = inputs_used_++;
  return true;
}

void EntryReader::deliver() {
  for (const auto key : unknown_keys_) sink_.unknown(named("message.", key));

  Record record;
  record.time = entry_.time == kNoTime ? entry_.message.time : entry_.time;
  record.offset = where_.offset;
  record.line = place_ == Place::lines ? where_.line : 0;
  if (entry_.type == "session") {
    // The session's id is no record's key: forks and copies repeat it.
    record.cwd = entry_.cwd;
    record.version = entry_.version;
    return sink_.record(record);
  }

  record.key = entry_.id;
  record.parent_key = entry_.parent_id;
  if (entry_.type == "message") return deliver_message(record);

  record.structural = true;
  if (entry_.type == "compaction") {
    record.title = entry_.summary;
    record.title_kind = entry_.summary.empty() ? TitleKind::none : TitleKind::compaction;
    return deliver_note(record, entry_.summary);
  }
  if (entry_.type == "branch_summary") return deliver_note(record, entry_.summary);
  if (entry_.type == "custom_message") {
    return deliver_note(record, entry_.display ? joined_text() : std::string_view{});
  }
  if (entry_.type == "session_info") {
    record.title = entry_.name;
    record.title_kind = entry_.name.empty() ? TitleKind::none : TitleKind::custom;
    return sink_.record(record);
  }
  if (entry_.type == "model_change") {
    record.model = entry_.model_id;
    return sink_.record(record);
  }
  if (!contains(kSilentTypes, entry_.type)) sink_.unknown(named("type ", entry_.type));
  sink_.record(record);
}

void EntryReader::deliver_message(Record& record) {
  const auto role = entry_.message.role;
  if (role == "user") return deliver_prompt(record);
  if (role == "assistant") return deliver_assistant(record);
  if (role == "toolResult") return deliver_tool_result(record);
  if (role == "bashExecution") return deliver_shell(record);
  if (!contains(kSilentRoles, role)) sink_.unknown(named("role ", role));
  sink_.record(record);
}

void EntryReader::deliver_prompt(Record& record) {
  const auto raw = joined_text();
  if (raw_blocks_.empty()) return sink_.record(record);
  const auto prompt = clean_prompt(raw);
  const auto provenance = entry_.message.provenance;
  record.machine_made =
      prompt.machine_made || provenance == "inter_session" || provenance == "internal_system";
  Block block;
  block.text = prompt.text;
  deliver_text(record, RecordKind::prompt, block);
  if (prompt.notice.empty()) return;
  Record notice;
  notice.time = record.time;
  notice.offset = record.offset;
  notice.line = record.line;
  deliver_note(notice, prompt.notice);
}

void EntryReader::deliver_assistant(Record& record) {
  const auto& message = entry_.message;
  // What the gateway says in the assistant's name, such as "New session started".
  if (message.model == "delivery-mirror" || message.provider == "openclaw") {
    return sink_.record(record);
  }
  if (renderings_.size() < raw_blocks_.size()) renderings_.resize(raw_blocks_.size());
  for (std::size_t i = 0; i < raw_blocks_.size(); ++i) {
    const auto& raw = raw_blocks_[i];
    Block block;
    if (raw.type == "text") {
      block.text = raw.text;
      if (!raw.text.empty()) blocks_.push_back(block);
    } else if (raw.type == "thinking") {
      block.kind = BlockKind::thinking;
      block.text = raw.thinking;
      if (!raw.thinking.empty()) blocks_.push_back(block);
    } else if (raw.type == "toolCall") {
      blocks_.push_back(tool_call(raw, renderings_[i]));
    } else if (raw.type != "image") {
      sink_.unknown(named("block ", raw.type));
    }
  }
  // Failed attempts leave messages without content, and some models only a signed thought.
  const bool failed = !message.error.empty() || message.stop_reason == "error";
  if (blocks_.empty() && failed) return sink_.record(record);
  record.model = message.model;
  record.usage = message.usage;
  record.message_id = record.key;
  record.kind = blocks_.empty() ? RecordKind::meta : RecordKind::assistant;
  record.blocks = blocks_;
  sink_.record(record);
}

Block EntryReader::tool_call(const RawBlock& raw, std::string& rendering) const {
  static const ToolInput kNoInput;
  const auto& input = raw.input == SIZE_MAX ? kNoInput : inputs_[raw.input];
  return tool_call_block(raw.name, raw.id, input, kToolRules, rendering);
}

void EntryReader::deliver_tool_result(Record& record) {
  Block block;
  block.kind = BlockKind::tool_result;
  block.tool_id = entry_.message.tool_call_id;
  block.text = joined_text();
  deliver_text(record, RecordKind::tool_output, block);
}

// A command that a person ran from the prompt: two records, of which only the first has the key.
void EntryReader::deliver_shell(Record& record) {
  joined_.assign("! ").append(entry_.message.command);
  Block command;
  command.text = joined_;
  deliver_text(record, RecordKind::prompt, command);

  record.parent_key = record.key;
  record.key = {};
  Block output;
  output.kind = BlockKind::tool_result;
  output.text = entry_.message.output;
  if (!output.text.empty()) deliver_text(record, RecordKind::tool_output, output);
}

void EntryReader::deliver_note(Record& record, std::string_view text) {
  if (text.empty()) return sink_.record(record);
  Block block;
  block.text = text;
  deliver_text(record, RecordKind::note, block);
}

void EntryReader::deliver_text(Record& record, RecordKind kind, const Block& block) {
  record.kind = kind;
  record.blocks = {&block, 1};
  sink_.record(record);
}

std::string_view EntryReader::joined_text() {
  std::size_t texts = 0;
  std::string_view only;
  joined_.clear();
  for (const auto& raw : raw_blocks_) {
    if (raw.type != "text" && raw.type != "toolResult") {
      if (raw.type != "image") sink_.unknown(named("block ", raw.type));
      continue;
    }
    if (texts++ == 0) {
      only = raw.text;
      continue;
    }
    if (texts == 2) joined_ = only;
    joined_ += '\n';
    joined_ += raw.text;
  }
  return texts <= 1 ? only : std::string_view{joined_};
}

}  // namespace yore::transcript::openclaw
