// text.hpp — tells what a person typed from what Claude Code put into a user's message.
//
// User records also carry slash commands, output of local commands, reminders, hook feedback and
// results of background tasks, marked by tags or fixed sentences. Pure; O(length).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yore::transcript::claude_code {

enum class TextKind : std::uint8_t {
  typed,              // a person's words, without the context glued in front of them
  command,            // "/name args"
  shell_output,       // what a command typed with "!" printed
  background_result,  // a background task reports
  machinery,          // nobody's words: not kept
};

struct UserText {
  TextKind kind = TextKind::machinery;
  std::string_view text;    // part of the input or of `buffer`
  bool has_result = false;  // background_result: there is an answer, not just a status
};

// `surely_typed`: the record says that a person wrote it, so that only command and shell tags are
// believed. `buffer` is scratch that the answer may point into.
UserText read_user_text(std::string_view text, bool surely_typed, std::string& buffer);

// The same for a background task's report in whatever form, XML or JSON.
UserText read_background_result(std::string_view text, std::string& buffer);
bool is_background_result(std::string_view text);

// "/compact" and "/review 12", but not "/usr/bin is full".
bool is_slash_command(std::string_view text);
// The X of "/rename X", else "".
std::string_view renamed_to(std::string_view command);
// The first message after a conversation was compacted.
bool is_continuation(std::string_view text);

}  // namespace yore::transcript::claude_code
