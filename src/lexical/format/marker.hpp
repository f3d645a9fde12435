// marker.hpp — terms for what a tool call names: its tool, the file it worked on. A filter looks
// them up like words, but no text can contain one.
#pragma once

#include <string>
#include <string_view>

namespace yore::lexical {

enum class Marker : char { tool = '\x01', file = '\x02' };
// The value is folded, and only the end of a long one is kept.
std::string marker_term(Marker kind, std::string_view value);

}  // namespace yore::lexical
