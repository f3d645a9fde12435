// records.hpp — one line of a Codex rollout in, records out.
//
// Everything is built from response items. Events repeat them for the screen and are left out, but
// for three things: an event tells which user messages a person typed, how many tokens were used,
// and which turns were taken back.
//
// A prompt's key is made of its turn's id, which a fork copies along with the turn: so a copied
// turn is known for what it is. Prompts follow each other as parents, and after a rollback the next
// one follows the last that was kept.
//
// Threads: one reader per thread. Memory: O(largest line), kept between lines.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"
#include "transcript/agents/codex/calls.hpp"
#include "transcript/agents/codex/fields.hpp"
#include "transcript/agents/codex/state.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::codex {

class RecordReader {
 public:
  // `state` outlives the reader and follows what it reads.
  RecordReader(const SessionRef& session, State& state, RecordSink& sink);

  // An OnObject: false when the line is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  enum class PromptSource : std::uint8_t { message, event };

  void start_record(const LineInfo& where);
  void report_unknown();
  void read_meta();
  void read_event();
  void read_item();
  void read_message();
  void read_user_message();
  void read_reasoning();
  void read_call(std::string_view tool);
  void read_output();
  void start_turn(std::string_view turn_id);
  void roll_back(std::uint64_t turns);

  // Delivers a prompt unless its other half came before.
  void read_prompt(std::string_view text, PromptSource source);
  void deliver_prompt(std::string_view text);
  void deliver(RecordKind kind);
  void deliver_text(RecordKind kind, BlockKind block, std::string_view text);
  void add_block(BlockKind kind, std::string_view text);
  std::string_view tool_name();
  // The words of all parts that the rules let through, one below the other.
  std::string_view joined(const std::vector<ItemPart>& parts);

  RecordSink& sink_;
  State& state_;
  std::uint64_t session_hash_;
  FieldReader reader_;
  CallReader calls_;
  Fields fields_;
  Record record_;
  std::vector<Block> blocks_;
  std::string joined_;
  std::string key_;
  std::string parent_key_;
  std::string tool_name_;
};

}  // namespace yore::transcript::codex
