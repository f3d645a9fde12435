#include "transcript/stores/foreign_database.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace yore::transcript {
namespace {

// Bytes 18 and 19 of a database: versions of writing and reading, 2 with a write-ahead log.
constexpr std::uint64_t kVersionsAt = 18;
constexpr std::string_view kLogged = "\2\2";

// Side files lie beside the file that a link leads to.
std::string without_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real{::realpath(path.c_str(), nullptr), &std::free};
  return real ? real.get() : path;
}

bool nobody_has_it_open(const std::string& path) {
  const std::string file = without_links(path);
  return !look_at(file + "-wal").there && !look_at(file + "-shm").there;
}

}  // namespace

Result<Database> open_foreign(const std::string& path) {
  if (nobody_has_it_open(path)) {
    const auto versions = read_range(path, kVersionsAt, kLogged.size());
    if (versions && *versions == kLogged) {
      auto database = Database::open(path, Database::Mode::at_rest);
      // Asked again behind the look at the file: a log that came in between may hold the half of
      // it. One that comes later changes the file before it matters.
      if (!database || nobody_has_it_open(path)) return database;
    }
  }
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

Result<bool> has_index(Database& database, std::string_view table, std::string_view column) {
  auto query = database.prepare(
      "SELECT 1 FROM pragma_index_list(?1) AS i, pragma_index_info(i.name) AS c "
      "WHERE i.partial = 0 AND c.seqno = 0 AND c.name = ?2");
  if (!query) return query.error();
  query->bind(1, table).bind(2, column);
  return query->step();
}

Result<FileStamp> database_stamp(const std::string& path, const FileView& files) {
  auto stamp = files.stat(path);
  if (!stamp) return stamp;
  const auto log = files.stat(without_links(path) + "-wal");
  // An empty log says nothing, and reading alone can create one.
  if (log && log->size_bytes > 0) {
    stamp->size_bytes += log->size_bytes;
    stamp->mtime_ns = std::max(stamp->mtime_ns, log->mtime_ns);
  }
  return stamp;
}

}  // namespace yore::transcript
