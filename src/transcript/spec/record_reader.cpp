#include "transcript/spec/record_reader.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "text/glob.hpp"
#include "text/utf8.hpp"
#include "transcript/limits.hpp"
#include "transcript/spec/fenced_calls.hpp"
#include "transcript/spec/plain_path.hpp"
#include "transcript/spec/spec_names.hpp"
#include "transcript/spec/typed_text.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript {
namespace {

using simdjson::ondemand::object;

// What the first records of a tree answer: so a second beginning is seen as one.
constexpr std::string_view kRoot = "root";

// "type x": `what` as a description names it.
std::string named(std::string_view what, std::string_view name) {
  return unknown_name(std::string(what) + " ", name);
}

bool fits(std::string_view text, const std::string& value) {
  if (!value.ends_with('*')) return text == value;
  return text.starts_with(std::string_view(value).substr(0, value.size() - 1));
}

bool flag(const RecordDraft& draft, Slot slot) {
  switch (slot) {
    case Slot::shown:
      return draft.shown;
    case Slot::sidechain:
      return draft.sidechain;
    case Slot::machine:
      return draft.machine;
    case Slot::body:
      return draft.body;
    case Slot::blocks:
      return std::ranges::any_of(draft.content.parts(), [](const ContentPart& part) {
        const bool words = part.kind != ContentKind::text && part.kind != ContentKind::thinking;
        return words || !text::is_blank(part.text);
      });
    default:
      return !draft.text(slot).empty();
  }
}

bool is_call(const ContentPart& part) {
  return part.kind == ContentKind::call || part.kind == ContentKind::call_and_result;
}

bool holds(const RecordDraft& draft, const Condition& condition) {
  if (condition.values.empty()) return flag(draft, condition.slot) == condition.wanted;
  const std::string_view text = draft.text(condition.slot);
  return std::ranges::any_of(condition.values,
                             [&](const std::string& value) { return fits(text, value); });
}

// By RecordAs; what is not delivered in this way is meta.
RecordKind kind_of(RecordAs as) {
  switch (as) {
    case RecordAs::prompt:
      return RecordKind::prompt;
    case RecordAs::joined_prompt:
      return RecordKind::joined_prompt;
    case RecordAs::queued_prompt:
      return RecordKind::queued_prompt;
    case RecordAs::command:
      return RecordKind::command;
    case RecordAs::note:
      return RecordKind::note;
    default:
      return RecordKind::meta;
  }
}

}  // namespace

bool says_nothing(const AgentSpec& spec, std::string_view title) {
  return std::ranges::any_of(
      spec.untitled, [title](const std::string& glob) { return text::glob_match(glob, title); });
}

RecordReader::RecordReader(const CompiledSpec& compiled, const SessionRef& session,
                           RecordSink& sink, RecordHook* hook)
    : spec_(compiled.spec),
      compiled_(compiled),
      sink_(sink),
      hook_(hook),
      session_hash_(hash64(session.id)),
      draft_(compiled.spec.dialect) {}

const RecordRule* RecordReader::find_rule() {
  for (const RecordRule& rule : spec_.records) {
    const auto each = [this](const Condition& condition) { return holds(draft_, condition); };
    if (std::ranges::all_of(rule.when, each)) return &rule;
  }
  return nullptr;
}

bool RecordReader::read(object& json, const LineInfo& where) {
  if (!read_fields(compiled_.fields, json, draft_, unknown_)) return false;
  const RecordRule* rule = find_rule();
  draft_.as = rule == nullptr ? RecordAs::unknown : rule->as;
  if (draft_.as == RecordAs::malformed) return false;
  if (draft_.as == RecordAs::meta && !spec_.tags.empty()) read_tags();
  draft_.any_keys = rule != nullptr && rule->any_keys;
  draft_.machine = draft_.machine || (rule != nullptr && rule->machine);
  draft_.thinking = rule != nullptr && rule->thinking;
  if (hook_ != nullptr) hook_->adjust(draft_);
  if (!draft_.any_keys) {
    for (const std::string& what : unknown_) sink_.unknown(what);
  }
  for (const std::string& what : draft_.unknown) sink_.unknown(what);
  start_record(where, rule);
  deliver_as(rule);
  return true;
}

bool RecordReader::read_head(object& json, const LineInfo& where) {
  if (!read_fields(compiled_.head, json, draft_, unknown_)) return false;
  draft_.text(Slot::key) = {};
  draft_.text(Slot::parent_key) = {};
  if (draft_.time != kNoTime) head_time_ = draft_.time;
  start_record(where, nullptr);
  deliver(RecordKind::meta);
  return true;
}

bool RecordReader::read_beside(const FieldTrie& fields, object& json) {
  if (!read_fields(fields, json, draft_, unknown_)) return false;
  for (const Slot listed : {Slot::key, Slot::parent_key, Slot::title, Slot::cwd}) {
    draft_.text(listed) = {};
  }
  start_record({}, nullptr);
  deliver(RecordKind::meta);
  return true;
}

// What agents tell the model of the machine is all that some keep of it.
void RecordReader::read_tags() {
  const std::string_view words = draft_.words();
  for (const FieldRule& tag : spec_.tags) {
    const std::string open = "<" + tag.path + ">";
    const std::size_t begin = words.find(open);
    if (begin == std::string_view::npos) continue;
    const std::string_view inside = words.substr(begin + open.size());
    const std::size_t end = inside.find("</" + tag.path + ">");
    if (end != std::string_view::npos) draft_.text(tag.slot) = text::trim(inside.substr(0, end));
  }
}

bool RecordReader::look_at_head(object& json) {
  return read_fields(compiled_.head, json, draft_, unknown_);
}

void RecordReader::start_record(const LineInfo& where, const RecordRule* rule) {
  record_ = {};
  record_.time = draft_.time == kNoTime ? head_time_ : draft_.time;
  record_.offset = where.offset;
  record_.line = where.line;
  if (rule == nullptr || !rule->keyless) {
    record_.key = draft_.text(Slot::key);
    record_.parent_key = draft_.text(Slot::parent_key);
    const bool first = !record_.key.empty() && record_.parent_key.empty();
    if (first && spec_.tree) record_.parent_key = kRoot;
  }
  record_.structural = rule != nullptr && rule->structural;
  record_.compaction = rule != nullptr && rule->compaction;
  record_.sidechain = draft_.sidechain;
  const std::string_view version = draft_.text(Slot::version);
  const bool known = version.empty() || spec_.versions.empty() ||
                     std::ranges::find(spec_.versions, version) != spec_.versions.end();
  if (!known) sink_.problem(ProblemKind::unknown_schema, where.line);
  if (rule != nullptr) {
    for (const auto& [slot, value] : rule->set) {
      if (draft_.text(slot).empty()) draft_.text(slot) = value;
    }
  }
  record_.cwd = plain_path(draft_.text(Slot::cwd), cwd_);
  record_.branch = draft_.text(Slot::branch);
  record_.repository = draft_.text(Slot::repository);
  record_.model = draft_.text(Slot::model);
  record_.version = draft_.text(Slot::version);
  record_.slug = draft_.text(Slot::slug);
  record_.title = text::trim(draft_.text(Slot::title));
  if (says_nothing(spec_, record_.title)) record_.title = {};
  const bool own_kind = rule != nullptr && rule->title_kind != TitleKind::none;
  record_.title_kind = record_.title.empty() ? TitleKind::none
                       : own_kind            ? rule->title_kind
                                             : spec_.title_kind;
}

void RecordReader::deliver_as(const RecordRule* rule) {
  switch (draft_.as) {
    case RecordAs::prompt:
    case RecordAs::joined_prompt:
    case RecordAs::queued_prompt:
      report_blocks();
      return deliver_prompt(kind_of(draft_.as), draft_.words());
    case RecordAs::exchange:
      return deliver_exchange();
    case RecordAs::assistant:
      return deliver_assistant();
    case RecordAs::tool_output:
      return deliver_tool_output();
    case RecordAs::shell:
      return deliver_shell();
    case RecordAs::command:
    case RecordAs::note: {
      report_blocks();
      const std::string_view text = typed_text(draft_.words(), spec_.typed).text;
      return deliver_text(kind_of(draft_.as), text);
    }
    case RecordAs::unknown: {
      const Slot name = rule == nullptr ? Slot::type : rule->name;
      const bool labelled = rule != nullptr && !rule->label.empty();
      const std::string_view label =
          labelled ? std::string_view(rule->label) : kSlotNames[static_cast<std::size_t>(name)];
      sink_.unknown(named(label, draft_.text(name)));
      return deliver(RecordKind::meta);
    }
    case RecordAs::meta:
    case RecordAs::malformed:
      return deliver(RecordKind::meta);
  }
}

void RecordReader::deliver_prompt(RecordKind kind, std::string_view raw) {
  for (const ContentPart& part : draft_.content.parts()) {
    if (part.kind != ContentKind::shell || draft_.as == RecordAs::exchange) continue;
    draft_.text(Slot::command) = part.text;
    draft_.text(Slot::output) = part.output;
    return deliver_shell();
  }
  const TypedText typed = typed_text(raw, spec_.typed);
  // Beside results of tools stands what the agent adds to them.
  const bool alone = draft_.as != RecordAs::exchange;
  if (alone && deliver_results()) return deliver_text(RecordKind::note, typed.text);
  if (typed.action == TypedAction::note) return deliver_text(RecordKind::note, typed.text);
  if (typed.action == TypedAction::command) return deliver_text(RecordKind::command, typed.text);
  const bool only_injected = text::is_blank(typed.text) && !text::is_blank(raw);
  if (typed.action == TypedAction::drop || only_injected) return deliver(RecordKind::meta);
  const auto& parts = draft_.content.parts();
  const bool picture =
      std::ranges::find(parts, ContentKind::picture, &ContentPart::kind) != parts.end();
  if (text::is_blank(typed.text) && !picture) return deliver(RecordKind::meta);
  Block block;
  block.text = text::is_blank(typed.text) ? std::string_view(spec_.picture) : typed.text;
  record_.automated = draft_.machine || typed.action == TypedAction::machine;
  give_key(block.text);
  deliver(kind, {&block, 1});
}

// The answer has no key of its own: it answers the prompt's.
void RecordReader::deliver_exchange() {
  deliver_prompt(RecordKind::prompt, draft_.text(Slot::typed));
  record_.parent_key = record_.key;
  record_.key = {};
  record_.automated = false;
  deliver_assistant();
}

// A prompt without a key is known again in a copy by its time and its words.
void RecordReader::give_key(std::string_view text) {
  if (!record_.key.empty() || !spec_.prompt_keys) return;
  const bool timed = record_.time != kNoTime;
  const auto from = timed ? static_cast<std::uint64_t>(to_ms(record_.time))
                          : session_hash_ ^ (record_.offset + 1);
  key_ = std::to_string(from) + ":" + std::to_string(hash64(text));
  record_.key = key_;
}

void RecordReader::deliver_assistant() {
  report_blocks();
  blocks_.clear();
  const auto add = [this](BlockKind kind, std::string_view words) {
    if (text::is_blank(words)) return;
    Block& block = blocks_.emplace_back();
    block.kind = kind;
    block.text = words;
  };
  const BlockKind words = draft_.thinking ? BlockKind::thinking : BlockKind::text;
  add(BlockKind::thinking, draft_.text(Slot::thinking));
  add(words, draft_.text(Slot::text));
  const bool beside = calls_stand_beside();
  for (const ContentPart& part : draft_.content.parts()) {
    const bool call = is_call(part) && part.beside == beside;
    if (part.kind == ContentKind::text) add(words, part.text);
    if (part.kind == ContentKind::thinking) add(BlockKind::thinking, part.text);
    if (!call || part.name.empty()) continue;
    blocks_.push_back(draft_.content.call_block(part, compiled_.tools));
  }
  if (!spec_.fenced.empty()) add_fenced_calls();
  const std::string_view tool = draft_.text(Slot::tool_name);
  if (!tool.empty()) add_own_call(tool);
  deliver(RecordKind::assistant, blocks_);
  if (deliver_results() || tool.empty()) return;
  const std::string_view output = draft_.text(Slot::output);
  if (text::is_blank(output)) return;
  Block block;
  block.kind = BlockKind::tool_result;
  block.tool_id = draft_.text(Slot::tool_id);
  block.text = output;
  // A key of its own: a line that comes again is known by it.
  record_.parent_key = record_.key;
  if (!record_.key.empty()) record_.key = key_.assign(record_.key).append("/output");
  deliver(RecordKind::tool_output, {&block, 1});
}

void RecordReader::add_fenced_calls() {
  const std::size_t said = blocks_.size();
  for (std::size_t i = 0; i < said; ++i) {
    if (blocks_[i].kind != BlockKind::text) continue;
    for (const FencedCall& call : fenced_calls(blocks_[i].text, spec_.fenced)) {
      ContentPart part;
      part.name = call.tool;
      if (!call.argument.empty()) draft_.content.add_input(part, "file_path", call.argument);
      draft_.content.add_input(part, "command", call.body);
      blocks_.push_back(draft_.content.call_block(part, compiled_.tools));
    }
  }
}

void RecordReader::add_own_call(std::string_view tool) {
  constexpr std::array<std::pair<Slot, std::string_view>, 2> kAlone = {
      {{Slot::command, "command"}, {Slot::file, "file_path"}}};
  draft_.call.name = tool;
  draft_.call.id = draft_.text(Slot::tool_id);
  for (const auto& [slot, argument] : kAlone) {
    const std::string_view text = draft_.text(slot);
    if (!text.empty()) draft_.content.add_input(draft_.call, argument, text);
  }
  blocks_.push_back(draft_.content.call_block(draft_.call, compiled_.tools));
}

// Calls beside the content take the place of those in it.
bool RecordReader::calls_stand_beside() const {
  return std::ranges::any_of(draft_.content.parts(),
                             [](const ContentPart& part) { return part.beside && is_call(part); });
}

bool RecordReader::deliver_results() {
  blocks_.clear();
  const bool beside = calls_stand_beside();
  for (const ContentPart& part : draft_.content.parts()) {
    const bool late =
        part.kind == ContentKind::call_and_result && !part.output.empty() && part.beside == beside;
    if (part.kind != ContentKind::result && !late) continue;
    Block& block = blocks_.emplace_back();
    block.kind = BlockKind::tool_result;
    block.tool_id = part.id;
    block.text = part.output;
  }
  if (blocks_.empty()) return false;
  const bool second = record_.kind == RecordKind::assistant;
  if (second) {
    record_.parent_key = record_.key;
    record_.key = {};
    record_.usage = {};
  }
  deliver(RecordKind::tool_output, blocks_);
  record_.parent_key = record_.key.empty() ? record_.parent_key : record_.key;
  record_.key = {};
  return true;
}

void RecordReader::deliver_tool_output() {
  report_blocks();
  if (deliver_results()) return;
  std::string_view text = draft_.words();
  if (text.empty()) text = draft_.text(Slot::output);
  if (text.empty()) return deliver(RecordKind::meta);
  Block block;
  block.kind = BlockKind::tool_result;
  block.tool_id = draft_.text(Slot::tool_id);
  block.text = text;
  deliver(RecordKind::tool_output, {&block, 1});
}

// Two records, of which only the first has the key.
void RecordReader::deliver_shell() {
  const std::string_view command = draft_.text(Slot::command);
  if (text::is_blank(command)) return deliver(RecordKind::meta);
  shell_.assign("! ").append(command);
  give_key(shell_);
  deliver_text(RecordKind::prompt, shell_);
  record_.parent_key = record_.key;
  record_.key = {};
  deliver_text(RecordKind::tool_output, draft_.text(Slot::output), BlockKind::tool_result);
}

// Text of nothing but blanks is none.
void RecordReader::deliver_text(RecordKind kind, std::string_view text, BlockKind block) {
  if (text::is_blank(text)) return deliver(RecordKind::meta);
  Block only;
  only.kind = block;
  only.text = text;
  deliver(kind, {&only, 1});
}

void RecordReader::deliver(RecordKind kind, std::span<const Block> blocks) {
  record_.kind = kind;
  record_.blocks = blocks;
  if (kind == RecordKind::assistant) {
    const std::string_view message = draft_.text(Slot::message_id);
    record_.message_id = message.empty() ? draft_.text(Slot::key) : message;
    record_.usage = draft_.usage;
  }
  sink_.record(record_);
}

void RecordReader::report_blocks() {
  const std::string_view own = draft_.text(Slot::part_type);
  if (draft_.as == RecordAs::assistant && !own.empty() && !draft_.content.knows(own)) {
    sink_.unknown(named(spec_.block_name, own));
    draft_.text(Slot::text) = {};
  }
  for (const ContentPart& part : draft_.content.parts()) {
    if (part.kind == ContentKind::unknown) sink_.unknown(named(spec_.block_name, part.type));
  }
}

}  // namespace yore::transcript
