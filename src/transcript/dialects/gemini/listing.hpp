// listing.hpp — the session files below Gemini's folder, and below that of forks which kept
// its layout.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript::gemini {

// `root` is the agent's home, its tmp folder, a project's folder in it or that one's chats. In a
// folder named by a person that is none of these, every .json and .jsonl file that names a session
// is one. Ids are "<agent>:<id>".
Result<Listing> list_sessions(const Root& root, std::string_view agent,
                              const PreviousListing& known);

// The string that stands under `key` in a piece of JSON text, the first or the last of several;
// "" when there is none. Quotes stand unescaped only around keys and strings, so what looks like
// the key is one.
std::string_view peek(std::string_view json, std::string_view key, bool last = false);

}  // namespace yore::transcript::gemini
