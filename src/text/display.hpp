// display.hpp — makes text out of transcripts safe for a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace yore::text {

// Text that cannot control a terminal: escape sequences (CSI, OSC, DCS and friends, 7- and 8-bit)
// are removed whole; other C0 and C1 controls, DEL, bidi marks, overrides and isolates, zero-width
// and tag characters are removed; invalid UTF-8 becomes U+FFFD, one for each stray byte. Newline
// stays, and so do the zero-width joiner, non-joiner and variation selectors, which scripts and
// emoji need; tab becomes two spaces, CR LF is a newline and a lone CR is dropped, the line and
// paragraph separators of Unicode are newlines.
// A control string (OSC, DCS …) without its end loses only its introducer, so that one stray
// escape cannot hide the rest of a text.
// The result is valid UTF-8 and for_terminal() does not change it again. O(n).
std::string for_terminal(std::string_view text);

// The same on one line: runs of white space become one space, ends trimmed.
std::string one_line(std::string_view text);

// One line of at most `columns` columns; "…" ends a text that was cut.
std::string fit(std::string_view text, std::size_t columns);

// Wrapped at `columns`, each line behind `indent`, which counts; existing newlines are kept, spaces
// at the end of a line are not. A word longer than a line is cut; a line takes at least one
// character, however narrow. `text` must already be safe.
std::string wrap(std::string_view text, std::size_t columns, std::string_view indent);

// "12,345"
std::string with_commas(std::uint64_t number);

}  // namespace yore::text
