// rows.hpp — walking the rows of a query; for the files of this room.
#pragma once

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

}  // namespace yore::store
