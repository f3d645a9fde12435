#include "transcript/agents/codex/state.hpp"

#include "base/bytes.hpp"

namespace yore::transcript::codex {
namespace {

void put_hashes(ByteWriter& out, const std::vector<std::uint64_t>& hashes) {
  out.varint(hashes.size());
  for (const std::uint64_t hash : hashes) out.u64(hash);
}

std::vector<std::uint64_t> get_hashes(ByteReader& in) {
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t i = in.count(); i > 0 && in.ok(); --i) hashes.push_back(in.u64());
  return hashes;
}

}  // namespace

Cursor encode(const Position& position) {
  const State& state = position.state;
  if (position.file.empty() && !state.damage_reported) return {};  // nothing was read
  ByteWriter out;
  out.text(position.file);
  out.varint((state.meta_seen ? 1U : 0U) | (state.damage_reported ? 2U : 0U) |
             (state.scripted ? 4U : 0U));
  out.text(state.turn_id);
  out.varint(state.turn_prompts);
  out.varint(state.prompts);
  out.u64(static_cast<std::uint64_t>(to_ms(state.time)));
  put_hashes(out, state.live);
  put_hashes(out, state.messages);
  put_hashes(out, state.events);
  return out.take();
}

std::optional<Position> decode(std::string_view cursor) {
  Position position;
  if (cursor.empty()) return position;
  ByteReader in(cursor);
  position.file = in.text();
  State& state = position.state;
  const std::uint64_t flags = in.varint();
  state.meta_seen = (flags & 1) != 0;
  state.damage_reported = (flags & 2) != 0;
  state.scripted = (flags & 4) != 0;
  state.turn_id = in.text();
  state.turn_prompts = in.varint();
  state.prompts = in.varint();
  state.time = from_ms(static_cast<std::int64_t>(in.u64()));
  state.live = get_hashes(in);
  state.messages = get_hashes(in);
  state.events = get_hashes(in);
  if (!in.at_end() || flags > 7) return std::nullopt;
  return position;
}

}  // namespace yore::transcript::codex
