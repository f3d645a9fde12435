// schema.hpp — which tables of OpenCode's database are there (see opencode_sqlite.hpp).
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "transcript/agents/opencode/store.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript::opencode {

struct Schema {
  Columns session;
  Columns message;
  Columns part;
  Columns projection;
  bool has_parts = false;       // message and part are what they should be
  bool has_projection = false;  // session_message is
};

Result<Schema> read_schema(Database& database);
Error unknown_schema(const std::string& path);

// Selects every session; a condition may follow.
std::string session_query(const Columns& columns);
// REQUIRES: a row of session_query().
SessionInfo session_info(const Statement& row);

}  // namespace yore::transcript::opencode
