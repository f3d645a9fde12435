// unknown_names.hpp — how a type or key that an adapter does not know is counted: "type
// frobnicate".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "text/utf8.hpp"
#include "transcript/limits.hpp"

namespace yore::transcript {

inline std::string unknown_name(std::string_view prefix, std::string_view name) {
  return std::string(prefix).append(name.empty() ? "(none)"
                                                 : text::prefix_bytes(name, kMaxNameBytes));
}

// What is unknown in one record: each name once, and not more of them than are worth telling.
inline void note_unknown(std::vector<std::string>& unknown, std::string what) {
  if (unknown.size() == kMaxUnknown || contains(unknown, what)) return;
  unknown.push_back(std::move(what));
}

}  // namespace yore::transcript
