// json_scan.hpp — looks at JSON text without a parser: is it valid, where does a value end, how
// could one that was cut off be closed. Pure; one pass each, no recursion, so no depth is too deep.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yore::transcript {

// Turns the head of a cut-off value into a value: closes an open string, drops a dangling key,
// comma or half a number, closes open objects and arrays. What follows the first complete value, or
// the first error, is dropped. Nesting deeper than 1024 gives "", and so does text without a value.
std::string close_json(std::string_view head);

// One value with white space around it, by the letter of RFC 8259, nested to any depth. Does not
// look at the encoding: UTF-8 and pairs of surrogates are the parser's and repair_json's business.
bool is_valid_json(std::string_view text);

// Bytes of the string that `text` starts with, its quotes included. npos: it never ends.
// REQUIRES: text starts with a quote.
std::size_t json_string_extent(std::string_view text);

// Bytes of the object or array that `text` starts with, found by counting brackets outside strings:
// true for every valid value, a good guess for others. npos: it is never closed.
std::size_t json_extent(std::string_view text);

}  // namespace yore::transcript
