#include "turns/compactions.hpp"

#include "turns/tracker.hpp"

namespace yore::turns {

struct CompactionFinder::State final : TurnSink {
  TurnTracker tracker;
  Compactions found;

  void turn_opened(TurnNumber, const transcript::Record&) override {}
  void user_text(std::string_view) override {}
  void queued(QueuedId, std::string_view) override {}
  void queued_withdrawn(QueuedId) override {}
  void queued_settled(QueuedId) override {}
  void assistant_text(std::string_view, bool) override {}
  void thinking(std::string_view, bool) override {}
  void tool_call(const transcript::Block&) override {}
  void tool_result(std::string_view, std::string_view, bool) override {}
  void note(std::string_view) override {}
  void turn_abandoned(TurnNumber) override {}
  // Only for records that count: a repeated line is no second compaction.
  void record_done(const transcript::Record& record) override {
    if (!record.compaction) return;
    ++found.count;
    if (tracker.turn_count() > 0) found.last_turn = tracker.turn_count() - 1;
  }
};

CompactionFinder::CompactionFinder() : state_(std::make_unique<State>()) {}
CompactionFinder::~CompactionFinder() = default;

void CompactionFinder::record(const transcript::Record& record) {
  state_->tracker.add(record, *state_);
}

const Compactions& CompactionFinder::found() const {
  return state_->found;
}

}  // namespace yore::turns
