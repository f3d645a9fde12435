// toml_text.hpp — the statements of a TOML text and where they stand. Pure.
//
// Only splits the text; whether it is valid, toml++ says. REQUIRES of all functions: it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yore::setup {

struct TomlStatement {
  enum class Kind : unsigned char { pair, table, list_item };  // key = value, [table], [[list]]
  Kind kind = Kind::pair;
  std::vector<std::string> path;  // of the table; of a pair with its table's before it
  std::size_t table = 0;          // of a pair: how many headers stand before it
  std::size_t begin = 0;          // of the line it begins on
  std::size_t end = 0;            // behind the line break of the line it ends on
  std::string_view value;         // of a pair
};

// In the order of the text; comments and empty lines are no statements.
std::vector<TomlStatement> toml_statements(std::string_view text);

}  // namespace yore::setup
