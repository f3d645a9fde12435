// tool_schema.hpp — puts the words and limits of search/vocabulary.hpp into the text of a schema.
#pragma once

#include <string>
#include <string_view>

namespace yore::mcp {

// Replaces %modes% by a JSON list, %surfaces% by a text that tells them, and %most%, %hits%,
// %sessions% and %turns% by numbers.
std::string with_vocabulary(std::string_view schema);

}  // namespace yore::mcp
