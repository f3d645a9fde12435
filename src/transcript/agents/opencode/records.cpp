#include "transcript/agents/opencode/records.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/limits.hpp"
#include "transcript/spec/tool_rules.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::opencode {
namespace {

namespace od = simdjson::ondemand;

// Parts that hold no words.
constexpr std::array<std::string_view, 7> kSilentParts = {
    "agent", "compaction", "patch", "retry", "snapshot", "step-finish", "step-start"};
// Rows of session_message that nobody typed and nobody is answered by.
constexpr std::array<std::string_view, 7> kSilentRows = {
    "agent-switched", "idle",  "location-switched", "model-switched", "skill",
    "synthetic",      "system"};

// Its own tools that are named as those of other programs are.
constexpr std::array<std::string_view, 3> kOwnTools = {"apply_patch", "plan_enter", "plan_exit"};

constexpr std::array<ToolRule, 14> kToolRules = {{
    {"bash", "command", {"command", "cmd"}, kCommandChars},
    {"shell", "command", {"command", "cmd"}, kCommandChars},
    {"read", "file", kPathArguments},
    {"write", "file", kPathArguments},
    {"edit", "file", kPathArguments},
    {"multiedit", "file", kPathArguments},
    {"list", "file", kPathArguments},
    {"grep", "pattern", {"pattern"}},
    {"glob", "pattern", {"pattern"}},
    {"task", "type", {"subagent_type"}},
    {"task", "description", {"description"}},
    {"webfetch", "query", {"url"}, kQueryChars},
    {"websearch", "query", {"query"}, kQueryChars},
    {"skill", "name", {"name"}},
}};

Block text_block(std::string_view text, BlockKind kind = BlockKind::text) {
  Block block;
  block.kind = kind;
  block.text = text;
  return block;
}

}  // namespace

void PartReader::begin(const Item& message, const MessageHead& head, std::uint64_t number,
                       bool settled) {
  message_ = &message;
  head_ = &head;
  number_ = number;
  part_number_ = 0;
  settled_ = settled;
  prompted_ = false;
  attached_ = false;
  findings_.clear();
}

void PartReader::clear_parts() {
  parts_.clear();
  inputs_used_ = 0;
  joined_.clear();
  unknown_keys_.clear();
}

bool PartReader::add_part(const Item& part, bool followed) {
  if (part.problem || part.json.empty()) {
    findings_.problem(part.problem.value_or(ProblemKind::invalid_json), number_);
    return settled_;
  }
  bool read = false;
  bool final = false;
  read_json_text(part.json, {number_, number_}, findings_,
                 [&](od::object& object, const LineInfo&) {
                   clear_parts();
                   if (!read_part(object)) return false;
                   Part& only = parts_.front();
                   if (only.type.empty() || (only.type == "tool" && only.tool.empty()))
                     return false;
                   only.id = part.id;
                   read = true;
                   final = deliver_parts(followed);
                   return true;
                 });
  return read ? final : settled_;
}

bool PartReader::add_row() {
  bool read = false;
  bool final = false;
  Findings counted;  // by the reader of the head
  const LineInfo where{number_, number_};
  read_json_text(message_->json, where, counted, [&](od::object& object, const LineInfo&) {
    clear_parts();
    Row row;
    const bool whole = each_field(object, [&](std::string_view key, od::value value) {
      if (key == "text") return get_text(value, row.text);
      if (key == "command") return get_text(value, row.command);
      if (key == "output") return get_text(value, row.output);
      if (key == "summary") return get_text(value, row.summary);
      od::json_type type{};
      if (!get_type(value, type)) return false;
      if (key != "content" || type != od::json_type::array) return true;
      return each_item(value, [&](od::value item) {
        od::object part;
        if (item.get_object().get(part) != simdjson::SUCCESS) return false;
        return parts_.size() >= kMaxParts || read_part(part);
      });
    });
    if (!whole) return false;
    read = true;
    final = head_->type == "assistant" ? deliver_parts(false) : deliver_row(row);
    return true;
  });
  return read ? final : settled_;
}

bool PartReader::deliver_parts(bool followed) {
  for (const std::string& key : unknown_keys_) findings_.unknown("part." + key);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    ++part_number_;
    const bool has_next = followed || i + 1 < parts_.size();
    if (!deliver_part(parts_[i], has_next)) return false;
  }
  return true;
}

bool PartReader::deliver_part(const Part& part, bool followed) {
  const bool by_person = head_->type == "user";
  if (part.type == "text") {
    if (part.hidden) return true;
    if (!by_person) return deliver_words(part, BlockKind::text, followed);
    deliver_typed(part, part.text);
  } else if (part.type == "reasoning") {
    return deliver_words(part, BlockKind::thinking, followed);
  } else if (part.type == "tool") {
    return deliver_tool(part);
  } else if (part.type == "subtask") {
    deliver_typed(part, part.prompt);
  } else if (part.type == "file") {
    attached_ = true;
  } else if (!contains(kSilentParts, part.type)) {
    findings_.unknown(unknown_name("part ", part.type));
  }
  return true;
}

// Words that still grow have no key; more of the same part continues them.
bool PartReader::deliver_words(const Part& part, BlockKind kind, bool followed) {
  const bool final = settled_ || followed || part.end != kNoTime;
  // What grows may end in white space that is gone when it is done.
  const auto end = part.text.find_last_not_of(" \t\r\n");
  const auto text = part.text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  if (text.empty()) return final;
  const auto record = head_->compaction ? RecordKind::note : RecordKind::assistant;
  if (!final && record == RecordKind::note) return false;
  const auto key = key_of(part, "");
  deliver(record, text_block(text, kind), final ? key : std::string_view{}, part.start, key);
  return final;
}

void PartReader::deliver_typed(const Part& part, std::string_view text) {
  if (text.empty()) return;
  // The first of a message opens the turn, under the message's own key.
  const bool first = !prompted_;
  prompted_ = true;
  deliver(first ? RecordKind::prompt : RecordKind::joined_prompt, text_block(text),
          first ? std::string_view(message_->id) : key_of(part, ""), head_->created);
}

bool PartReader::deliver_tool(const Part& part) {
  static const ToolInput kNoInput;
  const bool done = !part.output.empty() || part.status == "completed" || part.status == "error";
  if (!settled_ && !done && part.status != "running") return false;
  const ToolInput& input = part.input == SIZE_MAX ? kNoInput : inputs_[part.input];
  const auto call_id = part.call_id.empty() ? part.id : part.call_id;
  const McpNames names = contains(kOwnTools, part.tool) ? McpNames::marked : McpNames::underscore;
  const Block call = tool_call_block(part.tool, call_id, input, kToolRules, rendering_, names);
  deliver(RecordKind::assistant, call, key_of(part, ""), part.start);
  if (!settled_ && !done) return false;
  if (part.output.empty()) return true;
  Block result = text_block(part.output, BlockKind::tool_result);
  result.tool_id = call_id;
  deliver(RecordKind::tool_output, result, key_of(part, "/output"), part.end);
  return true;
}

bool PartReader::deliver_row(const Row& row) {
  const std::string& type = head_->type;
  if (type == "user") {
    if (!row.text.empty()) deliver(RecordKind::prompt, text_block(row.text), message_->id, kNoTime);
    prompted_ = !row.text.empty();
    attached_ = true;
  } else if (type == "shell") {
    const std::string typed = std::string("! ") += row.command;
    deliver(RecordKind::prompt, text_block(typed), message_->id, kNoTime);
    prompted_ = true;
    if (!settled_) return false;
    if (row.output.empty()) return true;
    key_ = message_->id + "/output";
    deliver(RecordKind::tool_output, text_block(row.output, BlockKind::tool_result), key_, kNoTime);
  } else if (type == "compaction") {
    if (!settled_ || row.summary.empty()) return settled_;
    key_ = message_->id + "/summary";
    deliver(RecordKind::note, text_block(row.summary), key_, kNoTime);
  } else if (!contains(kSilentRows, type)) {
    findings_.unknown(unknown_name("type ", type));
  }
  return true;
}

void PartReader::finish(Findings& head_findings) {
  head_findings.hand_over(sink_);
  findings_.hand_over(sink_);
  if (head_->type.empty() || prompted_) return;
  // A picture without words is a prompt all the same.
  if (head_->type == "user" && attached_) {
    return deliver(RecordKind::prompt, Block{}, message_->id, kNoTime);
  }
  const bool known = head_->type == "user" || head_->type == "assistant" || !message_->type.empty();
  if (!known) sink_.unknown(unknown_name("role ", head_->type));
  Record record;
  record.kind = head_->type == "assistant" ? RecordKind::assistant : RecordKind::meta;
  record.key = message_->id;
  record.message_id = message_->id;
  record.time = head_->created;
  record.model = head_->type == "user" ? std::string_view{} : head_->model;
  record.usage = head_->usage;
  record.cwd = head_->cwd;
  record.version = session_.version;
  record.offset = number_;
  sink_.record(record);
}

void PartReader::deliver(RecordKind kind, const Block& block, std::string_view key, Time time,
                         std::string_view growing) {
  Record record;
  record.kind = kind;
  record.blocks = {&block, 1};
  record.key = key;
  record.time = time == kNoTime ? head_->created : time;
  record.cwd = head_->cwd.empty() ? std::string_view(session_.directory) : head_->cwd;
  record.version = session_.version;
  record.offset = number_;
  record.compaction = kind == RecordKind::note;  // nothing else is one
  if (kind == RecordKind::assistant) record.model = head_->model;
  record.message_id = growing;
  sink_.record(record);
}

// Parts of session_message have no ids that are theirs alone.
std::string_view PartReader::key_of(const Part& part, std::string_view suffix) {
  if (!message_->type.empty() || part.id.empty()) {
    key_ = message_->id + "/" + std::to_string(part_number_);
  } else {
    key_ = part.id;
  }
  key_ += suffix;
  return key_;
}

}  // namespace yore::transcript::opencode
