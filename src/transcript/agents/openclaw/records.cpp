#include "transcript/agents/openclaw/records.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "transcript/agents/openclaw/prompt.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::openclaw {
namespace {

namespace od = simdjson::ondemand;

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

}  // namespace

bool EntryReader::read(od::object& object, const LineInfo& where) {
  if (!parser_.read(object) || entry_.wrong_type) return false;
  where_ = where;
  deliver();
  return true;
}

void EntryReader::deliver() {
  for (const std::string& what : parser_.unknown) sink_.unknown(what);
  Record record;
  record.time = entry_.time == kNoTime ? entry_.message.time : entry_.time;
  record.offset = where_.offset;
  record.line = source_ == EntrySource::lines ? where_.line : 0;
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
    record.compaction = true;
    record.title = entry_.summary;
    record.title_kind = entry_.summary.empty() ? TitleKind::none : TitleKind::compaction;
    return deliver_note(record, entry_.summary);
  }
  if (entry_.type == "branch_summary") return deliver_note(record, entry_.summary);
  if (entry_.type == "custom_message") {
    return deliver_note(record, entry_.display ? parser_.joined_text(sink_) : std::string_view{});
  }
  if (entry_.type == "session_info") {
    record.title = entry_.name;
    record.title_kind = entry_.name.empty() ? TitleKind::none : TitleKind::custom;
    return sink_.record(record);
  }
  if (entry_.type == "model_change") {
    record.model = entry_.model;
    return sink_.record(record);
  }
  if (!contains(kSilentTypes, entry_.type)) sink_.unknown(unknown_name("type ", entry_.type));
  sink_.record(record);
}

void EntryReader::deliver_message(Record& record) {
  const auto role = entry_.message.role;
  if (role == "user") return deliver_prompt(record);
  if (role == "assistant") return deliver_assistant(record);
  if (role == "toolResult") return deliver_tool_result(record);
  if (role == "bashExecution") return deliver_shell(record);
  if (!contains(kSilentRoles, role)) sink_.unknown(unknown_name("role ", role));
  sink_.record(record);
}

void EntryReader::deliver_prompt(Record& record) {
  const auto raw = parser_.joined_text(sink_);
  if (parser_.parts.empty()) return sink_.record(record);
  const auto prompt = clean_prompt(raw);
  const auto provenance = entry_.message.provenance;
  record.automated =
      prompt.automated || provenance == "inter_session" || provenance == "internal_system";
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
  const auto blocks = parser_.blocks(kToolRules, sink_);
  // Failed attempts leave messages without content, and some models only a signed thought.
  const bool failed = !message.error.empty() || message.stop_reason == "error";
  if (blocks.empty() && failed) return sink_.record(record);
  record.model = message.model;
  record.usage = message.usage;
  record.message_id = record.key;
  record.kind = blocks.empty() ? RecordKind::meta : RecordKind::assistant;
  record.blocks = blocks;
  sink_.record(record);
}

void EntryReader::deliver_tool_result(Record& record) {
  Block block;
  block.kind = BlockKind::tool_result;
  block.tool_id = entry_.message.tool_call_id;
  block.text = parser_.joined_text(sink_);
  deliver_text(record, RecordKind::tool_output, block);
}

// A command that a person ran from the prompt: two records, of which only the first has the key.
void EntryReader::deliver_shell(Record& record) {
  shell_.assign("! ").append(entry_.message.command);
  Block command;
  command.text = shell_;
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

}  // namespace yore::transcript::openclaw
