#include "transcript/agents/pi/records.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "text/utf8.hpp"

namespace yore::transcript::pi {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kImage = "[image]";
// What the first entries of a tree answer: so a second beginning is seen as one.
constexpr std::string_view kRoot = "root";
constexpr std::array<std::string_view, 4> kVersions = {"", "1", "2", "3"};

// Entries that are links in the chain and nothing more.
constexpr std::array<std::string_view, 4> kSilentTypes = {"context_edit", "custom", "label",
                                                          "thinking_level_change"};
// Messages that only the model was meant to see, or that repeat an entry_.
constexpr std::array<std::string_view, 3> kSilentRoles = {"branchSummary", "compactionSummary",
                                                          "system"};

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

}  // namespace

EntryReader::EntryReader(const SessionRef& session, RecordSink& sink)
    : sink_(sink), session_hash_(hash64(session.id)) {}

bool EntryReader::read(ondemand::object& object, const LineInfo& where) {
  if (!parser_.read(object)) return false;
  if (entry_.type == "message" && !entry_.has_message) return false;
  for (const std::string& what : parser_.unknown) sink_.unknown(what);
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

void EntryReader::start_record(const LineInfo& where) {
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
                        entry_.display ? parser_.joined_text(sink_) : std::string_view{});
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
    block.text = parser_.joined_text(sink_);
    return deliver(RecordKind::tool_output, {&block, 1});
  }
  // Written by an extension: of use when it was shown to the person.
  if (role == "custom" || role == "hookMessage") {
    return deliver_text(RecordKind::note, BlockKind::text,
                        entry_.message.display ? parser_.joined_text(sink_) : std::string_view{});
  }
  if (!contains(kSilentRoles, role)) sink_.unknown(named("role ", role));
  deliver(RecordKind::meta);
}

void EntryReader::deliver_user() {
  const std::string_view text = parser_.joined_text(sink_);
  if (!text::trim(text).empty()) return deliver_prompt(text);
  const bool picture =
      std::ranges::find(parser_.parts, "image", &Part::type) != parser_.parts.end();
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
  const auto blocks = parser_.blocks(kToolRules, sink_);
  const Message& message = entry_.message;
  const bool failed = !message.error.empty() || message.stop_reason == "error";
  if (blocks.empty() && failed) return deliver(RecordKind::meta);
  record_.model = message.model;
  record_.usage = message.usage;
  record_.message_id = record_.key;
  deliver(RecordKind::assistant, blocks);
}

// A command that a person ran from the prompt: two records, of which only the first has the key.
void EntryReader::deliver_shell() {
  if (text::trim(entry_.message.command).empty()) return deliver(RecordKind::meta);
  shell_.assign("! ").append(entry_.message.command);
  deliver_prompt(shell_);
  record_.parent_key = record_.key;
  record_.key = {};
  deliver_text(RecordKind::tool_output, BlockKind::tool_result, entry_.message.output);
}

void EntryReader::deliver(RecordKind kind, std::span<const Block> blocks) {
  record_.kind = kind;
  record_.blocks = blocks;
  sink_.record(record_);
}

// Text of nothing but blanks is none.
void EntryReader::deliver_text(RecordKind kind, BlockKind block, std::string_view text) {
  if (text::trim(text).empty()) return deliver(RecordKind::meta);
  Block only;
  only.kind = block;
  only.text = text;
  deliver(kind, {&only, 1});
}

}  // namespace yore::transcript::pi
