// tracker_state.hpp — what a TurnTracker remembers (private to `turns`). Behaviour: tracker.cpp;
// the same as bytes: tracker_codec.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transcript/record.hpp"
#include "turns/tracker.hpp"

namespace yore::turns {

struct BlockSeen {
  transcript::BlockKind kind = transcript::BlockKind::text;
  std::uint64_t size = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const BlockSeen&, const BlockSeen&) = default;
};

struct MessageSeen {
  std::uint64_t id = 0;
  transcript::Usage usage;
  std::deque<BlockSeen> blocks;
};

struct Link {
  std::uint64_t key = 0;
  std::uint64_t target = 0;  // the nearest record before it that is a message
};

struct Opening {
  std::uint64_t parent = 0;          // as recorded
  std::uint64_t message_parent = 0;  // past structural records
  std::uint64_t first_key = 0;       // number of keys seen when the turn opened
  TurnNumber parent_turn = 0;        // the turn it continues; itself when there is none
  bool abandoned = false;
};

struct Queued {
  QueuedId id = 0;
  std::uint64_t text_hash = 0;
};

// Text that came before any turn was open.
struct Waiting {
  transcript::RecordKind kind = transcript::RecordKind::note;
  std::string text;
};

struct TurnTracker::State {
  // Keys in order of appearance and the turn each stood in.
  std::unordered_map<std::uint64_t, TurnNumber> turn_of_key;
  std::uint64_t key_count = 0;
  std::string new_keys;

  std::vector<Opening> turns;
  std::unordered_map<std::uint64_t, TurnNumber> latest_child;  // parent key -> turn it opened last

  std::deque<MessageSeen> messages;
  std::deque<Link> links;
  std::deque<std::uint64_t> own_calls;
  std::deque<Queued> queued;
  QueuedId next_queued = 0;
  std::vector<Waiting> waiting;
  std::size_t waiting_bytes = 0;    // ever, not now: what was full stays full until the first turn
  std::uint64_t last_text = 0;      // which block of which message was said last in this turn
  std::uint64_t last_thinking = 0;  // likewise thought
  bool shell_runs_yore = false;
  transcript::Usage usage;

  [[nodiscard]] bool has_turn() const { return !turns.empty(); }

  bool remember_key(const transcript::Record& record);
  void remember_link(const transcript::Record& record);
  [[nodiscard]] std::uint64_t message_before(std::uint64_t key) const;
  void index_opening(TurnNumber number);

  void open_turn(const transcript::Record& record, TurnSink& sink);
  void abandon_siblings(TurnNumber number, TurnSink& sink);
  void wait_for_turn(transcript::RecordKind kind, std::string_view text);
  void release_waiting(const transcript::Record& record, TurnSink& sink);
  void withdraw_queued(std::string_view text, TurnSink& sink);

  void add_prompt(const transcript::Record& record, TurnSink& sink);
  void add_queued(std::string_view text, TurnSink& sink);
  void add_joined(const transcript::Record& record, TurnSink& sink);
  void add_assistant(const transcript::Record& record, TurnSink& sink);
  void add_sidechain(const transcript::Record& record, TurnSink& sink);
  void add_tool_output(const transcript::Record& record, TurnSink& sink);
  void add_output(const transcript::Block& block, TurnSink& sink);
  void remember_own_call(const transcript::Block& call);
  void add_note(transcript::RecordKind kind, std::string_view text, TurnSink& sink);
  void count_usage(const transcript::Record& record);
  MessageSeen* message_of(const transcript::Record& record);
};

}  // namespace yore::turns
