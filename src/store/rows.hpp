// rows.hpp — walking the rows of a query; for the files of this room.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/sqlite.hpp"

namespace yore::store {

// Runs `each` for every row.
template <typename Each>
Status for_rows(Statement& statement, Each each) {
  while (true) {
    const auto row = statement.step();
    if (!row) return row.error();
    if (!*row) return {};
    each(statement);
  }
}

// Like the prefix itself, but matching everything that begins with it under GLOB.
inline std::string glob_prefix(std::string_view prefix) {
  std::string pattern;
  for (const char c : prefix) {
    if (c == '*' || c == '?' || c == '[') {
      pattern += '[';
      pattern += c;
      pattern += ']';
    } else {
      pattern += c;
    }
  }
  return pattern + "*";
}

}  // namespace yore::store
