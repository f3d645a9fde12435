// TurnTracker as bytes, for the state that lets reading go on where it stopped. The keys seen are
// kept apart: they only grow, so each step stores the new ones alone.
#include "base/bytes.hpp"
#include "turns/tracker.hpp"
#include "turns/tracker_state.hpp"
#include "turns/turn_codec.hpp"

namespace yore::turns {

using transcript::BlockKind;
using transcript::RecordKind;

namespace {

constexpr std::uint64_t kTrackerVersion = 1;

MessageSeen read_message(ByteReader& in) {
  MessageSeen message;
  message.id = in.u64();
  message.usage = read_usage(in);
  message.blocks.resize(in.count());
  for (BlockSeen& block : message.blocks) {
    block.kind = static_cast<BlockKind>(in.varint());
    block.size = in.varint();
    block.hash = in.u64();
  }
  return message;
}

Opening read_opening(ByteReader& in) {
  Opening turn;
  turn.parent = in.u64();
  turn.message_parent = in.u64();
  turn.first_key = in.varint();
  turn.parent_turn = static_cast<TurnNumber>(in.varint());
  turn.abandoned = in.varint() != 0;
  return turn;
}

}  // namespace

std::string TurnTracker::save() const {
  const State& state = *state_;
  ByteWriter out;
  out.varint(kTrackerVersion);
  write_usage(out, state.usage);
  out.varint(state.shell_runs_yore ? 1 : 0);
  out.varint(state.next_queued);
  out.varint(state.turns.size());
  for (const Opening& turn : state.turns) {
    out.u64(turn.parent);
    out.u64(turn.message_parent);
    out.varint(turn.first_key);
    out.varint(turn.parent_turn);
    out.varint(turn.abandoned ? 1 : 0);
  }
  out.varint(state.messages.size());
  for (const MessageSeen& message : state.messages) {
    out.u64(message.id);
    write_usage(out, message.usage);
    out.varint(message.blocks.size());
    for (const BlockSeen& block : message.blocks) {
      out.varint(static_cast<std::uint64_t>(block.kind));
      out.varint(block.size);
      out.u64(block.hash);
    }
  }
  out.varint(state.links.size());
  for (const Link& link : state.links) {
    out.u64(link.key);
    out.u64(link.target);
  }
  out.varint(state.own_calls.size());
  for (const std::uint64_t call : state.own_calls) out.u64(call);
  out.varint(state.queued.size());
  for (const Queued& item : state.queued) {
    out.varint(item.id);
    out.u64(item.text_hash);
  }
  out.varint(state.waiting.size());
  for (const Waiting& item : state.waiting) {
    out.varint(static_cast<std::uint64_t>(item.kind));
    out.text(item.text);
  }
  out.varint(state.waiting_bytes);
  out.u64(state.last_text);
  out.u64(state.last_thinking);
  return out.take();
}

Result<TurnTracker> TurnTracker::restore(std::string_view saved, std::string_view all_keys) {
  const Error damaged{Errc::corrupt, "turn state: damaged"};
  TurnTracker tracker;
  State& state = *tracker.state_;
  ByteReader in(saved);
  if (in.varint() != kTrackerVersion) return damaged;
  state.usage = read_usage(in);
  state.shell_runs_yore = in.varint() != 0;
  state.next_queued = static_cast<QueuedId>(in.varint());
  state.turns.resize(in.count());
  for (Opening& turn : state.turns) turn = read_opening(in);
  state.messages.resize(in.count());
  for (MessageSeen& message : state.messages) message = read_message(in);
  state.links.resize(in.count());
  for (Link& link : state.links) {
    link.key = in.u64();
    link.target = in.u64();
  }
  state.own_calls.resize(in.count());
  for (std::uint64_t& call : state.own_calls) call = in.u64();
  state.queued.resize(in.count());
  for (Queued& item : state.queued) {
    item.id = static_cast<QueuedId>(in.varint());
    item.text_hash = in.u64();
  }
  state.waiting.resize(in.count());
  for (Waiting& item : state.waiting) {
    item.kind = static_cast<RecordKind>(in.varint());
    item.text = in.text();
  }
  state.waiting_bytes = in.varint();
  state.last_text = in.u64();
  state.last_thinking = in.u64();
  if (!in.at_end() || all_keys.size() % 8 != 0) return damaged;

  ByteReader keys(all_keys);
  TurnNumber turn = 0;
  for (std::uint64_t i = 0; i < all_keys.size() / 8; ++i) {
    while (turn + 1 < state.turns.size() && state.turns[turn + 1].first_key <= i) ++turn;
    state.turn_of_key.emplace(keys.u64(), turn);
    ++state.key_count;
  }
  for (TurnNumber number = 0; number < state.turns.size(); ++number) state.index_opening(number);
  return tracker;
}

}  // namespace yore::turns
