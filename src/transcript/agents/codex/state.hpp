// state.hpp — what reading a rollout carries from one line to the next. It is part of the
// cursor, so that a file read in pieces gives the records of reading it at once. Under 4 KB.
//
// Cursor: that of the JSONL reader as a text, then flags and counts as varints, the turn id as a
// text, the time and hashes of 8 bytes each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript::codex {

struct State {
  bool meta_seen = false;  // a fork's file holds its parent's too, behind its own
  bool damage_reported = false;
  std::string turn_id;
  std::uint64_t turn_prompts = 0;   // prompts within this turn
  std::uint64_t prompts = 0;        // all of them
  Time time = kNoTime;              // for lines that have none
  std::vector<std::uint64_t> live;  // keys of the latest prompts that were not rolled back
  // Hashes of prompts that were seen as a message but not yet as an event, and the reverse.
  std::vector<std::uint64_t> messages;
  std::vector<std::uint64_t> events;
  bool scripted = false;  // `codex exec`
};

struct Position {
  Cursor file;  // of read_jsonl()
  State state;
};

Cursor encode(const Position& position);
// nullopt: not a cursor of this adapter. The empty cursor is the start.
std::optional<Position> decode(std::string_view cursor);

}  // namespace yore::transcript::codex
