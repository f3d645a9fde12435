// text.hpp — what of a Codex user message a person typed. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore::transcript::codex {

// A text that Codex itself put among the user's: instructions, surroundings, notices.
bool is_injected(std::string_view text);
// The same, known by its form alone: one element <some_name> … </some_name> and nothing else. A
// person may have pasted it; then an event says so.
bool looks_injected(std::string_view text);

// What an editor wrote around a request, and the request itself.
struct Request {
  std::string_view text;
  std::string_view context;  // "" for most
};
Request split_request(std::string_view text);

// A command that a person ran from the prompt, told to the model in a message.
struct ShellCommand {
  std::string_view command;
  std::string_view output;
  [[nodiscard]] bool is_one() const { return !command.empty(); }
};
ShellCommand read_shell_command(std::string_view text);

// The working directory that a message about the surroundings names; "" when it names none.
std::string_view named_cwd(std::string_view text);

// The files that a patch ("*** Update File: …") adds, updates or deletes, each once; at most 50.
std::vector<std::string_view> patched_files(std::string_view patch);

// "bash -lc ls" is "ls".
std::string_view without_shell(std::string_view command);

}  // namespace yore::transcript::codex
