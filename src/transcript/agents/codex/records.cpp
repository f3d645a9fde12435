#include "transcript/agents/codex/records.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "base/hash.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"
#include "transcript/agents/codex/text.hpp"
#include "transcript/automated.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::codex {
namespace {

constexpr std::size_t kMaxTurnIdBytes = 128;
constexpr std::size_t kMaxLive = 256;    // a rollback goes back a few turns
constexpr std::size_t kMaxUnpaired = 8;  // the two halves of a prompt stand next to each other
constexpr std::string_view kImage = "[image]";
constexpr std::string_view kTokens = "tokens";  // all counts of a session belong together

// Records that say nothing about the conversation.
constexpr std::array<std::string_view, 5> kSilentLines = {
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "security_risk_score",
    "token_usage_record",
    "world_state",
};
constexpr std::array<std::string_view, 4> kSilentItems = {"compaction", "context_compaction",
                                                          "ghost_snapshot", "tool_search_output"};
// Events that tell again what response items say, or what only the screen needs.
constexpr std::array kSilentEvents = {
    std::string_view{"agent_message"},
    std::string_view{"agent_reasoning"},
    std::string_view{"agent_reasoning_raw_content"},
    std::string_view{"agent_reasoning_section_break"},
    std::string_view{"background_event"},
    std::string_view{"context_compacted"},
    std::string_view{"dynamic_tool_call_request"},
    std::string_view{"dynamic_tool_call_response"},
    std::string_view{"error"},
    std::string_view{"exec_command_begin"},
    std::string_view{"exec_command_end"},
    std::string_view{"exited_review_mode"},
    std::string_view{"guardian_assessment"},
    std::string_view{"image_generation_begin"},
    std::string_view{"image_generation_end"},
    std::string_view{"item_completed"},
    std::string_view{"item_started"},
    std::string_view{"mcp_tool_call_begin"},
    std::string_view{"mcp_tool_call_end"},
    std::string_view{"patch_apply_begin"},
    std::string_view{"patch_apply_end"},
    std::string_view{"plan_update"},
    std::string_view{"stream_error"},
    std::string_view{"sub_agent_activity"},
    std::string_view{"task_complete"},
    std::string_view{"thread_goal_updated"},
    std::string_view{"thread_settings_applied"},
    std::string_view{"turn_aborted"},
    std::string_view{"turn_diff"},
    std::string_view{"undo_completed"},
    std::string_view{"undo_started"},
    std::string_view{"view_image_tool_call"},
    std::string_view{"warning"},
    std::string_view{"web_search_begin"},
    std::string_view{"web_search_end"},
};
constexpr std::array<std::string_view, 2> kSilentRoles = {"developer", "system"};
constexpr std::array<std::string_view, 7> kTextParts = {
    "input_text", "output_text", "reasoning_text", "refusal", "summary_text", "text", ""};
constexpr std::array<std::string_view, 4> kSilentParts = {"encrypted_content", "input_audio",
                                                          "input_file", "input_image"};

std::string hex(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; number >>= 4) text[i] = kDigits[number & 0xF];
  return text;
}

// The same for both halves of a prompt: one joins its parts with newlines, the other with nothing.
std::uint64_t hash_of_words(std::string_view text) {
  std::string letters;
  std::ranges::copy_if(text, std::back_inserter(letters),
                       [](char c) { return c != ' ' && c != '\n' && c != '\r' && c != '\t'; });
  return hash64(letters);
}

bool take(std::vector<std::uint64_t>& hashes, std::uint64_t hash) {
  const auto found = std::ranges::find(hashes, hash);
  if (found == hashes.end()) return false;
  hashes.erase(found);
  return true;
}

void put(std::vector<std::uint64_t>& hashes, std::uint64_t hash, std::size_t limit) {
  if (hashes.size() >= limit) hashes.erase(hashes.begin());
  hashes.push_back(hash);
}

bool is_typed(std::uint64_t key) {
  return (key & 1) != 0;
}

}  // namespace

RecordReader::RecordReader(const SessionRef& session, State& state, RecordSink& sink)
    : sink_(sink), state_(state), session_hash_(hash64(session.id)) {}

bool RecordReader::read(simdjson::ondemand::object& object, const LineInfo& where) {
  if (!reader_.read(object, fields_)) return false;
  start_record(where);
  report_unknown();
  const std::string_view type = fields_.type;
  if (!fields_.has_payload) {
    const bool item = !type.empty() || !fields_.role.empty();
    if (!fields_.record_type.empty()) {
      deliver(RecordKind::meta);
    } else if (item) {
      read_item();
    } else if (!fields_.id.empty()) {
      read_meta();
    } else {
      sink_.unknown(unknown_name("type ", type));
      deliver(RecordKind::meta);
    }
  } else if (type == "response_item") {
    read_item();
  } else if (type == "event_msg") {
    read_event();
  } else if (type == "session_meta") {
    read_meta();
  } else if (type == "turn_context") {
    start_turn(fields_.turn_id);
    record_.cwd = fields_.cwd;
    record_.model = fields_.model;
    deliver(RecordKind::meta);
  } else if (type == "compacted") {
    record_.compaction = true;
    deliver_text(RecordKind::note, BlockKind::text, fields_.message);
  } else {
    if (!contains(kSilentLines, type)) sink_.unknown(unknown_name("type ", type));
    deliver(RecordKind::meta);
  }
  return true;
}

void RecordReader::start_record(const LineInfo& where) {
  blocks_.clear();
  record_ = {};
  if (fields_.time != kNoTime) state_.time = fields_.time;
  record_.time = state_.time;
  record_.offset = where.offset;
  record_.line = where.line;
}

void RecordReader::report_unknown() {
  for (const std::string_view key : fields_.unknown_line_keys) {
    sink_.unknown(unknown_name("line.", key));
  }
  if (fields_.type != "response_item" && fields_.type != "session_meta") return;
  for (const std::string_view key : fields_.unknown_item_keys) {
    sink_.unknown(std::string(fields_.type) + unknown_name(".", key));
  }
}

void RecordReader::read_meta() {
  if (!state_.meta_seen) {
    record_.cwd = fields_.cwd;
    record_.branch = fields_.branch;
    record_.repository = fields_.repository;
    record_.version = fields_.cli_version;
    state_.scripted = names_script(fields_.originator);
  }
  state_.meta_seen = true;
  deliver(RecordKind::meta);
}

void RecordReader::read_event() {
  const std::string_view event = fields_.item;
  if (event == "user_message") {
    const std::string_view text = fields_.message;
    const bool plain = fields_.kind.empty() || fields_.kind == "plain";
    if (!plain || is_injected(text)) return deliver(RecordKind::meta);
    if (!text::is_blank(text)) return read_prompt(text, PromptSource::event);
    if (fields_.has_images) return read_prompt(kImage, PromptSource::event);
  } else if (event == "token_count" && fields_.has_usage) {
    record_.message_id = kTokens;
    record_.usage = fields_.usage;
    return deliver(RecordKind::assistant);
  } else if (event == "task_started" || event == "turn_started") {
    start_turn(fields_.turn_id);
  } else if (event == "thread_rolled_back") {
    roll_back(fields_.num_turns);
  } else if (event == "thread_name_updated") {
    record_.title = text::trim(fields_.thread_name);
    if (!record_.title.empty()) record_.title_kind = TitleKind::custom;
  } else if (event == "entered_review_mode") {
    joined_.assign("/review ").append(fields_.review_hint);
    return deliver_text(RecordKind::command, BlockKind::text, text::trim(joined_));
  } else if (event != "token_count" && !event.starts_with("collab_") &&
             !contains(kSilentEvents, event)) {
    sink_.unknown(unknown_name("event ", event));
  }
  deliver(RecordKind::meta);
}

void RecordReader::read_item() {
  const std::string_view item = fields_.item;
  if (item == "message" || (item.empty() && !fields_.role.empty())) return read_message();
  if (item == "reasoning") return read_reasoning();
  if (item == "function_call" || item == "custom_tool_call") return read_call(tool_name());
  if (item == "local_shell_call") return read_call("local_shell");
  if (item == "web_search_call") return read_call("web_search");
  if (item == "tool_search_call") return read_call("tool_search");
  if (item == "function_call_output" || item == "custom_tool_call_output") return read_output();
  if (item == "image_generation_call") {
    fields_.input.text = fields_.revised_prompt;
    return read_call("image_generation");
  }
  if (item == "agent_message") {
    return deliver_text(RecordKind::note, BlockKind::text, joined(fields_.content));
  }
  if (!contains(kSilentItems, item)) sink_.unknown(unknown_name("item ", item));
  deliver(RecordKind::meta);
}

void RecordReader::read_message() {
  if (fields_.role == "user") return read_user_message();
  if (fields_.role == "assistant") {
    return deliver_text(RecordKind::assistant, BlockKind::text, joined(fields_.content));
  }
  if (!contains(kSilentRoles, fields_.role)) sink_.unknown(unknown_name("role ", fields_.role));
  deliver(RecordKind::meta);
}

void RecordReader::read_user_message() {
  bool injected = false;
  bool image = false;
  ShellCommand shell;
  std::erase_if(fields_.content, [&](const ItemPart& part) {
    if (const auto cwd = named_cwd(part.text); !cwd.empty()) record_.cwd = cwd;
    if (const auto found = read_shell_command(part.text); found.is_one()) shell = found;
    image = image || part.type == "input_image";
    const bool wrapper = text::trim(part.text).starts_with("<image ") || part.text == "</image>";
    const bool made_up = is_injected(part.text) || looks_injected(part.text);
    injected = injected || (made_up && !wrapper);
    return made_up;
  });
  if (shell.is_one()) {
    joined_.assign("! ").append(shell.command);
    deliver_prompt(joined_);
    record_.key = record_.parent_key = {};
    return deliver_text(RecordKind::tool_output, BlockKind::tool_result, shell.output);
  }
  const Request request = split_request(joined(fields_.content));
  if (!text::is_blank(request.text)) {
    read_prompt(request.text, PromptSource::message);
    if (request.context.empty()) return;
    record_.key = record_.parent_key = {};
    return deliver_text(RecordKind::note, BlockKind::text, request.context);
  }
  if (image && !injected) return read_prompt(kImage, PromptSource::message);
  deliver(RecordKind::meta);
}

void RecordReader::read_reasoning() {
  for (const auto* parts : {&fields_.summary, &fields_.content}) {
    for (const ItemPart& part : *parts) {
      if (!text::is_blank(part.text)) add_block(BlockKind::thinking, part.text);
    }
  }
  deliver(blocks_.empty() ? RecordKind::meta : RecordKind::assistant);
}

void RecordReader::read_call(std::string_view tool) {
  calls_.read(tool, fields_, blocks_);
  std::erase_if(blocks_, [](const Block& block) { return block.tool_name.empty(); });
  deliver(blocks_.empty() ? RecordKind::meta : RecordKind::assistant);
}

void RecordReader::read_output() {
  std::string_view text = joined(fields_.output);
  if (fields_.output.size() == 1) text = calls_.unwrapped(text);
  blocks_.clear();
  add_block(BlockKind::tool_result, text);
  blocks_.back().tool_id = fields_.call_id;
  deliver(RecordKind::tool_output);
}

void RecordReader::start_turn(std::string_view turn_id) {
  if (turn_id.empty() || turn_id == state_.turn_id || turn_id.size() > kMaxTurnIdBytes) return;
  state_.turn_id = turn_id;
  state_.turn_prompts = 0;
}

void RecordReader::roll_back(std::uint64_t turns) {
  while (turns > 0 && !state_.live.empty()) {
    if (is_typed(state_.live.back())) --turns;
    state_.live.pop_back();
  }
}

void RecordReader::read_prompt(std::string_view text, PromptSource source) {
  const Request request = split_request(text);
  const std::uint64_t hash = hash_of_words(request.text);
  const bool by_event = source == PromptSource::event;
  if (take(by_event ? state_.messages : state_.events, hash)) return deliver(RecordKind::meta);
  put(by_event ? state_.events : state_.messages, hash, kMaxUnpaired);
  deliver_prompt(request.text);
}

void RecordReader::deliver_prompt(std::string_view text) {
  const bool in_turn = !state_.turn_id.empty();
  const std::uint64_t number = in_turn ? state_.turn_prompts : state_.prompts;
  const std::uint64_t from = in_turn ? hash64(state_.turn_id) : session_hash_;
  const std::uint64_t typed = text.starts_with("! ") ? 0 : 1;
  const std::uint64_t key = (hash64(std::to_string(number), from) & ~std::uint64_t{1}) | typed;
  key_ = hex(key);
  parent_key_ = hex(state_.live.empty() ? session_hash_ : state_.live.back());
  put(state_.live, key, kMaxLive);
  ++state_.turn_prompts;
  ++state_.prompts;
  record_.key = key_;
  record_.parent_key = parent_key_;
  record_.scripted = state_.scripted;
  deliver_text(RecordKind::prompt, BlockKind::text, text);
}

void RecordReader::deliver(RecordKind kind) {
  record_.kind = kind;
  record_.blocks = blocks_;
  sink_.record(record_);
}

// Text of nothing but blanks is none.
void RecordReader::deliver_text(RecordKind kind, BlockKind block, std::string_view text) {
  blocks_.clear();
  if (text::is_blank(text)) return deliver(RecordKind::meta);
  add_block(block, text);
  deliver(kind);
}

void RecordReader::add_block(BlockKind kind, std::string_view text) {
  Block& block = blocks_.emplace_back();
  block.kind = kind;
  block.text = text;
}

// Tools of other servers come as "mcp__server__tool", or in two halves.
std::string_view RecordReader::tool_name() {
  if (!fields_.name_space.starts_with("mcp__")) return fields_.name;
  tool_name_.assign(fields_.name_space);
  if (!tool_name_.ends_with("__")) tool_name_ += "__";
  return tool_name_.append(fields_.name);
}

std::string_view RecordReader::joined(const std::vector<ItemPart>& parts) {
  text::JoinedLines joined(joined_);
  for (const ItemPart& part : parts) {
    if (contains(kTextParts, part.type)) {
      joined.add(part.text);
    } else if (!contains(kSilentParts, part.type)) {
      sink_.unknown(unknown_name("block ", part.type));
    }
  }
  return joined.text();
}

}  // namespace yore::transcript::codex
