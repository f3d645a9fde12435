// keep_file.hpp — keep/keep.db: what people decided and what cannot be read again from anywhere.
//
// Salted hashes of what was forgotten (tombstones.hpp) and marks (marks.hpp). Never removed, never
// rebuilt. A change is one transaction under SQLite's own lock, so any number of processes may
// write it while another one holds the writer lock of the record store; each waits some seconds.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/sqlite.hpp"

namespace yore::store {

// The folder of what cannot be rebuilt: never removed, never cleaned up.
std::string keep_directory(const std::string& data_dir);
std::string keep_path(const std::string& data_dir);

// Made when missing (0600), with all of its tables.
Result<Database> open_keep(const std::string& data_dir);

}  // namespace yore::store
