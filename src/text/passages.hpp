// passages.hpp — cuts text into passages, the unit that is stored, indexed and embedded.
//
// Invariants: the pieces in order are the text, byte for byte; no piece is empty or splits a UTF-8
// sequence; no piece is longer than max_bytes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace yore::text {

struct PassageSize {
  std::size_t target_bytes;  // cut at the last good place before this
  std::size_t max_bytes;     // cut anywhere between characters here
};
// What people and agents say: one passage is one vector. Tool output and thinking: larger.
inline constexpr PassageSize kConversation{1000, 1400};
inline constexpr PassageSize kToolOutput{2000, 2400};

// A text of at most max_bytes is one piece, an empty one none. Otherwise a cut falls after the best
// place in the second half of the target: blank line, line end, sentence end (also CJK), space;
// else between two characters. O(n). REQUIRES: max_bytes >= 4, the longest UTF-8 sequence.
std::vector<std::string_view> split_passages(std::string_view text, PassageSize size);

}  // namespace yore::text
