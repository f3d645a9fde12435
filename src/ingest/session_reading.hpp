// session_reading.hpp — the reading side of a run: one session at a time, step by step, from where
// the last reading ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "base/work_limit.hpp"
#include "store/tombstones.hpp"
#include "store/writer.hpp"
#include "transcript/adapter.hpp"
#include "turns/session_builder.hpp"

namespace yore::ingest {

// A commit costs a sync: this much is bundled.
inline constexpr std::size_t kBatchBytes = 16 << 20;

// What one session is read from: the files of an agent, or what a program hands over. As the
// functions of the same names in transcript/adapter.hpp, of this session.
struct SessionSource {
  std::function<Result<bool>(const transcript::Cursor& cursor)> resumable;
  std::function<Result<transcript::ReadStep>(const transcript::Cursor& cursor,
                                             const transcript::ReadLimits& limits,
                                             transcript::RecordSink& sink)>
      read;
  // When its file was last written, for a session that tells no time; kNoTime: nothing says so.
  std::function<Time()> written = [] { return kNoTime; };
};
// REQUIRES: both outlive it.
SessionSource source_of(const transcript::Adapter& adapter, const transcript::SessionRef& ref);

struct ReadResult {
  store::SessionStep step;
  bool resumed = false;          // only what is new was read
  bool moved = false;            // there was something to read
  bool is_private = false;       // a person said so: nothing of it is to be kept
  bool is_own = false;           // yore itself began it: likewise
  std::optional<Error> failure;  // the source, or how far it was read, could not be read
  bool late = false;             // the failure: it took longer than it may
};
using OnRead = std::function<bool(ReadResult&&)>;  // false: that is enough

// How to read a session that was read before.
struct ReadingOrder {
  bool from_start = false;  // even when it could go on where the last reading ended
  bool keep = true;         // turns that a rewritten source no longer has
  bool mask = false;        // secrets, in what is stored
};

// Belongs to one thread.
class SessionReader {
 public:
  // REQUIRES: all outlive it.
  SessionReader(store::Writer& states, const store::Tombstones& forgotten,
                const std::atomic<bool>& cancel)
      : states_(states), forgotten_(forgotten), cancel_(cancel) {}

  // Calls `on_read` for each step until the end, a failure or the cancel. `known`: what was read of
  // it before; none: it was never read. `stamp` is kept with the last step. Returns the processor
  // time it took.
  std::chrono::nanoseconds read(const SessionSource& source, std::optional<store::SessionId> known,
                                const ReadingOrder& order, const FileStamp& stamp,
                                const OnRead& on_read,
                                std::chrono::nanoseconds longest = WorkLimit::kUnlimited);

 private:
  void read_steps(const SessionSource& source, std::optional<store::SessionId> known,
                  const ReadingOrder& order, const FileStamp& stamp, const OnRead& on_read,
                  const WorkLimit& limit);
  struct Start {
    bool resumed = false;    // the builder and the cursor stand where the last reading ended
    bool rewritten = false;  // the source no longer begins with what was read
  };
  // Fails when the store cannot say what was read: then nothing may be put in its place.
  Result<Start> start(const SessionSource& source, store::SessionId known,
                      const ReadingOrder& order, turns::SessionBuilder& builder,
                      transcript::Cursor& cursor);
  store::SessionStep encode(turns::Delta&& delta, transcript::ReadStep&& read);

  store::Writer& states_;
  const store::Tombstones& forgotten_;
  const std::atomic<bool>& cancel_;
  store::PackEncoder encoder_;
};

// About what a step adds to a transaction.
std::size_t bytes_of(const store::SessionStep& step);

}  // namespace yore::ingest
