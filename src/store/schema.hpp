// schema.hpp — the tables of the record store and how old ones become new ones.
// docs/format.md describes every column; change both together.
#pragma once

#include "base/result.hpp"
#include "base/sqlite.hpp"

namespace yore::store {

// PRAGMA user_version of a database this program writes.
inline constexpr int kSchemaVersion = 3;

// Creates or migrates, step by step, each step in one transaction. unsupported: the database is
// newer than this program.
Status prepare_schema(Database& database);

}  // namespace yore::store
