// foreign_database.hpp — what every adapter needs that reads another program's live SQLite store.
//
// The owner is never in our way nor we in its: opened read-only, never immutable. Columns come and
// go with the owner's versions, so they are probed before they are asked for.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "base/files/file_view.hpp"
#include "base/result.hpp"
#include "base/sqlite.hpp"

namespace yore::transcript {

using Columns = std::set<std::string, std::less<>>;

Result<Database> open_foreign(const std::string& path);
// The columns of an ordinary table; none when there is no such table, or only a view of that name.
Result<Columns> table_columns(Database& database, std::string_view table);
bool has_all(const Columns& columns, std::initializer_list<std::string_view> names);

// A table's or column's name as it stands in a statement. REQUIRES: letters, digits and '_' only.
inline std::string sql_name(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

// Covers the database and its write-ahead log: one of the two changes with every commit.
Result<FileStamp> database_stamp(const std::string& path, const FileView& files);

// Runs `sql` and calls `on_row(row)` for each row.
template <typename OnRow>
Status for_each_row(Database& database, const std::string& sql, OnRow&& on_row) {
  auto query = database.prepare(sql);
  if (!query) return query.error();
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return {};
    on_row(*query);
  }
}

}  // namespace yore::transcript
