#include "transcript/agents/qwen/records.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/dialects/gemini/prompt.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/key_table.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::qwen {
namespace {

namespace ondemand = simdjson::ondemand;

// Stands for what comes before the first line, so that going back to it is seen as a rewind.
constexpr std::string_view kStart = "start";

struct Name {
  std::string_view name;
};
// Keys of a line that are of no use here.
constexpr std::array<Name, 16> kSilentKeyRows = {{{"agentColor"},
                                                  {"agentId"},
                                                  {"agentName"},
                                                  {"agentRound"},
                                                  {"agentRunId"},
                                                  {"backgroundTurn"},
                                                  {"contextWindowSize"},
                                                  {"daemonPromptId"},
                                                  {"deliveredTurn"},
                                                  {"externalInputKind"},
                                                  {"forkedFrom"},
                                                  {"goalContext"},
                                                  {"id"},
                                                  {"promptId"},
                                                  {"sessionId"},
                                                  {"slug"}}};
constexpr KeyTable kSilentKeys(kSilentKeyRows);

// System lines that are links in the chain and nothing more.
constexpr std::array<Name, 25> kSilentSubtypeRows = {{{"agent_bootstrap"},
                                                      {"agent_launch_prompt"},
                                                      {"agent_retry"},
                                                      {"agent_session_ready"},
                                                      {"at_command"},
                                                      {"attribution_snapshot"},
                                                      {"background_task_completed"},
                                                      {"branch_checkpoint"},
                                                      {"chat_compression"},
                                                      {"file_history_snapshot"},
                                                      {"goal_runtime"},
                                                      {"goal_state"},
                                                      {"goal_turn_end"},
                                                      {"omni_recall"},
                                                      {"parent_session"},
                                                      {"rewind"},
                                                      {"session_approval_mode"},
                                                      {"session_artifact_event"},
                                                      {"session_artifact_snapshot"},
                                                      {"session_execution_engine"},
                                                      {"session_notes"},
                                                      {"session_source"},
                                                      {"session_sources_snapshot"},
                                                      {"turn_result"},
                                                      {"user_text_elements"}}};
constexpr KeyTable kSilentSubtypes(kSilentSubtypeRows);

// What hooks add to a prompt, in a part of its own.
bool is_hook_context(std::string_view text) {
  const std::string_view start = text::trim(text);
  return start.starts_with("<qwen:user-prompt-submit-context") ||
         start.starts_with("<qwen:session-start-context") || gemini::is_injected(start);
}

}  // namespace

bool RecordReader::read(ondemand::object& object, const LineInfo& where) {
  clear();
  where_ = where;
  const bool fine = each_field(
      object, [&](std::string_view key, ondemand::value field) { return read_field(key, field); });
  if (!fine) return false;
  deliver();
  return true;
}

void RecordReader::clear() {
  fields_ = {};
  reader_.clear();
  parts_.clear();
  blocks_.clear();
  unknown_.clear();
}

bool RecordReader::read_field(std::string_view key, ondemand::value field) {
  if (key == "uuid") return get_text(field, fields_.uuid);
  if (key == "parentUuid") return get_text(field, fields_.parent_uuid);
  if (key == "type") return get_text(field, fields_.type);
  if (key == "subtype") return get_text(field, fields_.subtype);
  if (key == "provenance") return get_text(field, fields_.provenance);
  if (key == "timestamp") return get_time(field, fields_.time);
  if (key == "cwd") return get_text(field, fields_.cwd);
  if (key == "version") return get_text(field, fields_.version);
  if (key == "gitBranch") return get_text(field, fields_.branch);
  if (key == "model") return get_text(field, fields_.model);
  if (key == "isSidechain") return get_flag(field, fields_.sidechain);
  if (key == "message") return read_message(field);
  if (key == "usageMetadata") return read_usage(field);
  if (key == "toolCallResult") return read_tool_result(field);
  if (key == "systemPayload") return read_payload(field);
  if (kSilentKeys.find(key) == nullptr) note_unknown("record.", key);
  return true;
}

bool RecordReader::read_message(ondemand::value value) {
  return each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "parts" || key == "content") return reader_.read(field, parts_);
    if (key != "role") note_unknown("message.", key);
    return true;
  });
}

// What came from the cache is counted in the prompt as well.
bool RecordReader::read_usage(ondemand::value value) {
  std::uint64_t prompt = 0;
  Usage& usage = fields_.usage;
  const bool fine = each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "promptTokenCount") return get_count(field, prompt);
    if (key == "candidatesTokenCount") return get_count(field, usage.output_tokens);
    return key != "cachedContentTokenCount" || get_count(field, usage.cache_read_tokens);
  });
  usage.input_tokens = prompt - std::min(prompt, usage.cache_read_tokens);
  return fine;
}

bool RecordReader::read_tool_result(ondemand::value value) {
  return each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "callId") return get_text(field, fields_.call_id);
    return key != "resultDisplay" || get_text(field, fields_.result_display);
  });
}

bool RecordReader::read_payload(ondemand::value value) {
  return each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "displayText") return get_text(field, fields_.display_text);
    if (key == "customTitle") return get_text(field, fields_.custom_title);
    if (key == "titleSource") return get_text(field, fields_.title_source);
    if (key == "rawCommand") return get_text(field, fields_.raw_command);
    if (key == "phase") return get_text(field, fields_.phase);
    return key != "modelId" || get_text(field, fields_.model_id);
  });
}

void RecordReader::note_unknown(std::string_view prefix, std::string_view name) {
  transcript::note_unknown(unknown_, unknown_name(prefix, name));
}

void RecordReader::deliver() {
  for (const GenaiPart& part : parts_) {
    if (part.kind == GenaiKind::other) note_unknown("part ", part.text);
  }
  const bool system = fields_.type == "system";
  const bool known = system || fields_.type == "user" || fields_.type == "assistant" ||
                     fields_.type == "tool_result";
  if (!known) note_unknown("type ", fields_.type);
  for (const std::string& what : unknown_) sink_.unknown(what);
  if (fields_.type == "user") return deliver_user();
  if (fields_.type == "assistant") return deliver_assistant();
  if (fields_.type == "tool_result") return deliver_tool_result();
  if (system) return deliver_system();
  deliver_link();
}

Record RecordReader::new_record() const {
  Record record;
  record.key = fields_.uuid;
  record.parent_key = fields_.parent_uuid;
  if (!fields_.uuid.empty() && fields_.parent_uuid.empty()) record.parent_key = kStart;
  record.sidechain = main_session_ && fields_.sidechain;
  record.time = fields_.time;
  record.cwd = fields_.cwd;
  record.branch = fields_.branch;
  record.version = fields_.version;
  record.offset = where_.offset;
  record.line = where_.line;
  return record;
}

void RecordReader::deliver_link() {
  Record record = new_record();
  record.structural = true;
  sink_.record(record);
}

void RecordReader::deliver_text(Record& record, RecordKind kind, std::string_view text) {
  Block block;
  block.text = text;
  record.kind = kind;
  record.blocks = {&block, 1};
  sink_.record(record);
}

// --- what people say ---------------------------------------------------------------------------

void RecordReader::deliver_user() {
  if (fields_.subtype == "mid_turn_user_message") {
    return deliver_prompt(RecordKind::joined_prompt, false);
  }
  if (fields_.subtype == "cron") return deliver_prompt(RecordKind::prompt, true);
  if (fields_.subtype == "goal_runtime") return deliver_link();
  const bool plain = fields_.subtype.empty() || fields_.subtype == "realtime_message";
  const bool by_program = fields_.provenance == "system" || fields_.provenance.starts_with("goal_");
  if (plain && !by_program) return deliver_prompt(RecordKind::prompt, false);
  if (!plain && fields_.subtype != "notification" &&
      kSilentSubtypes.find(fields_.subtype) == nullptr) {
    sink_.unknown(unknown_name("subtype ", fields_.subtype));
  }
  const std::string_view text = typed_text();
  if (text.empty()) return deliver_link();
  Record record = new_record();
  record.structural = true;
  deliver_text(record, RecordKind::note, text);
}

// What was typed; the files it names go into files_.
std::string_view RecordReader::typed_text() {
  std::erase_if(parts_, [](const GenaiPart& part) {
    return part.kind == GenaiKind::text && is_hook_context(part.text);
  });
  const gemini::Typed typed = gemini::split_files(joined_parts(parts_, GenaiKind::text, joined_));
  files_ = typed.files;
  if (text::is_blank(fields_.display_text)) return typed.text;
  return gemini::split_files(fields_.display_text).text;
}

void RecordReader::deliver_prompt(RecordKind kind, bool automated) {
  std::string_view text = typed_text();
  const auto media = std::ranges::find(parts_, GenaiKind::media, &GenaiPart::kind);
  if (text.empty() && media != parts_.end()) text = media->text;
  const gemini::TypedKind said = gemini::typed_kind(text);
  if (said == gemini::TypedKind::nothing) return deliver_link();
  Record record = new_record();
  record.model = fields_.model;
  record.automated = automated;
  if (said == gemini::TypedKind::command) kind = RecordKind::command;
  if (said == gemini::TypedKind::snapshot) kind = RecordKind::note;
  deliver_text(record, kind, text);
  if (files_.empty()) return;
  Record files = new_record();
  files.key = {};
  files.parent_key = {};
  deliver_text(files, RecordKind::note, files_);
}

// --- what the model and its tools say ----------------------------------------------------------

void RecordReader::deliver_assistant() {
  for (const GenaiPart& part : parts_) {
    Block block;
    block.text = part.text;
    if (part.kind == GenaiKind::call) {
      block = tool_call_block(part.name, part.id, reader_.input(part.input), genai_tool_rules(),
                              reader_.take_text());
    } else if (part.kind == GenaiKind::thought) {
      block.kind = BlockKind::thinking;
    } else if (part.kind != GenaiKind::text) {
      continue;
    }
    blocks_.push_back(block);
  }
  deliver_said(RecordKind::assistant);
}

void RecordReader::deliver_tool_result() {
  const auto is_response = [](const GenaiPart& part) { return part.kind == GenaiKind::response; };
  const bool single = std::ranges::count_if(parts_, is_response) == 1;
  for (const GenaiPart& part : parts_) {
    if (!is_response(part) && part.kind != GenaiKind::text) continue;
    Block block;
    block.kind = BlockKind::tool_result;
    block.tool_id = single && !fields_.call_id.empty() ? fields_.call_id : part.id;
    block.text = part.text.empty() && single ? fields_.result_display : part.text;
    if (!block.text.empty()) blocks_.push_back(block);
  }
  deliver_said(RecordKind::tool_output);
}

// Two records: the line as a link in the chain, which counts once, and what it says. Another line
// of the same uuid says something else, or nothing new.
void RecordReader::deliver_said(RecordKind kind) {
  Record link = new_record();
  if (!fields_.uuid.empty()) sink_.record(link);
  Record record = new_record();
  std::uint64_t hash = static_cast<std::uint64_t>(kind);
  for (const Block& block : blocks_) {
    hash = hash64(block.text, hash64(block.tool_id, hash + static_cast<std::uint64_t>(block.kind)));
  }
  key_ = std::string(fields_.uuid) + "#" + std::to_string(hash);
  if (!fields_.uuid.empty()) record.key = key_;
  record.parent_key = {};
  record.model = fields_.model;
  record.message_id = kind == RecordKind::assistant ? fields_.uuid : std::string_view{};
  record.usage = fields_.usage;
  record.kind = kind;
  record.blocks = blocks_;
  if (blocks_.empty() && kind != RecordKind::assistant) return;
  sink_.record(record);
}

// --- the rest ----------------------------------------------------------------------------------

void RecordReader::deliver_system() {
  Record record = new_record();
  record.structural = true;
  if (fields_.subtype == "custom_title") {
    record.title = fields_.custom_title;
    record.title_kind = fields_.title_source == "auto" ? TitleKind::ai : TitleKind::custom;
    return sink_.record(record);
  }
  if (fields_.subtype == "session_model") {
    record.model = fields_.model_id;
    return sink_.record(record);
  }
  const bool typed = fields_.subtype == "slash_command" && fields_.phase != "result";
  if (typed && !text::is_blank(fields_.raw_command)) {
    return deliver_text(record, RecordKind::command, text::trim(fields_.raw_command));
  }
  // Sessions that keep their records elsewhere leave only these.
  if (fields_.subtype == "managed_session_header_v1") {
    sink_.problem(ProblemKind::unknown_schema, where_.line);
  }
  const bool known = fields_.subtype == "slash_command" || fields_.subtype == "ui_telemetry" ||
                     fields_.subtype.starts_with("managed_session_") ||
                     kSilentSubtypes.find(fields_.subtype) != nullptr;
  if (!known) {
    sink_.unknown(unknown_name("subtype ", fields_.subtype));
  }
  sink_.record(record);
}

}  // namespace yore::transcript::qwen
