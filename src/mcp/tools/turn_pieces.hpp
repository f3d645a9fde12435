// turn_pieces.hpp — as much of a turn as an answer has room for. Pure.
//
// The characters of a turn are counted over user_text, then assistant_text, then the entries of
// tools_used as JSON; an offset is a place in that row. Entries are never cut.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "mcp/protocol/json.hpp"
#include "turns/turn_reader.hpp"

namespace yore::mcp {

// What clients take without cutting it themselves, with the JSON around the text.
inline constexpr std::size_t kMostTurnChars = 40'000;

struct TurnPiece {  // NOLINT(bugprone-exception-escape): the checker doubts the moves of Json
  Json json;        // as service/answers.hpp has it, with "truncated" where something is missing
  std::size_t total = 0;            // characters of the turn
  std::optional<std::size_t> next;  // offset of what comes behind; nullopt: the turn ends here
};

// `whole` as service/answers.hpp makes it; at most `max_chars` characters from `offset` on, and
// fewer where escapes would make the answer too long. Always goes on by something.
// `max_json`: of the whole answer as JSON text; 0: as long as clients take.
TurnPiece piece_of(const Json& whole, std::size_t offset, std::size_t max_chars,
                   std::size_t max_json = 0);

// The whole turn when its JSON has at most `budget` characters. Otherwise each part is cut to its
// share: what was asked, what was answered and the tools, a small part in full.
Json fitted(const Json& whole, std::size_t budget);

}  // namespace yore::mcp
