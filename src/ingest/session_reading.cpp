#include "ingest/session_reading.hpp"

#include <utility>

namespace yore::ingest {
namespace {

// Raw bytes parsed between two hand-overs to the writer: bounds memory for files of any size.
constexpr std::uint64_t kStepBytes = 8ULL << 20;

}  // namespace

void SessionReader::read(const PlannedSession& planned, const transcript::Adapter& adapter) {
  turns::SessionBuilder builder;
  transcript::Cursor cursor;
  const bool resumed = restore(planned, adapter, builder, cursor);
  bool first = true;
  while (!cancel_) {
    auto step = adapter.read(planned.ref, cursor, {kStepBytes}, builder);
    ReadMessage message;
    message.session = &planned;
    message.resumed = resumed;
    if (!step) {
      message.failure = step.error();
      queue_.push(std::move(message));
      return;
    }
    message.step = encode(builder.take(), !step->more);
    message.step.replace = first && !resumed;
    message.step.cursor = cursor = std::move(step->cursor);
    message.step.stamp = planned.ref.stamp;
    message.step.bytes_read = step->bytes_read;
    message.step.problems = builder.take_problems();
    message.step.unknown = builder.take_unknown();
    first = false;
    const bool last = message.step.last;
    if (!queue_.push(std::move(message)) || last) return;
  }
}

// True: the builder and the cursor stand where the last reading ended.
bool SessionReader::restore(const PlannedSession& planned, const transcript::Adapter& adapter,
                            turns::SessionBuilder& builder, transcript::Cursor& cursor) {
  if (force_ || planned.known == store::SessionId{}) return false;
  auto saved = states_.saved_state(planned.known);
  if (!saved || saved->cursor.empty()) return false;
  const auto resumable = adapter.resumable(planned.ref, saved->cursor);
  if (!resumable || !*resumable) return false;
  auto restored = turns::SessionBuilder::restore(saved->state, saved->keys);
  if (!restored) return false;
  builder = std::move(*restored);
  cursor = std::move(saved->cursor);
  return true;
}

store::SessionStep SessionReader::encode(turns::Delta delta, bool last) {
  store::SessionStep step;
  step.sealed = encoder_.encode(delta.sealed);
  // Between two steps of one reading the open passages are about to change anyway.
  if (last) step.open = encoder_.encode(delta.open);
  step.last = last;
  step.turns = std::move(delta.turns);
  step.abandoned = std::move(delta.abandoned);
  step.facts = std::move(delta.facts);
  step.leaf_titles = std::move(delta.leaf_titles);
  step.new_keys = std::move(delta.new_keys);
  step.state = std::move(delta.state);
  return step;
}

}  // namespace yore::ingest
