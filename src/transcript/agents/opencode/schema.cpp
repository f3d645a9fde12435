#include "transcript/agents/opencode/schema.hpp"

#include <utility>

namespace yore::transcript::opencode {
namespace {

// "column" when it is there, else NULL.
std::string optional_column(const Columns& columns, const char* name) {
  return columns.contains(name) ? name : "NULL";
}

}  // namespace

Result<Schema> read_schema(Database& database) {
  Schema schema;
  const std::pair<const char*, Columns*> tables[] = {{"session", &schema.session},
                                                     {"message", &schema.message},
                                                     {"part", &schema.part},
                                                     {"session_message", &schema.projection}};
  for (const auto& [table, columns] : tables) {
    auto found = table_columns(database, table);
    if (!found) return found.error();
    *columns = *std::move(found);
  }
  schema.has_parts = has_all(schema.message, {"id", "session_id", "time_created", "data"}) &&
                     has_all(schema.part, {"id", "message_id", "session_id", "data"});
  schema.has_projection = has_all(schema.projection, {"id", "session_id", "type", "data"});
  return schema;
}

Error unknown_schema(const std::string& path) {
  return {Errc::unsupported,
          path + ": its tables are not those of a known version, its sessions are not read"};
}

std::string session_query(const Columns& columns) {
  std::string sql = "SELECT id";
  for (const char* name :
       {"parent_id", "directory", "title", "version", "revert", "time_updated"}) {
    sql += ", " + optional_column(columns, name);
  }
  return sql + " FROM session";
}

SessionInfo session_info(const Statement& row) {
  SessionInfo info;
  info.id = row.text(0);
  info.parent_id = row.text(1);
  info.directory = row.text(2);
  info.title = row.text(3);
  info.version = row.text(4);
  read_revert_json(row.text(5), info);
  info.updated_ms = row.integer(6);
  return info;
}

}  // namespace yore::transcript::opencode
