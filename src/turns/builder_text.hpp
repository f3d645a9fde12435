// builder_text.hpp — small steps of the builder of turns (private to `turns`).
#pragma once

#include <string>
#include <string_view>

#include "base/time.hpp"
#include "transcript/record.hpp"

namespace yore::turns {

// The text itself, or its head and tail in `storage`, with a line between that says how much is
// missing.
std::string_view capped_result(std::string_view text, std::string& storage);

// Is "yore: private" alone on one of its lines, as a person writes it to keep a conversation out?
bool says_private(std::string_view text);

// What was known, or what is seen now, where that is something.
void keep_earliest(Time& known, Time seen);
void keep_latest(Time& known, Time seen);
void add_growth(transcript::Usage& sum, const transcript::Usage& before,
                const transcript::Usage& now);
void keep_new(std::string& known, std::string_view seen);

}  // namespace yore::turns
