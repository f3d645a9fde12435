// lines.hpp — texts joined by newlines.
#pragma once

#include <string>
#include <string_view>

namespace yore::text {

// Puts a newline between what is there and what comes; an empty text adds nothing.
inline void append_line(std::string& out, std::string_view text) {
  if (text.empty()) return;
  if (!out.empty()) out += '\n';
  out += text;
}

}  // namespace yore::text
