// layout.hpp — how a text is laid out, so that what is added looks like the rest. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace yore::setup {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Bytes of the byte order mark, 0 without one.
std::size_t mark_bytes(std::string_view text);
// "\r\n" when the first line ends so, else "\n".
std::string_view line_end(std::string_view text);
// Where the line that holds `at` begins, and where its end (the "\r\n" or "\n", or the text's end)
// is.
std::size_t line_begin(std::string_view text, std::size_t at);
std::size_t line_stop(std::string_view text, std::size_t at);
// The same behind the line's end.
std::size_t next_line(std::string_view text, std::size_t at);
// The spaces and tabs that the line holding `at` begins with.
std::string_view indent_of(std::string_view text, std::size_t at);
// Nothing but spaces and tabs stands before `at` on its line.
bool begins_line(std::string_view text, std::size_t at);
// From 1.
std::size_t line_number(std::string_view text, std::size_t at);

// corrupt unless it is UTF-8 without NUL.
Status check_text(std::string_view text);

}  // namespace yore::setup
