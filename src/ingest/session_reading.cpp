#include "ingest/session_reading.hpp"

#include <algorithm>
#include <utility>

#include "ingest/repositories.hpp"
#include "transcript/reading_time.hpp"

namespace yore::ingest {
namespace {

// Raw bytes parsed between two hand-overs to the writer: bounds memory for files of any size.
constexpr std::uint64_t kStepBytes = 8ULL << 20;

Time written_at(const std::string& path) {
  const auto stamp = stat_file(path);
  return stamp ? from_ms(stamp->mtime_ns / 1'000'000) : kNoTime;
}

// Some agents write few times or none: such a turn is as old as the last record before it that has
// one, or as its file when the session tells no time at all.
void date_turns(turns::Delta& delta, const SessionSource& source) {
  turns::SessionFacts& facts = delta.facts;
  const bool dated_session = facts.first_time != kNoTime;
  if (!dated_session) facts.first_time = facts.last_time = source.written();
  for (std::size_t i = 0; i < delta.turns.size(); ++i) {
    turns::Turn& turn = delta.turns[i];
    if (turn.first_time != kNoTime || turn.last_time != kNoTime) continue;
    turn.first_time = turn.last_time = dated_session ? delta.times_before[i] : facts.first_time;
  }
}

// Hears what records say of repositories on their way.
class RepositoryEar final : public transcript::RecordSink {
 public:
  explicit RepositoryEar(transcript::RecordSink& next) : next_(next) {}
  void record(const transcript::Record& record) override {
    if (!record.repository.empty()) heard_ = canonical_repository(record.repository);
    next_.record(record);
  }
  void problem(transcript::ProblemKind kind, std::uint64_t line) override {
    next_.problem(kind, line);
  }
  void unknown(std::string_view what) override { next_.unknown(what); }

  // What was heard last; "" the next time.
  std::string take() { return std::exchange(heard_, {}); }

 private:
  transcript::RecordSink& next_;
  std::string heard_;
};

}  // namespace

SessionSource source_of(const transcript::Adapter& adapter, const transcript::SessionRef& ref) {
  return {[&](const transcript::Cursor& cursor) { return adapter.resumable(ref, cursor); },
          [&](const transcript::Cursor& cursor, const transcript::ReadLimits& limits,
              transcript::RecordSink& sink) { return adapter.read(ref, cursor, limits, sink); },
          // Agents that are written by hand give their records times: one without is damaged.
          [&] { return adapter.owner == nullptr ? kNoTime : written_at(ref.path); }};
}

std::chrono::nanoseconds SessionReader::read(const SessionSource& source,
                                             std::optional<store::SessionId> known,
                                             const ReadingOrder& order, const FileStamp& stamp,
                                             const OnRead& on_read,
                                             std::chrono::nanoseconds longest) {
  const WorkLimit limit(cancel_, longest);
  read_steps(source, known, order, stamp, on_read, limit);
  return limit.used();
}

void SessionReader::read_steps(const SessionSource& source, std::optional<store::SessionId> known,
                               const ReadingOrder& order, const FileStamp& stamp,
                               const OnRead& on_read, const WorkLimit& limit) {
  turns::SessionBuilder builder;
  transcript::Cursor cursor;
  const Result<Start> began = known ? start(source, *known, order, builder, cursor) : Start{};
  if (!began) {
    ReadResult result;
    result.failure = began.error();
    on_read(std::move(result));
    return;
  }
  if (!forgotten_.empty()) {
    builder.leave_out([this](std::uint64_t origin) { return forgotten_.has_turn(origin); });
  }
  if (order.mask) builder.mask_secrets();
  bool first = true;
  RepositoryEar ear(builder);
  while (!cancel_) {
    auto step = source.read(cursor, {kStepBytes}, ear);
    if (cancel_) return;  // whatever the step says
    ReadResult result;
    result.resumed = began->resumed;
    result.late = limit.was_over();
    if (result.late) step = Error{Errc::cancelled, transcript::too_long_to_read(limit.used())};
    if (!step) {
      result.failure = step.error();
      on_read(std::move(result));
      return;
    }
    result.moved = step->cursor != cursor;
    cursor = step->cursor;
    turns::Delta delta = builder.take();
    date_turns(delta, source);
    result.step = encode(std::move(delta), std::move(*step));
    result.step.repository = ear.take();
    result.step.problems = builder.take_problems();
    result.step.unknown = builder.take_unknown();
    result.is_private = builder.is_private();
    result.is_own = builder.is_own();
    result.step.replace = first && !began->resumed;
    result.step.supersede = first && began->rewritten;
    result.step.stamp = stamp;
    first = false;
    const bool last = result.step.last;
    if (!on_read(std::move(result)) || last) return;
  }
}

Result<SessionReader::Start> SessionReader::start(const SessionSource& source,
                                                  store::SessionId known, const ReadingOrder& order,
                                                  turns::SessionBuilder& builder,
                                                  transcript::Cursor& cursor) {
  if (order.from_start && !order.keep) return Start{};
  auto saved = states_.saved_state(known);
  if (!saved) return saved.error();
  if (saved->cursor.empty()) return Start{};
  const auto resumable = source.resumable(saved->cursor);
  if (!resumable || !*resumable) return Start{.resumed = false, .rewritten = order.keep};
  if (order.from_start) return Start{};
  auto restored = turns::SessionBuilder::restore(saved->state, saved->keys);
  if (!restored) return Start{};
  builder = std::move(*restored);
  cursor = std::move(saved->cursor);
  return Start{.resumed = true, .rewritten = false};
}

store::SessionStep SessionReader::encode(turns::Delta&& delta, transcript::ReadStep&& read) {
  store::SessionStep step;
  step.last = !read.more;
  step.sealed = encoder_.encode(delta.sealed);
  // Between two steps of one reading the open passages are about to change anyway.
  if (step.last) step.open = encoder_.encode(delta.open);
  step.turns = std::move(delta.turns);
  for (turns::Turn& turn : step.turns) {
    if (turn.forgotten) turn.origin = 0;
  }
  step.abandoned = std::move(delta.abandoned);
  step.facts = std::move(delta.facts);
  step.leaf_titles = std::move(delta.leaf_titles);
  step.new_keys = std::move(delta.new_keys);
  step.state = std::move(delta.state);
  step.cursor = std::move(read.cursor);
  step.bytes_read = read.bytes_read;
  return step;
}

std::size_t bytes_of(const store::SessionStep& step) {
  std::size_t bytes = step.state.size() + step.new_keys.size();
  for (const store::EncodedPack& pack : step.sealed) bytes += pack.bytes.size();
  return bytes;
}

}  // namespace yore::ingest
