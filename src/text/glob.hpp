// glob.hpp — shell patterns: '*' (any run), '?' (one character), '[a-z]' and '[!a-z]', '\' escapes.
// '*' matches '/' too; a character is a code point; a '[' that is never closed is plain, and so is
// a ']' that comes first in a set. No pattern can make it slow: at worst O(pattern * text).
#pragma once

#include <string_view>

namespace yore::text {

bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace yore::text
