#include "store/exchange.hpp"

#include "base/files/file.hpp"

namespace yore::store {

std::string complete_path(const std::string& database_path) {
  return database_path + ".mended";
}

std::string damaged_path(const std::string& database_path) {
  return database_path + ".damaged";
}

std::vector<std::string> damaged_copies(const std::string& database_path) {
  return {damaged_path(database_path), damaged_path(database_path) + "-wal"};
}

Status finish_exchange(const std::string& database_path) {
  if (!is_regular_file(complete_path(database_path))) return {};
  const std::string log = database_path + "-wal";
  const std::string aside = damaged_path(database_path);
  // The database goes first: without it nobody takes the log for another one's.
  if (is_regular_file(database_path)) {
    if (Status moved = rename_file(database_path, aside); !moved) return moved;
  }
  if (is_regular_file(log)) {
    if (Status moved = rename_file(log, aside + "-wal"); !moved) return moved;
  }
  if (Status removed = remove_file(database_path + "-shm"); !removed) return removed;
  return rename_file(complete_path(database_path), database_path);
}

}  // namespace yore::store
