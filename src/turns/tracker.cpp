#include "turns/tracker.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "turns/own_output.hpp"
#include "turns/tracker_state.hpp"

namespace yore::turns {

using transcript::Block;
using transcript::BlockKind;
using transcript::Record;
using transcript::RecordKind;
using transcript::Usage;

namespace {

// How much is remembered of what may come again. Lines of one message stand close together in real
// files (parallel tool calls interleave a handful); structural links are followed by their child.
constexpr std::size_t kRecentMessages = 32;
constexpr std::size_t kRecentLinks = 64;
constexpr std::size_t kRecentOwnCalls = 64;
constexpr std::size_t kMaxQueued = 64;
constexpr std::size_t kRecentBlocks = 256;  // of one message
constexpr std::size_t kMaxWaitingBytes = 256 << 10;
constexpr std::size_t kWaitingItemBytes = 64;  // so that many small texts count too

// Record keys are remembered as hashes; 0 stands for "no key".
std::uint64_t key_hash(std::string_view key) {
  return key.empty() ? 0 : hash64(key);
}

template <typename T>
void keep_last(std::deque<T>& items, std::size_t limit) {
  while (items.size() > limit) items.pop_front();
}

std::string joined_text(const Record& record) {
  std::string text;
  for (const Block& block : record.blocks) {
    if (block.kind != BlockKind::text) continue;
    if (!text.empty()) text += '\n';
    text += block.text;
  }
  return text;
}

enum class Novelty : std::uint8_t { fresh, repeated, longer };

struct Comparison {
  Novelty novelty = Novelty::fresh;
  BlockSeen before;  // of `longer`: the snapshot that grew
};

// Compares a block with those of the same message seen before, and remembers it. Earlier snapshots
// stay known: they may be repeated after a longer one.
Comparison note_block(MessageSeen& message, const Block& block) {
  const std::string_view identity = block.kind == BlockKind::tool_call ? block.tool_id : block.text;
  if (identity.empty()) return {};
  const BlockSeen seen{block.kind, identity.size(), hash64(identity)};
  if (std::ranges::find(message.blocks, seen) != message.blocks.end()) {
    return {Novelty::repeated, {}};
  }
  Comparison result;
  const bool can_grow = block.kind != BlockKind::tool_call;
  // Latest first: the last snapshot of a growing text is the longest, and the only one compared.
  for (auto before = message.blocks.rbegin(); can_grow && before != message.blocks.rend();
       ++before) {
    const bool shorter = before->kind == seen.kind && before->size < seen.size;
    if (!shorter || before->size <= result.before.size) continue;
    if (hash64(identity.substr(0, before->size)) != before->hash) continue;
    result = {Novelty::longer, *before};
  }
  message.blocks.push_back(seen);
  keep_last(message.blocks, kRecentBlocks);
  return result;
}

}  // namespace

bool TurnTracker::State::remember_key(const Record& record) {
  const std::uint64_t key = key_hash(record.key);
  if (key == 0) return true;
  const TurnNumber turn = has_turn() ? static_cast<TurnNumber>(turns.size() - 1) : 0;
  if (!turn_of_key.emplace(key, turn).second) return false;
  ++key_count;
  for (int shift = 0; shift < 64; shift += 8) new_keys.push_back(static_cast<char>(key >> shift));
  return true;
}

std::uint64_t TurnTracker::State::message_before(std::uint64_t key) const {
  const auto link = std::find_if(links.rbegin(), links.rend(),
                                 [key](const Link& candidate) { return candidate.key == key; });
  return link == links.rend() ? key : link->target;
}

void TurnTracker::State::remember_link(const Record& record) {
  if (!record.structural || record.key.empty()) return;
  links.push_back({key_hash(record.key), message_before(key_hash(record.parent_key))});
  keep_last(links, kRecentLinks);
}

void TurnTracker::State::index_opening(TurnNumber number) {
  const Opening& opening = turns[number];
  if (opening.parent != 0) latest_child[opening.parent] = number;
  if (opening.message_parent != 0) latest_child[opening.message_parent] = number;
}

// Two prompts that answer the same record: the earlier one was rewound, and with it every turn that
// went on from there.
void TurnTracker::State::abandon_siblings(TurnNumber number, TurnSink& sink) {
  const Opening& opening = turns[number];
  TurnNumber first = number;
  for (const std::uint64_t parent : {opening.parent, opening.message_parent}) {
    const auto sibling = latest_child.find(parent);
    if (sibling == latest_child.end()) continue;
    first = first == number ? sibling->second : std::max(first, sibling->second);
  }
  std::vector<bool> dead(number - first, false);
  for (TurnNumber turn = first; turn < number; ++turn) {
    const TurnNumber from = turns[turn].parent_turn;
    const bool continues_dead = from >= first && from < turn && dead[from - first];
    if (turn != first && !continues_dead) continue;
    dead[turn - first] = true;
    if (turns[turn].abandoned) continue;
    turns[turn].abandoned = true;
    sink.turn_abandoned(turn);
  }
}

void TurnTracker::State::open_turn(const Record& record, TurnSink& sink) {
  const auto number = static_cast<TurnNumber>(turns.size());
  Opening opening;
  opening.parent = key_hash(record.parent_key);
  opening.message_parent = message_before(opening.parent);
  opening.first_key = key_count;
  opening.parent_turn = number == 0 ? 0 : number - 1;
  for (const std::uint64_t parent : {opening.parent, opening.message_parent}) {
    const auto found = turn_of_key.find(parent);
    if (found != turn_of_key.end()) opening.parent_turn = found->second;
  }
  turns.push_back(opening);
  last_text = 0;
  last_thinking = 0;
  if (record.kind == RecordKind::prompt) abandon_siblings(number, sink);
  index_opening(number);
  const std::uint64_t key = key_hash(record.key);
  if (key != 0) {
    turn_of_key[key] = number;  // it was remembered before it opened the turn
    turns.back().first_key = key_count - 1;
  }
  sink.turn_opened(number, record);
}

void TurnTracker::State::wait_for_turn(RecordKind kind, std::string_view text) {
  const std::size_t bytes = text.size() + kWaitingItemBytes;
  if (text.empty() || waiting_bytes + bytes > kMaxWaitingBytes) return;
  waiting_bytes += bytes;
  waiting.push_back({kind, std::string(text)});
}

// Called right after the first turn opened. A turn that assistant output opened takes the last
// command as its prompt.
void TurnTracker::State::release_waiting(const Record& record, TurnSink& sink) {
  std::vector<Waiting> items = std::exchange(waiting, {});
  const auto command = std::find_if(items.rbegin(), items.rend(), [](const Waiting& item) {
    return item.kind == RecordKind::command;
  });
  if (record.kind == RecordKind::assistant && command != items.rend()) {
    sink.user_text(command->text);
    items.erase(std::next(command).base());
  }
  for (const Waiting& item : items) {
    if (item.kind == RecordKind::queued_prompt) {
      add_queued(item.text, sink);
    } else if (item.kind == RecordKind::tool_output) {
      sink.tool_result(item.text, "", false);
    } else {
      sink.note(item.text);
    }
  }
}

void TurnTracker::State::withdraw_queued(std::string_view text, TurnSink& sink) {
  const std::uint64_t hash = hash64(text::trim(text));
  const auto found = std::ranges::find(queued, hash, &Queued::text_hash);
  if (found != queued.end()) {
    sink.queued_withdrawn(found->id);
    queued.erase(found);
    return;
  }
  const auto item = std::ranges::find_if(waiting, [&](const Waiting& candidate) {
    return candidate.kind == RecordKind::queued_prompt &&
           text::trim(candidate.text) == text::trim(text);
  });
  if (item != waiting.end()) waiting.erase(item);
}

void TurnTracker::State::add_prompt(const Record& record, TurnSink& sink) {
  const std::string text = joined_text(record);
  withdraw_queued(text, sink);
  const bool first = !has_turn();
  open_turn(record, sink);
  sink.user_text(text);
  if (first) release_waiting(record, sink);
  shell_runs_yore = text.starts_with("! ") && runs_yore(std::string_view(text).substr(2));
}

void TurnTracker::State::add_queued(std::string_view text, TurnSink& sink) {
  if (!has_turn()) return wait_for_turn(RecordKind::queued_prompt, text);
  queued.push_back({next_queued, hash64(text::trim(text))});
  sink.queued(next_queued++, text);
  if (queued.size() <= kMaxQueued) return;
  sink.queued_settled(queued.front().id);
  queued.pop_front();
}

void TurnTracker::State::add_joined(const Record& record, TurnSink& sink) {
  const std::string text = joined_text(record);
  withdraw_queued(text, sink);
  if (has_turn()) return sink.user_text(text);
  open_turn(record, sink);
  sink.user_text(text);
  release_waiting(record, sink);
}

MessageSeen* TurnTracker::State::message_of(const Record& record) {
  if (record.message_id.empty()) return nullptr;
  const std::uint64_t id = hash64(record.message_id);
  const auto found = std::ranges::find(messages, id, &MessageSeen::id);
  if (found != messages.end()) return &*found;
  messages.push_back({id, {}, {}});
  keep_last(messages, kRecentMessages);
  return &messages.back();
}

// Lines of one message repeat its usage, early ones with placeholders: the largest counts.
void TurnTracker::State::count_usage(const Record& record) {
  Usage none;
  MessageSeen* message = message_of(record);
  Usage* before = message != nullptr ? &message->usage : &none;
  const auto grow = [](std::uint64_t now, std::uint64_t& known, std::uint64_t& total) {
    if (now <= known) return;
    total += now - known;
    known = now;
  };
  grow(record.usage.input_tokens, before->input_tokens, usage.input_tokens);
  grow(record.usage.output_tokens, before->output_tokens, usage.output_tokens);
  grow(record.usage.cache_read_tokens, before->cache_read_tokens, usage.cache_read_tokens);
  grow(record.usage.cache_write_tokens, before->cache_write_tokens, usage.cache_write_tokens);
}

void TurnTracker::State::add_assistant(const Record& record, TurnSink& sink) {
  count_usage(record);
  if (record.blocks.empty()) return;
  if (!has_turn()) {
    open_turn(record, sink);
    release_waiting(record, sink);
  }
  MessageSeen* message = message_of(record);
  for (const Block& block : record.blocks) {
    const Comparison found = message == nullptr ? Comparison{} : note_block(*message, block);
    if (found.novelty == Novelty::repeated) continue;
    if (block.kind == BlockKind::tool_call) {
      remember_own_call(block);
      sink.tool_call(block);
      continue;
    }
    const std::string_view text = block.text.substr(found.before.size);
    if (text.empty()) continue;
    // Only the block said last can go on; growth of another one stands as a block of its own.
    const std::uint64_t salt = message == nullptr ? 0 : message->id;
    std::uint64_t& last = block.kind == BlockKind::thinking ? last_thinking : last_text;
    const bool continues = found.novelty == Novelty::longer && last == (found.before.hash ^ salt);
    last = message == nullptr ? 0 : hash64(block.text) ^ salt;
    if (block.kind == BlockKind::text) sink.assistant_text(text, continues);
    if (block.kind == BlockKind::thinking) sink.thinking(text, continues);
  }
}

void TurnTracker::State::remember_own_call(const Block& call) {
  if (call.tool_id.empty() || !is_own_call(call)) return;
  own_calls.push_back(hash64(call.tool_id));
  keep_last(own_calls, kRecentOwnCalls);
}

// Early Claude Code wrote a sub-agent's records into its parent's file: work done by a tool, to be
// found there, but neither the person's words nor the answer.
void TurnTracker::State::add_sidechain(const Record& record, TurnSink& sink) {
  if (record.kind == RecordKind::prompt || !has_turn()) return;
  for (const Block& block : record.blocks) {
    if (block.kind == BlockKind::tool_call) remember_own_call(block);
    add_output(block, sink);
  }
}

void TurnTracker::State::add_tool_output(const Record& record, TurnSink& sink) {
  for (const Block& block : record.blocks) {
    if (has_turn()) {
      add_output(block, sink);
      continue;
    }
    const bool is_result = block.kind == BlockKind::tool_result;
    wait_for_turn(is_result ? RecordKind::tool_output : RecordKind::note, block.text);
  }
}

void TurnTracker::State::add_output(const Block& block, TurnSink& sink) {
  if (block.kind != BlockKind::tool_result) return sink.note(block.text);
  const bool own = block.tool_id.empty()
                       ? shell_runs_yore
                       : std::ranges::find(own_calls, hash64(block.tool_id)) != own_calls.end();
  sink.tool_result(block.text, block.tool_id, own);
}

void TurnTracker::State::add_note(RecordKind kind, std::string_view text, TurnSink& sink) {
  if (text.empty()) return;
  if (!has_turn()) return wait_for_turn(kind, text);
  sink.note(text);
}

TurnTracker::TurnTracker() : state_(std::make_unique<State>()) {}
TurnTracker::~TurnTracker() = default;
TurnTracker::TurnTracker(TurnTracker&&) noexcept = default;
TurnTracker& TurnTracker::operator=(TurnTracker&&) noexcept = default;

void TurnTracker::add(const Record& record, TurnSink& sink) {
  State& state = *state_;
  if (!state.remember_key(record)) return;
  state.remember_link(record);
  if (record.sidechain) {
    state.add_sidechain(record, sink);
  } else {
    switch (record.kind) {
      case RecordKind::meta:
        break;
      case RecordKind::prompt:
        state.add_prompt(record, sink);
        break;
      case RecordKind::joined_prompt:
        state.add_joined(record, sink);
        break;
      case RecordKind::queued_prompt:
        state.add_queued(joined_text(record), sink);
        break;
      case RecordKind::assistant:
        state.add_assistant(record, sink);
        break;
      case RecordKind::tool_output:
        state.add_tool_output(record, sink);
        break;
      case RecordKind::memory:
        state.open_turn(record, sink);
        sink.memory(joined_text(record));
        break;
      case RecordKind::command:
      case RecordKind::note:
        state.add_note(record.kind, joined_text(record), sink);
        break;
    }
  }
  sink.record_done(record);
}

const Usage& TurnTracker::usage() const {
  return state_->usage;
}

TurnNumber TurnTracker::turn_count() const {
  return static_cast<TurnNumber>(state_->turns.size());
}

std::string TurnTracker::take_new_keys() {
  return std::exchange(state_->new_keys, {});
}

}  // namespace yore::turns
