// match_turns.hpp — which turns of an earlier reading still stand in a later one. Pure.
//
// A turn stands when the later reading has one that says all it said: its prompts and its answers,
// each whole or as the beginning of a longer one. So a turn that grew, was completed, or was moved
// to another number still stands; one that was cut out, rewritten or shortened does not. Tool
// output and thinking do not count: agents drop those when they make room, and nothing said is lost
// by it.
//
// Each turn of the later reading stands for one of the earlier at most: two prompts "yes" are two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "turns/turn_types.hpp"

namespace yore::turns {

// What was said in a turn, a text per block, in order.
struct SaidTurn {
  std::vector<std::string> prompts;
  std::vector<std::string> answers;
};

// Does `later` say all that `earlier` said?
bool says_all_of(const SaidTurn& later, const SaidTurn& earlier);

// One side of the comparison. The words are asked for only where the hashes of both sides do not
// tell, which is seldom.
struct TurnReading {
  std::vector<Turn> turns;
  std::function<SaidTurn(std::size_t index)> said;
};

// For each turn of `earlier` the index of the turn of `later` that stands for it. Equal content
// first, then the same origin, then the same first words. O(turns) but for the words.
std::vector<std::optional<std::size_t>> match_turns(const TurnReading& earlier,
                                                    const TurnReading& later);

}  // namespace yore::turns
