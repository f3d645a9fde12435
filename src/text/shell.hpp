// shell.hpp — words for a POSIX shell. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore::text {

// One word of a command line, quoted only when needed; sh, dash, bash, zsh, ksh and fish read it as
// that word. Control characters and whatever else must not reach a terminal come out as escapes
// inside $'…', which dash and fish do not know: they take another name for it or refuse it, but
// never run any of it.
std::string shell_quote(std::string_view word);

// The words of a command, quoted, with spaces between; "cd FOLDER &&" comes first unless the folder
// is "".
std::string shell_line(const std::vector<std::string>& command, std::string_view folder);

}  // namespace yore::text
