#include "transcript/dialects/gemini/records.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/contains.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/dialects/gemini/prompt.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::gemini {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMaxCalls = 10'000;
// Stands for what comes before the first message, so that its rewinding is seen as one.
constexpr std::string_view kStart = "start";
constexpr std::string_view kResultKey = "result ";
// What the model is made to say to a compressed history.
constexpr std::string_view kAcknowledgement = "Got it. Thanks for the additional context!";

constexpr std::array<std::string_view, 3> kProgramTypes = {"error", "info", "warning"};
// Forks call the model by other names.
constexpr std::array<std::string_view, 5> kModelTypes = {"assistant", "gemini", "model", "qwen",
                                                         "tabnine"};
constexpr std::array<std::string_view, 3> kFinished = {"cancelled", "error", "success"};
// Known, but not needed here.
constexpr std::array<std::string_view, 5> kSilentCallKeys = {
    "agentId", "description", "displayName", "kind", "renderOutputAsMarkdown"};

Block text_block(BlockKind kind, std::string_view text) {
  Block block;
  block.kind = kind;
  block.text = text;
  return block;
}

}  // namespace

bool MessageReader::read(ondemand::object& object, const LineInfo& where) {
  clear();
  where_ = where;
  if (!read_fields(object)) return false;
  deliver();
  return true;
}

void MessageReader::clear() {
  message_ = {};
  parts_.clear();
  content_.clear();
  display_.clear();
  thoughts_.clear();
  calls_.clear();
  unknown_.clear();
  blocks_.clear();
}

bool MessageReader::read_fields(ondemand::object& object) {
  return each_field(object, [&](std::string_view key, ondemand::value field) {
    if (key == "id") return get_text(field, message_.id);
    if (key == "type" || key == "role") return get_text(field, message_.type);
    if (key == "timestamp") return get_time(field, message_.time);
    if (key == "model") return get_text(field, message_.model);
    if (key == "content" || key == "parts") return parts_.read(field, content_);
    if (key == "displayContent") return parts_.read(field, display_);
    if (key == "tokens") return read_tokens(field);
    if (key != "thoughts" && key != "toolCalls") {
      note_unknown("message.", key);
      return true;
    }
    ondemand::json_type type{};
    if (!get_type(field, type)) return false;
    if (type != ondemand::json_type::array) return true;
    return each_item(field, [&](ondemand::value item) {
      return key == "thoughts" ? read_thought(item) : read_tool_call(item);
    });
  });
}

bool MessageReader::read_thought(ondemand::value value) {
  std::string_view subject;
  std::string_view description;
  const bool fine = each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "subject") return get_text(field, subject);
    return key != "description" || get_text(field, description);
  });
  std::string& thought = parts_.take_text();
  text::append_line(thought, subject);
  text::append_line(thought, description);
  if (!thought.empty() && thoughts_.size() < kMaxCalls) thoughts_.push_back(thought);
  return fine;
}

// `input` counts what came from the cache as well.
bool MessageReader::read_tokens(ondemand::value value) {
  std::uint64_t input = 0;
  std::uint64_t thoughts = 0;
  Usage& usage = message_.usage;
  const bool fine = each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "input") return get_count(field, input);
    if (key == "output") return get_count(field, usage.output_tokens);
    if (key == "cached") return get_count(field, usage.cache_read_tokens);
    return key != "thoughts" || get_count(field, thoughts);
  });
  usage.input_tokens = input - std::min(input, usage.cache_read_tokens);
  usage.output_tokens += thoughts;
  return fine;
}

bool MessageReader::read_tool_call(ondemand::value value) {
  ondemand::json_type type{};
  if (!get_type(value, type)) return false;
  if (type != ondemand::json_type::object || calls_.size() == kMaxCalls) return true;
  ToolCall call;
  const bool fine = each_field(value, [&](std::string_view key, ondemand::value field) {
    if (key == "id") return get_text(field, call.id);
    if (key == "name") return get_text(field, call.name);
    if (key == "status") return get_text(field, call.status);
    if (key == "timestamp") return get_time(field, call.time);
    if (key == "args") return parts_.read_input(field, call.input);
    if (key == "result") return read_result(field, call.result);
    if (key == "resultDisplay") return get_text(field, call.display);
    if (!contains(kSilentCallKeys, key)) note_unknown("toolCall.", key);
    return true;
  });
  calls_.push_back(call);
  return fine;
}

bool MessageReader::read_result(ondemand::value value, std::string_view& text) {
  result_.clear();
  if (!parts_.read(value, result_)) return false;
  std::string& joined = parts_.take_text();
  for (const GenaiPart& part : result_) {
    const bool words = part.kind == GenaiKind::response || part.kind == GenaiKind::text;
    if (words) text::append_line(joined, part.text);
  }
  text = joined;
  return true;
}

void MessageReader::note_unknown(std::string_view prefix, std::string_view name) {
  transcript::note_unknown(unknown_, unknown_name(prefix, name));
}

void MessageReader::deliver() {
  const bool from_model = contains(kModelTypes, message_.type);
  const bool from_person = message_.type == "user";
  if (!from_model && !from_person && !contains(kProgramTypes, message_.type)) {
    note_unknown("type ", message_.type);
  }
  for (const GenaiPart& part : content_) {
    if (part.kind == GenaiKind::other) note_unknown("part ", part.text);
  }
  for (const std::string& what : unknown_) sink_.unknown(what);
  if (from_person) deliver_user();
  if (from_model) deliver_assistant();
  if (!from_person && !from_model) return;
  parent_ = message_.id.empty() ? "#" + std::to_string(number_) : std::string(message_.id);
}

Record MessageReader::new_record() const {
  Record record;
  record.time = message_.time;
  record.offset = where_.offset;
  record.line = where_.line;
  return record;
}

void MessageReader::deliver_user() {
  for (const GenaiPart& part : content_) {
    if (part.kind == GenaiKind::response) deliver_result(part.id, part.text, message_.time);
  }
  const auto injected = [](const GenaiPart& part) {
    return part.kind == GenaiKind::text && is_injected(part.text);
  };
  std::erase_if(content_, injected);
  std::erase_if(display_, injected);
  const Typed typed = split_files(joined_parts(content_, GenaiKind::text, joined_));
  attached_ = typed.files;
  std::string display;
  const std::string_view shown = text::trim(joined_parts(display_, GenaiKind::text, display));
  deliver_typed(shown.empty() ? typed.text : shown);
  if (!attached_.empty()) deliver_text(RecordKind::note, attached_, false);
}

void MessageReader::deliver_typed(std::string_view text) {
  const auto media = std::ranges::find(content_, GenaiKind::media, &GenaiPart::kind);
  if (text.empty() && media != content_.end()) text = media->text;
  switch (typed_kind(text)) {
    case TypedKind::nothing:
      return deliver_text(RecordKind::meta, {}, true);
    case TypedKind::command:
      return deliver_text(RecordKind::command, text, true);
    case TypedKind::snapshot:
      return deliver_text(RecordKind::note, text, true);
    case TypedKind::prompt:
      break;
  }
  std::string parent = parent_.empty() ? std::string(kStart) : parent_;
  if (rewound_to_) parent = *std::exchange(rewound_to_, std::nullopt);
  prompts_.push_back({number_, std::move(parent)});
  deliver_text(RecordKind::prompt, text, true);
}

void MessageReader::deliver_text(RecordKind kind, std::string_view text, bool with_key) {
  Record record = new_record();
  Block block;
  block.text = text;
  record.kind = kind;
  record.compaction = kind == RecordKind::note && with_key;  // a snapshot, nothing attached
  if (!text.empty()) record.blocks = {&block, 1};
  if (with_key) record.key = message_.id;
  if (kind == RecordKind::prompt) record.parent_key = prompts_.back().parent;
  sink_.record(record);
}

void MessageReader::deliver_assistant() {
  const std::string_view said = text::trim(joined_parts(content_, GenaiKind::text, joined_));
  const bool own_words = said != kAcknowledgement || !message_.model.empty();
  for (const std::string_view thought : thoughts_) {
    blocks_.push_back(text_block(BlockKind::thinking, thought));
  }
  for (const GenaiPart& part : content_) {
    if (part.kind == GenaiKind::thought) {
      blocks_.push_back(text_block(BlockKind::thinking, part.text));
    } else if (part.kind == GenaiKind::text && own_words) {
      blocks_.push_back(text_block(BlockKind::text, part.text));
    } else if (part.kind == GenaiKind::call) {
      blocks_.push_back(tool_call_block(part.name, part.id, parts_.input(part.input),
                                        genai_tool_rules(), parts_.take_text()));
    }
  }
  Record record = new_record();
  record.kind = blocks_.empty() ? RecordKind::meta : RecordKind::assistant;
  record.key = message_.id;
  record.message_id = message_.id;
  record.model = message_.model;
  record.blocks = blocks_;
  sink_.record(record);

  if (message_.usage != Usage{}) {
    Record usage = new_record();
    usage.kind = RecordKind::assistant;
    usage.message_id = message_.id;
    usage.usage = message_.usage;
    sink_.record(usage);
  }
  for (const ToolCall& call : calls_) deliver_call(call);
}

void MessageReader::deliver_call(const ToolCall& call) {
  const ToolInput& input = parts_.input(call.input);
  const Block block = tool_call_block(call.name, call.id, input, genai_tool_rules(), rendering_);
  Record record = new_record();
  record.kind = RecordKind::assistant;
  record.message_id = message_.id;
  record.model = message_.model;
  record.blocks = {&block, 1};
  record.cwd = directory_.look_at(block.file.empty() ? input.get({"dir_path", "directory", "path"})
                                                     : block.file);
  if (call.time != kNoTime) record.time = call.time;
  sink_.record(record);
  // What a tool has said so far is not its result.
  if (!call.status.empty() && !contains(kFinished, call.status)) return;
  deliver_result(call.id, call.result.empty() ? call.display : call.result, record.time);
}

// Compression repeats results in messages of their own: the key keeps them from counting twice.
void MessageReader::deliver_result(std::string_view call_id, std::string_view text, Time time) {
  if (text.empty()) return;
  std::string key;
  if (!call_id.empty()) key.append(kResultKey).append(call_id);
  Block block;
  block.kind = BlockKind::tool_result;
  block.tool_id = call_id;
  block.text = text;
  Record record = new_record();
  record.kind = RecordKind::tool_output;
  record.key = key;
  record.time = time;
  record.blocks = {&block, 1};
  sink_.record(record);
}

void MessageReader::deliver_title(std::string_view title, const LineInfo& where) {
  Record record;
  record.title = title;
  record.title_kind = TitleKind::ai;
  record.offset = where.offset;
  record.line = where.line;
  sink_.record(record);
}

void MessageReader::rewind(std::uint32_t first) {
  const auto taken_back = std::ranges::find_if(
      prompts_, [first](const Prompt& prompt) { return prompt.number >= first; });
  if (taken_back == prompts_.end()) return;
  rewound_to_ = std::move(taken_back->parent);
  prompts_.erase(taken_back, prompts_.end());
}

}  // namespace yore::transcript::gemini
