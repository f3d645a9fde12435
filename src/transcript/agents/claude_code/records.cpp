#include "transcript/agents/claude_code/records.hpp"

#include <algorithm>
#include <array>

#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/automated.hpp"

namespace yore::transcript::claude_code {
namespace {

constexpr std::string_view kNoContent = "(no content)";
constexpr std::string_view kSynthetic = "<synthetic>";
constexpr std::string_view kNotification = "task-notification";

// Records that say nothing about the conversation. Requests and their blobs hold the system prompt,
// as the attachments `prompt_snapshot`, `session_context` and `environment` do: never to be read.
constexpr std::array<std::string_view, 18> kPlainTypes = {
    "agent-setting",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "bridge-session",
    "cost-state",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "relocated",
    "result",
    "started",
    "tools-used",
    "worktree-state",
};
constexpr std::array<std::string_view, 10> kSubtypes = {
    "api_error",         "api_refusal",           "compact_boundary",       "error",
    "local_command",     "microcompact_boundary", "model_refusal_fallback", "session_start",
    "stop_hook_summary", "turn_duration",
};
constexpr std::array<std::string_view, 37> kAttachments = {
    "agent_listing_delta",
    "auto_mode",
    "batching_reminder_sent",
    "budget_usd",
    "command_permissions",
    "compact_file_reference",
    "date",
    "date_change",
    "deferred_tools_delta",
    "dynamic_skill",
    "edited_text_file",
    "environment",
    "file",
    "hook_additional_context",
    "hook_blocking_error",
    "hook_non_blocking_error",
    "hook_success",
    "hook_system_message",
    "invoked_skills",
    "mcp_instructions_delta",
    "model",
    "nested_memory",
    "plan_mode",
    "plan_mode_exit",
    "prompt_snapshot",
    "queued_command",
    "read_truncation_notice",
    "remote_session_change",
    "session_context",
    "silent_turn_reminder",
    "skill_listing",
    "task_reminder",
    "task_status",
    "todo_reminder",
    "total_tokens_reminder",
    "ultra_effort_enter",
    "ultra_effort_exit",
};
static_assert(std::ranges::is_sorted(kPlainTypes));
static_assert(std::ranges::is_sorted(kSubtypes));
static_assert(std::ranges::is_sorted(kAttachments));

bool has_part(const Content& content, MessagePartKind kind) {
  return std::ranges::find(content.parts, kind, &MessagePart::kind) != content.parts.end();
}

}  // namespace

RecordReader::RecordReader(const SessionRef& session, RecordSink& sink)
    : sink_(sink), main_session_(session.kind == SessionKind::main), spilled_(session) {}

bool RecordReader::read(simdjson::ondemand::object& json, const LineInfo& where) {
  if (!reader_.read(json, fields_)) return false;
  start_record(where);
  const std::string_view type = fields_.type;
  if (type == "user") return read_user();
  if (type == "assistant") return read_assistant();
  if (type == "system") {
    read_system();
  } else if (type == "attachment") {
    read_attachment();
  } else if (type == "progress") {
    deliver_link();
  } else if (type == "queue-operation") {
    read_queue_operation();
  } else if (type == "summary") {
    record_.leaf = fields_.leaf_uuid;
    read_title(fields_.summary, TitleKind::summary);
  } else if (type == "custom-title") {
    read_title(fields_.custom_title, TitleKind::custom);
  } else if (type == "ai-title") {
    read_title(fields_.ai_title, TitleKind::ai);
  } else if (type == "agent-name") {
    read_title(fields_.agent_name, TitleKind::name);
  } else if (type == "tool_use") {
    read_old_call();
  } else if (type == "tool_result") {
    read_old_output();
  } else {
    if (!std::ranges::binary_search(kPlainTypes, type)) {
      sink_.unknown("type " + std::string(type.empty() ? "(none)" : type));
    }
    deliver_link();
  }
  return true;
}

void RecordReader::start_record(const LineInfo& where) {
  blocks_.clear();
  record_ = {};
  record_.key = fields_.uuid;
  record_.parent_key = fields_.parent_uuid;
  // A compaction starts a new chain; this is where it goes on from.
  if (record_.parent_key.empty()) record_.parent_key = fields_.logical_parent_uuid;
  // Sub-agents' own files are marked so throughout.
  record_.sidechain = fields_.is_sidechain && main_session_;
  record_.time = fields_.time;
  record_.cwd = fields_.cwd;
  if (fields_.branch != "HEAD") record_.branch = fields_.branch;
  record_.version = fields_.version;
  record_.slug = fields_.slug;
  record_.offset = where.offset;
  record_.line = where.line;
}

// Keys and blocks of messages that are not in our tables.
void RecordReader::report_unknown() {
  for (const std::string_view key : fields_.unknown_keys) {
    sink_.unknown(std::string(fields_.type) + "." + std::string(key));
  }
  for (const std::string_view key : fields_.unknown_message_keys) {
    sink_.unknown("message." + std::string(key));
  }
  for (const MessagePart& part : fields_.said.parts) {
    if (part.kind != MessagePartKind::unknown) continue;
    sink_.unknown("block " + std::string(part.name.empty() ? "(none)" : part.name));
  }
}

void RecordReader::deliver(RecordKind kind) {
  record_.kind = kind;
  record_.blocks = blocks_;
  sink_.record(record_);
}

// A record that counts only as a link between others, or for its metadata.
void RecordReader::deliver_link() {
  blocks_.clear();
  record_.structural = !record_.key.empty();
  deliver(RecordKind::meta);
}

// A task's report is queued first and becomes a message later. Keyed by its words, it is told once;
// the record itself stays in the chain under its own key.
void RecordReader::deliver_background(const UserText& report, std::string_view whole) {
  if (!record_.key.empty()) deliver_link();
  record_.structural = false;
  record_.parent_key = {};
  record_.key = text::trim(whole);
  blocks_.clear();
  add_text(report.text);
  deliver(RecordKind::note);
}

void RecordReader::add_text(std::string_view text) {
  Block& block = blocks_.emplace_back();
  block.text = text;
}

void RecordReader::add_result(std::string_view text, std::string_view tool_id) {
  Block& block = blocks_.emplace_back();
  block.kind = BlockKind::tool_result;
  block.text = text;
  block.tool_id = tool_id;
}

std::string_view RecordReader::joined(const Content& content) {
  text::JoinedLines joined(reader_.texts().take());
  for (const MessagePart& part : content.parts) {
    if (part.kind == MessagePartKind::text) joined.add(part.text);
  }
  return joined.text();
}

// The whole output in place of its stand-in, when it is there.
std::string_view RecordReader::with_spilled_output(std::string_view output) {
  const std::string_view named = SpilledOutputs::named_in(output);
  if (named.empty()) return output;
  std::string& text = reader_.texts().take();
  return spilled_.read(named, text) ? std::string_view(text) : output;
}

bool RecordReader::read_user() {
  if (fields_.message != Shape::good || fields_.said.shape == Shape::wrong) return false;
  report_unknown();
  const Content& said = fields_.said;
  const bool human = fields_.origin_kind == "human";
  const bool compacted =
      fields_.is_compact_summary ||
      (!human && !said.parts.empty() && said.parts.front().kind == MessagePartKind::text &&
       is_continuation(said.parts.front().text));
  if (compacted) {
    record_.compaction = true;
    add_text(joined(said));
    deliver(RecordKind::note);
  } else if (fields_.is_meta) {
    deliver_link();
  } else if (has_part(said, MessagePartKind::result)) {
    read_tool_output();
  } else {
    read_prompt();
  }
  return true;
}

void RecordReader::read_tool_output() {
  for (const MessagePart& part : fields_.said.parts) {
    if (part.kind == MessagePartKind::result) add_result(with_spilled_output(part.text), part.id);
    if (part.kind != MessagePartKind::text) continue;
    const UserText text = read_user_text(part.text, false, reader_.texts().take());
    if (text.kind == TextKind::typed) add_text(text.text);
  }
  deliver(RecordKind::tool_output);
}

// What the texts of a message are together: a prompt when a person typed any of them.
void RecordReader::read_prompt() {
  const std::string_view origin = fields_.origin_kind;
  const std::string_view source = fields_.prompt_source;
  const bool human =
      origin == "human" || (origin.empty() && (source == "typed" || source == "queued"));
  bool typed = false;
  bool command = false;
  for (const MessagePart& part : fields_.said.parts) {
    if (part.kind != MessagePartKind::text || part.text.empty()) continue;
    UserText text = read_user_text(part.text, human, reader_.texts().take());
    if (!human && origin == kNotification && text.kind == TextKind::typed) {
      text.kind = TextKind::background_result;
    }
    if (text.kind == TextKind::background_result) return deliver_background(text, part.text);
    if (text.kind == TextKind::shell_output) add_result(text.text, {});
    if (text.kind != TextKind::typed && text.kind != TextKind::command) continue;
    typed = typed || text.kind == TextKind::typed;
    command = command || text.kind == TextKind::command;
    add_text(text.text);
  }
  const bool picture = has_part(fields_.said, MessagePartKind::image);
  if (!typed && !command && (picture || has_part(fields_.said, MessagePartKind::document))) {
    add_text(picture ? "[image]" : "[document]");
    typed = true;
  }
  if (typed && !human && source == "system") return deliver_link();
  if (typed && !human && !origin.empty()) {
    sink_.unknown("origin " + std::string(origin));
    return deliver(RecordKind::note);
  }
  if (typed || command) {
    std::erase_if(blocks_, [](const Block& block) { return block.kind != BlockKind::text; });
    const std::string_view title = typed ? "" : renamed_to(blocks_.front().text);
    if (!title.empty()) record_.title_kind = TitleKind::name;
    record_.title = title;
    record_.scripted = !human && (names_script(source) || names_script(fields_.turn_origin));
    return deliver(typed ? RecordKind::prompt : RecordKind::command);
  }
  if (!blocks_.empty()) return deliver(RecordKind::tool_output);
  deliver_link();
}

bool RecordReader::read_assistant() {
  if (fields_.message != Shape::good || fields_.said.shape == Shape::wrong) return false;
  report_unknown();
  // Made by the program itself: error messages and the like.
  if (fields_.is_api_error || fields_.model == kSynthetic) {
    deliver_link();
    return true;
  }
  record_.message_id = fields_.message_id;
  record_.model = fields_.model;
  record_.usage = fields_.usage;
  for (const MessagePart& part : fields_.said.parts) {
    if (part.kind == MessagePartKind::call && !(part.name.empty() && part.text.empty())) {
      blocks_.push_back({BlockKind::tool_call, part.text, part.id, part.name, part.rendering,
                         part.file, part.removed, part.added});
    }
    if (part.kind != MessagePartKind::text && part.kind != MessagePartKind::thinking) continue;
    if (text::is_blank(part.text) || part.text == kNoContent) continue;
    add_text(part.text);
    if (part.kind == MessagePartKind::thinking) blocks_.back().kind = BlockKind::thinking;
  }
  deliver(RecordKind::assistant);
  return true;
}

void RecordReader::read_system() {
  if (!fields_.subtype.empty() && !std::ranges::binary_search(kSubtypes, fields_.subtype)) {
    sink_.unknown("system " + std::string(fields_.subtype));
  }
  if (fields_.subtype == "local_command") {
    const std::string_view content = joined(fields_.content);
    const UserText text = read_user_text(content, false, reader_.texts().take());
    record_.title = renamed_to(text.kind == TextKind::machinery ? "" : text.text);
    if (!record_.title.empty()) record_.title_kind = TitleKind::name;
  }
  deliver_link();
}

void RecordReader::read_attachment() {
  const std::string_view type = fields_.attachment_type;
  if (!std::ranges::binary_search(kAttachments, type)) {
    sink_.unknown("attachment " + std::string(type.empty() ? "(none)" : type));
  }
  const std::string_view prompt = joined(fields_.attachment_prompt);
  if (type != "queued_command" || fields_.attachment_is_meta || prompt.empty()) {
    return deliver_link();
  }
  const bool notification =
      fields_.attachment_mode == kNotification || fields_.attachment_origin == kNotification;
  std::string& buffer = reader_.texts().take();
  if (notification) return deliver_background(read_background_result(prompt, buffer), prompt);
  const UserText text = read_user_text(prompt, fields_.attachment_origin == "human", buffer);
  if (text.kind == TextKind::background_result) return deliver_background(text, prompt);
  if (text.kind != TextKind::typed && text.kind != TextKind::command) return deliver_link();
  add_text(text.text);
  if (fields_.attachment_mode == "bash") {
    blocks_.back().text = reader_.texts().take().append("! ").append(text.text);
  }
  const bool command = text.kind == TextKind::command || is_slash_command(text.text);
  deliver(command ? RecordKind::command : RecordKind::joined_prompt);
}

void RecordReader::read_queue_operation() {
  if (fields_.operation != "enqueue") return;
  const std::string_view content = joined(fields_.content);
  std::string& buffer = reader_.texts().take();
  const UserText text = is_background_result(content) ? read_background_result(content, buffer)
                                                      : read_user_text(content, false, buffer);
  if (text.kind == TextKind::background_result) {
    // Without an answer it is only a change of state, told again when it is delivered.
    if (text.has_result) deliver_background(text, content);
    return;
  }
  if (text.kind != TextKind::typed && text.kind != TextKind::command) return;
  add_text(text.text);
  const bool command = text.kind == TextKind::command || is_slash_command(text.text);
  deliver(command ? RecordKind::command : RecordKind::queued_prompt);
}

void RecordReader::read_title(std::string_view title, TitleKind kind) {
  record_.title = text::trim(title);
  if (!record_.title.empty()) record_.title_kind = kind;
  deliver_link();
}

// Very early files have a line of its own for each call and each output.
void RecordReader::read_old_call() {
  reader_.finish_old_call(fields_);
  const MessagePart& part = fields_.old_tool;
  blocks_.push_back({BlockKind::tool_call, part.text, part.id, part.name, part.rendering, part.file,
                     part.removed, part.added});
  deliver(RecordKind::assistant);
}

void RecordReader::read_old_output() {
  add_result(fields_.old_tool.text, fields_.old_tool.id);
  deliver(RecordKind::tool_output);
}

}  // namespace yore::transcript::claude_code
