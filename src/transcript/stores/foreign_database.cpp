#include "transcript/stores/foreign_database.hpp"

#include <algorithm>

namespace yore::transcript {

Result<Database> open_foreign(const std::string& path) {
  return Database::open(path, Database::Mode::read_only);
}

Result<Columns> table_columns(Database& database, std::string_view table) {
  auto query = database.prepare(
      "SELECT c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c "
      "WHERE t.schema = 'main' AND t.type = 'table' AND t.name = ?1");
  if (!query) return query.error();
  query->bind(1, table);
  Columns names;
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return names;
    names.emplace(query->text(0));
  }
}

bool has_all(const Columns& columns, std::initializer_list<std::string_view> names) {
  return std::all_of(names.begin(), names.end(),
                     [&](std::string_view name) { return columns.contains(name); });
}

Result<FileStamp> database_stamp(const std::string& path, const FileView& files) {
  auto stamp = files.stat(path);
  if (!stamp) return stamp;
  const auto log = files.stat(path + "-wal");
  // An empty log says nothing, and reading alone can create one.
  if (log && log->size_bytes > 0) {
    stamp->size_bytes += log->size_bytes;
    stamp->mtime_ns = std::max(stamp->mtime_ns, log->mtime_ns);
  }
  return stamp;
}

}  // namespace yore::transcript
