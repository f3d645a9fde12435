#include "store/keep_file.hpp"

#include "base/files/file.hpp"

namespace yore::store {
namespace {

constexpr const char* kKeepSchema =
    "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS tombstone(hash TEXT PRIMARY KEY) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS mark(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, "
    "text TEXT NOT NULL, session TEXT NOT NULL, origin INTEGER NOT NULL, chunk INTEGER NOT NULL, "
    "made INTEGER NOT NULL);"
    "INSERT OR IGNORE INTO meta VALUES('salt', lower(hex(randomblob(32)))), ('unfinished', 0);";

}  // namespace

std::string keep_directory(const std::string& data_dir) {
  return path_join(data_dir, "keep");
}

std::string keep_path(const std::string& data_dir) {
  return path_join(keep_directory(data_dir), "keep.db");
}

Result<Database> open_keep(const std::string& data_dir) {
  if (Status made = make_directories(keep_directory(data_dir)); !made) return made.error();
  const std::string path = keep_path(data_dir);
  if (Status made = make_private_file(path); !made) return made.error();
  auto database = Database::open(path, Database::Mode::create);
  if (!database) return database.error();
  // A rollback journal: one file, whole after every commit. What is forgotten is overwritten.
  const std::string prepare = "PRAGMA synchronous=FULL;PRAGMA secure_delete=ON;";
  if (Status ready = database->run(prepare + kKeepSchema); !ready) return ready.error();
  return database;
}

}  // namespace yore::store
