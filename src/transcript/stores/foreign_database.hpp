// foreign_database.hpp — what every adapter needs that reads another program's live SQLite store.
//
// The owner is never in our way nor we in its: opened read-only, and no statement is left half read
// while its rows are worked on, so that a lock lasts for milliseconds. Columns come and go with the
// owner's versions, so they are probed before they are asked for.
//
// A store with a write-ahead log needs two files beside it to be read, and whoever opens it makes
// them; a reader cannot take them away again. As long as nobody has it open they are not there, and
// all that was said is in the database itself: it is read at rest, without locks and without those
// files, and every statement looks whether the file is what it was (base/sqlite.hpp). If not, the
// reading fails as `busy`, and the next look at the changed file reads it in the usual way.
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

// `busy`, now or from a statement: the owner was at work; what was known before still stands.
Result<Database> open_foreign(const std::string& path);
// The columns of an ordinary table; none when there is no such table, or only a view of that name.
Result<Columns> table_columns(Database& database, std::string_view table);
bool has_all(const Columns& columns, std::initializer_list<std::string_view> names);

// A table's or column's name as it stands in a statement. REQUIRES: letters, digits and '_' only.
inline std::string sql_name(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

// Does the owner's schema find the rows of a value of this column without reading all of them?
Result<bool> has_index(Database& database, std::string_view table, std::string_view column);

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
