#include "ingest/session_reading.hpp"

#include <utility>

#include "transcript/reading_time.hpp"

namespace yore::ingest {
namespace {

// Raw bytes parsed between two hand-overs to the writer: bounds memory for files of any size.
constexpr std::uint64_t kStepBytes = 8ULL << 20;

}  // namespace

SessionSource source_of(const transcript::Adapter& adapter, const transcript::SessionRef& ref) {
  return {[&](const transcript::Cursor& cursor) { return adapter.resumable(ref, cursor); },
          [&](const transcript::Cursor& cursor, const transcript::ReadLimits& limits,
              transcript::RecordSink& sink) { return adapter.read(ref, cursor, limits, sink); }};
}

std::chrono::nanoseconds SessionReader::read(const SessionSource& source,
                                             std::optional<store::SessionId> known,
                                             const FileStamp& stamp, const OnRead& on_read,
                                             std::chrono::nanoseconds longest) {
  const WorkLimit limit(cancel_, longest);
  read_steps(source, known, stamp, on_read, limit);
  return limit.used();
}

void SessionReader::read_steps(const SessionSource& source, std::optional<store::SessionId> known,
                               const FileStamp& stamp, const OnRead& on_read,
                               const WorkLimit& limit) {
  turns::SessionBuilder builder;
  transcript::Cursor cursor;
  const bool resumed = known && restore(source, *known, builder, cursor);
  bool first = true;
  while (!cancel_) {
    auto step = source.read(cursor, {kStepBytes}, builder);
    if (cancel_) return;  // whatever the step says
    ReadResult result;
    result.resumed = resumed;
    result.late = limit.was_over();
    if (result.late) step = Error{Errc::cancelled, transcript::too_long_to_read(limit.used())};
    if (!step) {
      result.failure = step.error();
      on_read(std::move(result));
      return;
    }
    result.moved = step->cursor != cursor;
    cursor = step->cursor;
    result.step = encode(builder, std::move(*step));
    result.step.replace = first && !resumed;
    result.step.stamp = stamp;
    first = false;
    const bool last = result.step.last;
    if (!on_read(std::move(result)) || last) return;
  }
}

// True: the builder and the cursor stand where the last reading ended.
bool SessionReader::restore(const SessionSource& source, store::SessionId known,
                            turns::SessionBuilder& builder, transcript::Cursor& cursor) {
  auto saved = states_.saved_state(known);
  if (!saved || saved->cursor.empty()) return false;
  const auto resumable = source.resumable(saved->cursor);
  if (!resumable || !*resumable) return false;
  auto restored = turns::SessionBuilder::restore(saved->state, saved->keys);
  if (!restored) return false;
  builder = std::move(*restored);
  cursor = std::move(saved->cursor);
  return true;
}

store::SessionStep SessionReader::encode(turns::SessionBuilder& builder,
                                         transcript::ReadStep&& read) {
  turns::Delta delta = builder.take();
  store::SessionStep step;
  step.last = !read.more;
  step.sealed = encoder_.encode(delta.sealed);
  // Between two steps of one reading the open passages are about to change anyway.
  if (step.last) step.open = encoder_.encode(delta.open);
  step.turns = std::move(delta.turns);
  step.abandoned = std::move(delta.abandoned);
  step.facts = std::move(delta.facts);
  step.leaf_titles = std::move(delta.leaf_titles);
  step.new_keys = std::move(delta.new_keys);
  step.state = std::move(delta.state);
  step.cursor = std::move(read.cursor);
  step.bytes_read = read.bytes_read;
  step.problems = builder.take_problems();
  step.unknown = builder.take_unknown();
  return step;
}

std::size_t bytes_of(const store::SessionStep& step) {
  std::size_t bytes = step.state.size() + step.new_keys.size();
  for (const store::EncodedPack& pack : step.sealed) bytes += pack.bytes.size();
  return bytes;
}

}  // namespace yore::ingest
