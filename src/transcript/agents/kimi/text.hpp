// text.hpp — tells what a person typed from what Kimi put around it or wrote in its place.
// Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace yore::transcript::kimi {

// Who is behind a message of the user's role.
enum class Writer : std::uint8_t {
  person,
  machine,   // a prompt all the same, but nobody typed it: timers, goals
  notice,    // results of tasks in the background: worth finding
  injected,  // meant for the model alone
  shell_output,
};
// By what Kimi Code says of the message; "" when it says nothing. An origin that is not known
// counts as a machine.
Writer writer_of(std::string_view origin, std::string_view name);
bool is_known_origin(std::string_view origin);

// Without <system>…</system>, <system-reminder>…</system-reminder> and <git-context>…</git-context>
// at its begin; "" when nothing else is there.
std::string_view strip_injected(std::string_view text);
// A message that stands for a conversation that was compacted.
bool is_compaction(std::string_view text);

}  // namespace yore::transcript::kimi
