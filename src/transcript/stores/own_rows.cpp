#include "transcript/stores/own_rows.hpp"

#include <set>

#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript {
namespace {

std::string column_sql(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

struct TableShape {
  std::string sql;                   // that made it; "": there is no such table
  std::vector<std::string> columns;  // stored ones
  bool rowid = true;
};

Result<TableShape> shape_of(Database& database, const std::string& table) {
  TableShape shape;
  auto query = database.prepare(
      "SELECT m.sql,t.wr FROM sqlite_master AS m, pragma_table_list(m.name) AS t "
      "WHERE m.type='table' AND t.schema='main' AND t.type='table' AND m.name=?1");
  if (!query) return query.error();
  auto row = query->bind(1, table).step();
  if (!row) return row.error();
  if (!*row) return shape;
  shape.sql = query->text(0);
  shape.rowid = query->integer(1) == 0;
  auto columns = database.prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden=0");
  if (!columns) return columns.error();
  for (row = columns->bind(1, table).step(); row && *row; row = columns->step()) {
    shape.columns.emplace_back(columns->text(0));
  }
  if (!row) return row.error();
  return shape;
}

// How many rows were copied.
Result<std::size_t> copy_rows(Database& from, const TableShape& shape, const OwnRows& rows,
                              Database& to) {
  std::string names = shape.rowid ? "rowid" : "";
  for (const std::string& column : shape.columns) {
    if (!names.empty()) names += ',';
    names += column_sql(column);
  }
  const std::size_t count = shape.columns.size() + (shape.rowid ? 1 : 0);
  std::string places;
  for (std::size_t i = 0; i < count; ++i) places += i == 0 ? "?" : ",?";
  const std::string table = column_sql(rows.table);
  auto insert =
      to.prepare("INSERT OR IGNORE INTO " + table + "(" + names + ") VALUES(" + places + ")");
  if (!insert) return insert.error();
  auto query = from.prepare("SELECT " + names + " FROM " + table + " WHERE " + rows.condition);
  if (!query) return query.error();
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    query->bind(static_cast<int>(i) + 1, std::string_view(rows.values[i]));
  }
  std::size_t copied = 0;
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return copied;
    for (int i = 0; i < static_cast<int>(count); ++i) insert->bind_value(i + 1, *query, i);
    if (Status put = insert->execute(); !put) return put.error();
    ++copied;
  }
}

}  // namespace

Result<std::string> copy_own_rows(const std::string& path, const std::vector<OwnRows>& rows) {
  auto from = open_foreign(path);
  if (!from) return from.error();
  auto to = Database::in_memory();
  if (!to) return to.error();
  const auto version = from->number("PRAGMA user_version");
  if (!version) return version.error();
  // What the owner's tables ask of each other does not hold for a part of them.
  Status ready = to->run(
      "PRAGMA foreign_keys=0;PRAGMA ignore_check_constraints=1;"
      "PRAGMA user_version=" +
      std::to_string(*version));
  if (!ready) return ready.error();
  std::set<std::string> made;
  std::size_t copied = 0;
  for (const OwnRows& each : rows) {
    const auto shape = shape_of(*from, each.table);
    if (!shape) return shape.error();
    if (shape->sql.empty()) continue;
    if (made.insert(each.table).second) {
      if (Status status = to->run(shape->sql); !status) return status.error();
    }
    const auto count = copy_rows(*from, *shape, each, *to);
    if (!count) return count.error();
    copied += *count;
  }
  if (copied == 0) return Error{Errc::not_found, path + ": the session's rows are gone"};
  return to->image();
}

}  // namespace yore::transcript
