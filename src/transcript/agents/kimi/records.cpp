#include "transcript/agents/kimi/records.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/agents/kimi/text.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript::kimi {
namespace {

namespace od = simdjson::ondemand;

constexpr std::size_t kMaxNameBytes = 64;
// Prompts that wait to be sent to the model; more is a file of another kind.
constexpr std::size_t kMaxTyped = 32;

// Lines of a context that are no messages.
constexpr std::array<std::string_view, 4> kSilentRoles = {"_checkpoint", "_system_prompt", "_usage",
                                                          "system"};
constexpr std::array<std::string_view, 17> kSilentWires = {
    "ApprovalRequest",  "ApprovalRequestResolved",
    "ApprovalResponse", "CompactionBegin",
    "CompactionEnd",    "HookResolved",
    "HookTriggered",    "MCPLoadingBegin",
    "MCPLoadingEnd",    "QuestionRequest",
    "QuestionResponse", "StepBegin",
    "StepInterrupted",  "StepRetry",
    "SubagentEvent",    "ToolCallRequest",
    "TurnEnd"};
constexpr std::array<std::string_view, 4> kSilentEvents = {"llm.request", "step.begin", "step.end",
                                                           "step.interrupted"};
// Records of which at most model, directory and version are of use.
constexpr std::array<std::string_view, 12> kSilentRecords = {
    "config.update", "context.clear", "context.reset",      "context.undo",
    "forked",        "llm.request",   "llm.tools_snapshot", "metadata",
    "profile.bind",  "turn.cancel",   "turn.ended",         "usage.record"};
constexpr std::array<std::string_view, 8> kSilentFamilies = {
    "full_compaction.", "goal.",    "permission.",     "plan_mode.",
    "plugin.",          "runtime.", "token_counting.", "tools."};

constexpr std::array<ToolRule, 19> kToolRules = {{
    {"Bash", "command", {"command", "cmd"}, kCommandChars},
    {"Shell", "command", {"command", "cmd"}, kCommandChars},
    {"CMD", "command", {"command", "cmd"}, kCommandChars},
    {"Read", "file", kPathArguments},
    {"ReadFile", "file", kPathArguments},
    {"ReadMediaFile", "file", kPathArguments},
    {"Write", "file", kPathArguments},
    {"WriteFile", "file", kPathArguments},
    {"Edit", "file", kPathArguments},
    {"StrReplaceFile", "file", kPathArguments},
    {"Grep", "pattern", {"pattern"}},
    {"Glob", "pattern", {"pattern"}},
    {"Agent", "type", {"subagent_type", "subagent_name"}},
    {"Agent", "description", {"description"}},
    {"Task", "type", {"subagent_type", "subagent_name"}},
    {"Task", "description", {"description"}},
    {"SearchWeb", "query", {"query"}, kQueryChars},
    {"WebSearch", "query", {"query"}, kQueryChars},
    {"FetchURL", "query", {"url"}, kQueryChars},
}};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string named(std::string_view prefix, std::string_view name) {
  return std::string(prefix) += text::prefix_bytes(name, kMaxNameBytes);
}

}  // namespace

bool EntryReader::read(od::object& object, const LineInfo& where) {
  clear();
  where_ = where;
  const bool whole = each_field(
      object, [&](std::string_view key, od::value value) { return read_top(key, value); });
  if (!whole) return false;
  if (!entry_.wire.empty()) {
    deliver_wire();
  } else if (!entry_.type.empty()) {
    deliver_record();
  } else if (!entry_.role.empty() && !entry_.has_message) {
    deliver_context();
  } else {
    return false;
  }
  for (const std::string& what : unknown_) sink_.unknown(what);
  return true;
}

void EntryReader::clear() {
  unknown_.clear();
  entry_ = {};
  pieces_.clear();
  calls_.clear();
}

void EntryReader::deliver_context() {
  const auto role = entry_.role;
  if (role == "assistant") return deliver_answer();
  if (role == "tool") return deliver_output();
  if (role == "user") return deliver_sent();
  pass_over(contains(kSilentRoles, role), "role ", role);
}

void EntryReader::deliver_wire() {
  const auto type = entry_.wire;
  if (type == "TurnBegin") return deliver_from(RecordKind::prompt);
  if (type == "SteerInput") return deliver_from(RecordKind::joined_prompt);
  if (type == "ContentPart" || type == "ToolCall") return deliver_answer();
  if (type == "ToolResult") return deliver_output();
  // The rest of a call that was written in pieces.
  if (type == "ToolCallPart") return deliver_text(RecordKind::tool_output, entry_.text);
  if (type == "Notification" || type == "PlanDisplay") {
    return deliver_text(RecordKind::note, entry_.text);
  }
  if (type == "StatusUpdate") return deliver_meta(RecordKind::assistant);
  pass_over(contains(kSilentWires, type), "type ", type);
}

void EntryReader::deliver_record() {
  const auto type = entry_.type;
  if (type == "turn.prompt") return deliver_typed(RecordKind::prompt);
  if (type == "turn.steer") return deliver_typed(RecordKind::joined_prompt);
  if (type == "context.append_loop_event") return deliver_event();
  if (type == "context.apply_compaction") return deliver_text(RecordKind::note, entry_.text);
  if (type == "context.append_message") return deliver_context();
  const bool known = contains(kSilentRecords, type) ||
                     std::ranges::any_of(kSilentFamilies, [&](std::string_view family) {
                       return type.starts_with(family);
                     });
  pass_over(known, "type ", type);
}

void EntryReader::deliver_event() {
  const auto event = entry_.event;
  if (event == "content.part" || event == "tool.call") return deliver_answer();
  if (event == "tool.result") return deliver_output();
  if (event == "step.end") return deliver_meta(RecordKind::assistant);
  pass_over(contains(kSilentEvents, event), "event ", event);
}

// What was typed; the same words will come again when they are sent.
void EntryReader::deliver_typed(RecordKind kind) {
  const auto text = joined_text();
  if (text.empty()) return deliver_meta();
  state_.typed.push_back(hash64(text));
  if (state_.typed.size() > kMaxTyped) state_.typed.erase(state_.typed.begin());
  deliver_from(kind);
}

// A message of the user's role in what the model is sent.
void EntryReader::deliver_sent() {
  const auto text = joined_text();
  const auto typed = std::find(state_.typed.begin(), state_.typed.end(), hash64(text));
  if (typed != state_.typed.end()) {
    state_.typed.erase(typed);
    return deliver_meta();
  }
  // A machine's word that began no turn is for the model alone.
  const bool by_machine = writer_of(entry_.origin, entry_.origin_name) == Writer::machine;
  if (!by_machine) return deliver_from(RecordKind::prompt);
  report_origin();
  deliver_meta();
}

void EntryReader::report_origin() {
  if (!is_known_origin(entry_.origin)) sink_.unknown(named("origin ", entry_.origin));
}

void EntryReader::deliver_from(RecordKind kind) {
  const auto raw = joined_text();
  const auto writer = writer_of(entry_.origin, entry_.origin_name);
  report_origin();
  if (writer == Writer::shell_output) {
    return deliver_text(RecordKind::tool_output, raw, BlockKind::tool_result);
  }
  if (is_compaction(raw)) return deliver_text(RecordKind::note, strip_injected(raw));
  const auto text = strip_injected(raw);
  const bool only_injected = text.empty() && !raw.empty();
  if (writer == Writer::injected || only_injected || pieces_.empty()) return deliver_meta();
  if (writer == Writer::notice) return deliver_text(RecordKind::note, text);
  Block block;
  block.text = text;
  Record record = new_record(kind);
  record.blocks = {&block, 1};
  record.machine_made = writer == Writer::machine;
  sink_.record(record);
}

void EntryReader::deliver_answer() {
  bool any = false;
  for (const Piece& piece : pieces_) {
    const bool thinking = piece.type == "think";
    if (!thinking && piece.type != "text") {
      if (!piece.type.ends_with("_url")) sink_.unknown(named("piece ", piece.type));
      continue;
    }
    if (piece.text.empty()) continue;
    Block block;
    block.kind = thinking ? BlockKind::thinking : BlockKind::text;
    block.text = piece.text;
    Record record = new_record(RecordKind::assistant);
    record.blocks = {&block, 1};
    if (!any) record.key = entry_.key;
    any = true;
    sink_.record(record);
  }
  any = any || !calls_.empty();
  deliver_calls();
  if (!any) deliver_meta();
}

void EntryReader::deliver_calls() {
  for (const Call& call : calls_) {
    const ToolInput* input = call.has_input ? &input_ : &arguments_;
    bool readable = call.has_input;
    if (!readable) {
      arguments_.clear();
      inner_.assign(call.arguments);
      inner_.append(simdjson::SIMDJSON_PADDING, ' ');
      const simdjson::padded_string_view json(inner_.data(), call.arguments.size(), inner_.size());
      od::document document;
      od::value value;
      readable = parser_.iterate(json).get(document) == simdjson::SUCCESS &&
                 document.get_value().get(value) == simdjson::SUCCESS && arguments_.read(value);
      // Arguments that were cut off: what of them came first is not trusted by name.
      if (!readable) arguments_.clear();
    }
    Block block = tool_call_block(call.name, call.id, *input, kToolRules, rendering_);
    if (!readable) block.text = text::prefix_bytes(call.arguments, kInputBytes);
    Record record = new_record(RecordKind::assistant);
    record.blocks = {&block, 1};
    sink_.record(record);
  }
}

void EntryReader::deliver_output() {
  auto text = joined_text();
  if (text.empty()) text = entry_.text;
  if (text.empty()) return deliver_meta();
  deliver_text(RecordKind::tool_output, text, BlockKind::tool_result);
}

void EntryReader::deliver_meta(RecordKind kind) {
  Record record = new_record(kind);
  record.usage = kind == RecordKind::assistant ? entry_.usage : Usage{};
  record.message_id = entry_.message_id;
  sink_.record(record);
}

void EntryReader::pass_over(bool known, std::string_view what, std::string_view name) {
  unknown_.clear();
  if (!known) sink_.unknown(named(what, name));
  deliver_meta();
}

void EntryReader::deliver_text(RecordKind kind, std::string_view text, BlockKind block_kind) {
  if (text.empty()) return deliver_meta();
  Block block;
  block.kind = block_kind;
  block.text = text;
  block.tool_id = entry_.call_id;
  Record record = new_record(kind);
  record.blocks = {&block, 1};
  sink_.record(record);
}

Record EntryReader::new_record(RecordKind kind) const {
  Record record;
  record.kind = kind;
  record.time = entry_.time;
  // "moonshot-ai/kimi-k2": some lines name the provider too.
  record.model = entry_.model.substr(entry_.model.rfind('/') + 1);
  record.cwd = entry_.cwd;
  record.version = entry_.version;
  record.offset = where_.offset;
  record.line = where_.line;
  return record;
}

std::string_view EntryReader::joined_text() {
  std::size_t texts = 0;
  std::string_view only;
  joined_.clear();
  for (const Piece& piece : pieces_) {
    if (piece.type != "text" || piece.text.empty()) continue;
    if (texts++ == 0) {
      only = piece.text;
      continue;
    }
    if (texts == 2) joined_ = only;
    joined_ += '\n';
    joined_ += piece.text;
  }
  return texts <= 1 ? only : std::string_view{joined_};
}

}  // namespace yore::transcript::kimi
