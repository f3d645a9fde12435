// tracker.hpp — decides which turn a record belongs to: records in, turn events out.
//
// The rules of "What counts as a turn" that hold for every agent live here and nowhere else:
//   - a prompt opens the next turn; assistant output before any turn opens one, whose prompt is the
//     pending command or empty; notes and commands before any turn wait for the first one;
//   - a record whose key was seen before is a repeated line and ignored; text of an assistant
//     message that comes again, whole or as a longer snapshot, is taken once;
//   - a queued prompt joins the running turn; when it comes again as a prompt or joined prompt, it
//     is withdrawn from where it was;
//   - a prompt that answers the same record as an earlier one abandons that one and its successors.
//
// The events do not depend on where the input was split: save() and restore() carry everything.
// Cost per record O(its text); memory O(records) at 8 bytes each for the keys seen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transcript/record.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

using QueuedId = std::uint32_t;

class TurnSink {
 public:
  virtual ~TurnSink() = default;
  // Turn `number` begins with this record (whose kind may be `assistant`: a turn without prompt).
  virtual void turn_opened(TurnNumber number, const transcript::Record& record) = 0;
  // A block of the person's text in the current turn.
  virtual void user_text(std::string_view text) = 0;
  // A queued prompt: part of the current turn's user text unless withdrawn.
  virtual void queued(QueuedId id, std::string_view text) = 0;
  virtual void queued_withdrawn(QueuedId id) = 0;
  // Too many wait to be withdrawn: this one stays where it is.
  virtual void queued_settled(QueuedId id) = 0;
  // Assistant text; `continues` means: more of the block before (a longer snapshot of it).
  virtual void assistant_text(std::string_view text, bool continues) = 0;
  virtual void thinking(std::string_view text, bool continues) = 0;
  virtual void tool_call(const transcript::Block& call) = 0;
  // Of the call with this id, "" where the agent gives none. `own`: printed by yore itself, to be
  // kept out of every index.
  virtual void tool_result(std::string_view text, std::string_view tool_id, bool own) = 0;
  virtual void note(std::string_view text) = 0;
  // All of the turn: it was written down to be remembered.
  virtual void memory(std::string_view text) { note(text); }
  virtual void turn_abandoned(TurnNumber number) = 0;
  // After all events of a record that counted: time and metadata, for the current turn if there is
  // one.
  virtual void record_done(const transcript::Record& record) = 0;
};

class TurnTracker {
 public:
  TurnTracker();
  ~TurnTracker();
  TurnTracker(TurnTracker&&) noexcept;
  TurnTracker& operator=(TurnTracker&&) noexcept;

  void add(const transcript::Record& record, TurnSink& sink);
  // Tokens of all messages so far, each message counted once.
  [[nodiscard]] const transcript::Usage& usage() const;
  [[nodiscard]] TurnNumber turn_count() const;

  // Everything but the keys: small, rewritten with each step.
  [[nodiscard]] std::string save() const;
  // Hashes of the record keys seen since the last call; stored in pieces, handed back in order.
  std::string take_new_keys();
  static Result<TurnTracker> restore(std::string_view saved, std::string_view all_keys);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::turns
