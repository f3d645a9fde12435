// tool_answers.hpp — what the answers of all tools have in common: notes, errors, room. Pure but
// for failed(), which logs.
//
// Clients cut long results, some in the middle and without saying so. So every answer keeps within
// a budget of characters and says itself what it left out and how to get it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "mcp/protocol/json.hpp"
#include "mcp/tools/tool.hpp"
#include "text/display.hpp"

namespace yore::mcp {

class ToolBackend;

// Characters of the whole answer, as JSON text.
inline constexpr std::size_t kSearchChars = 10'000;
inline constexpr std::size_t kPageChars = 24'000;
inline constexpr std::size_t kShortPageChars = 11'000;  // for a client that cuts at 12,000
// A working directory is a path, and paths may have any length: fields like it are cut here. A row
// with all of them this long still fits on a page.
inline constexpr std::size_t kLongFieldChars = 500;
// How much of that is kept free for notes and the like.
inline constexpr std::size_t kNoteChars = 1'000;

// The length of its JSON text, counted as JavaScript does: a character beyond U+FFFF is two.
std::size_t json_chars(const Json& json);

// "note": the sentences in one text; nothing when there are none. Further sentences join a note
// that is there. At most kNoteChars characters, and then it says so.
void add_notes(Json& answer, const std::vector<std::string>& sentences);
// "truncated": {field: {"shown", "total"}}, beside what is there already.
void add_truncated(Json& json, std::string_view field, std::size_t shown, std::size_t total);
// A text of more than `max_chars` characters is cut, and that is said.
void cut_text(Json& json, std::string_view field, std::size_t max_chars);

// How many of the pieces fit into `budget` together; the first one counts as fitting.
std::size_t how_many_fit(const Json& pieces, std::size_t budget);

// The answer for an error of the engine: what a model can act on as it is, the rest in general
// words (and in the log).
ToolAnswer failed(const Error& error, const ToolBackend& recall);

using text::with_commas;

}  // namespace yore::mcp
