#include "text/shell.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "text/display.hpp"

namespace yore::text {
namespace {

bool is_plain(char c) {
  return ascii::is_alnum(c) || std::string_view{"_@%+=:,./-"}.find(c) != std::string_view::npos;
}

// Three octal digits: unlike \x, they cannot swallow a digit that follows.
void append_octal(std::string& out, unsigned char byte) {
  out += '\\';
  out += static_cast<char>('0' + (byte >> 6U));
  out += static_cast<char>('0' + (byte >> 3U & 7U));
  out += static_cast<char>('0' + (byte & 7U));
}

// $'…' is bash and zsh. A shell that does not know it (dash) sees a dollar sign and an ordinary
// quoted word, and takes a wrong name for what it is; so no quote may stand inside, not even behind
// a backslash.
std::string quote_with_escapes(std::string_view word) {
  std::string quoted = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = c == '\'' || c == '\\' || byte < 0x20 || byte >= 0x7F;
    if (special) {
      append_octal(quoted, byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::string shell_quote(std::string_view word) {
  if (word.empty()) return "''";
  // "~" and "=" are plain only where the shell does not look at them first.
  if (std::ranges::all_of(word, is_plain) && word.front() != '=') return std::string(word);
  if (for_terminal(word) != word || word.find('\n') != std::string_view::npos) {
    return quote_with_escapes(word);
  }
  // Backslashes stand outside the quotes as well: inside of them, fish reads them.
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'' || c == '\\') {
      quoted += {'\'', '\\', c, '\''};
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shell_line(const std::vector<std::string>& command, std::string_view folder) {
  std::string line;
  if (!folder.empty()) line = "cd " + shell_quote(folder) + " &&";
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    line += shell_quote(word);
  }
  return line;
}

}  // namespace yore::text
