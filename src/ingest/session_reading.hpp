// session_reading.hpp — the reading side of an index run: one session at a time, step by step,
// handed to the writer through a bounded queue.
#pragma once

#include <atomic>
#include <optional>

#include "ingest/bounded_queue.hpp"
#include "ingest/plan.hpp"
#include "store/writer.hpp"
#include "turns/session_builder.hpp"

namespace yore::ingest {

// What a reading thread hands to the writer.
struct ReadMessage {
  const PlannedSession* session = nullptr;
  store::SessionStep step;
  bool resumed = false;
  std::optional<Error> failure;  // the source could not be read (further)
};
using ReadingQueue = BoundedQueue<ReadMessage>;

// Belongs to one thread.
class SessionReader {
 public:
  SessionReader(store::Writer& states, ReadingQueue& queue, const std::atomic<bool>& cancel,
                bool force)
      : states_(states), queue_(queue), cancel_(cancel), force_(force) {}

  // Pushes a message per step until the end, a failure or the cancel.
  void read(const PlannedSession& planned, const transcript::Adapter& adapter);

 private:
  bool restore(const PlannedSession& planned, const transcript::Adapter& adapter,
               turns::SessionBuilder& builder, transcript::Cursor& cursor);
  store::SessionStep encode(turns::Delta delta, bool last);

  store::Writer& states_;
  ReadingQueue& queue_;
  const std::atomic<bool>& cancel_;
  bool force_;
  store::PackEncoder encoder_;
};

}  // namespace yore::ingest
