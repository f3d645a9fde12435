#include "turns/own_output.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/files/file.hpp"
#include "turns/own_tools.hpp"

namespace yore::turns {
namespace {

constexpr std::array<std::string_view, 10> kShellTools = {
    "Bash", "bash",         "PowerShell",  "shell", "shell_command",
    "exec", "exec_command", "local_shell", "Shell", "run_shell_command"};
// Words before the program: what runs another command, and what begins a list of commands.
constexpr std::array<std::string_view, 18> kPrefixes = {
    "sudo", "time", "exec", "env",  "command", "nohup", "timeout", "nice",  "xargs",
    "if",   "then", "else", "elif", "while",   "until", "do",      "watch", "!"};
constexpr std::array<std::string_view, 4> kShells = {"sh", "bash", "zsh", "dash"};
constexpr std::string_view kSeparators = "|&;\n(){}`";
constexpr std::string_view kBlanks = " \t\r";

// The end of a quoted text whose opening quote stands at `at`; npos when it is never closed.
std::size_t closing_quote(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == quote) return i;
    if (quote == '"' && text[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

struct Word {
  std::string text;        // without its quotes
  bool runs_yore = false;  // through a command substitution inside double quotes
};

// Reads the word at `at` and moves behind it. A quote that is never closed is a plain character: an
// apostrophe in a here-document must not hide what follows.
Word read_word(std::string_view command, std::size_t& at) {
  Word word;
  while (at < command.size()) {
    const char c = command[at];
    if (kSeparators.find(c) != std::string_view::npos) return word;
    if (kBlanks.find(c) != std::string_view::npos) return word;
    const bool quote = c == '"' || c == '\'';
    const std::size_t end = quote ? closing_quote(command, at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      if (!quote) word.text += c;
      ++at;
      continue;
    }
    const std::string_view inside = command.substr(at + 1, end - at - 1);
    word.text += inside;
    const std::size_t substitution = c == '"' ? inside.find("$(") : std::string_view::npos;
    if (substitution != std::string_view::npos) {
      word.runs_yore = word.runs_yore || runs_yore(inside.substr(substitution + 2));
    }
    at = end + 1;
  }
  return word;
}

}  // namespace

bool runs_yore(std::string_view command) {
  if (command.find("yore") == std::string_view::npos) return false;
  bool want_program = true;  // the next word may name the program of a simple command
  bool after_prefix = false;
  bool after_shell = false;  // "bash -c": the next word is a command line of its own
  std::size_t at = 0;
  while (at < command.size()) {
    const char c = command[at];
    const bool separator = kSeparators.find(c) != std::string_view::npos;
    if (separator || kBlanks.find(c) != std::string_view::npos) {
      if (separator) want_program = true;
      if (separator) after_prefix = after_shell = false;
      ++at;
      continue;
    }
    const Word word = read_word(command, at);
    if (word.runs_yore) return true;
    if (!want_program || word.text.empty()) continue;
    const bool option = word.text.starts_with('-') || ascii::is_digit(word.text[0]);
    if (option && (after_prefix || after_shell)) continue;
    if (after_shell && runs_yore(word.text)) return true;
    if (contains(kPrefixes, word.text)) {
      after_prefix = true;
      continue;
    }
    const bool assignment = word.text.find('=') != std::string::npos;
    if (assignment) continue;
    const std::string_view program = path_basename(word.text);
    if (program == "yore") return true;
    after_shell = !after_shell && contains(kShells, program);
    want_program = after_shell;
  }
  return false;
}

bool is_own_call(const transcript::Block& call) {
  const std::string_view name = call.tool_name;
  for (const std::string_view own : kOwnTools) {
    if (!name.ends_with(own)) continue;
    // "mcp__yore__read_turn", "yore_read_turn", "yore.read_turn" or the bare name.
    if (name.size() == own.size()) return true;
    const char before = name[name.size() - own.size() - 1];
    if (before == '_' || before == '.' || before == '/' || before == '-') return true;
  }
  return contains(kShellTools, name) && runs_yore(call.text.substr(0, 4096));
}

}  // namespace yore::turns
