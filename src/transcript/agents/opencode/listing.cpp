// listing.cpp — the sessions of OpenCode's database, and which of them have changed.
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "transcript/agents/opencode/schema.hpp"
#include "transcript/agents/opencode/sqlite.hpp"
#include "transcript/agents/opencode/store.hpp"

namespace yore::transcript::opencode {
namespace {

// What a session's rows in one table amount to.
struct Rows {
  std::uint64_t count = 0;
  std::int64_t last_row = 0;
  std::int64_t updated_ms = 0;  // of those at the end
};
using RowsBySession = std::unordered_map<std::string, Rows>;

std::string last_rows(const std::string& table) {
  return "SELECT max(rowid) FROM " + table + " GROUP BY session_id";
}

Result<RowsBySession> count_rows(Database& database, const std::string& table,
                                 const char* condition = "") {
  RowsBySession rows;
  const auto counted = for_each_row(
      database,
      "SELECT session_id, count(*), max(rowid) FROM " + table + condition + " GROUP BY session_id",
      [&](const Statement& row) {
        rows[std::string(row.text(0))] = {row.unsigned_integer(1), row.integer(2), 0};
      });
  if (!counted.ok()) return counted.error();
  return rows;
}

// When the rows that meet the condition were last changed.
Status add_times(Database& database, const std::string& table, const std::string& condition,
                 RowsBySession& rows) {
  return for_each_row(
      database, "SELECT session_id, time_updated FROM " + table + " WHERE " + condition,
      [&](const Statement& row) {
        const auto found = rows.find(std::string(row.text(0)));
        if (found == rows.end()) return;
        found->second.updated_ms = std::max(found->second.updated_ms, row.integer(1));
      });
}

// The rows of one table, with the times of the last ones.
Result<RowsBySession> read_rows(Database& database, const std::string& table,
                                const Columns& columns) {
  auto rows = count_rows(database, table);
  if (!rows || !columns.contains("time_updated")) return rows;
  const auto added = add_times(database, table, "rowid IN (" + last_rows(table) + ")", *rows);
  if (!added.ok()) return added.error();
  return rows;
}

// Likewise, and of all parts of the last message: its tools run at the same time.
Result<RowsBySession> read_parts(Database& database, const Columns& columns) {
  auto rows = read_rows(database, "part", columns);
  if (!rows || !columns.contains("time_updated")) return rows;
  const std::string last_messages =
      "SELECT id FROM message WHERE rowid IN (" + last_rows("message") + ")";
  const auto added = add_times(database, "part", "message_id IN (" + last_messages + ")", *rows);
  if (!added.ok()) return added.error();
  return rows;
}

struct Tables {
  RowsBySession messages;
  RowsBySession parts;
  RowsBySession projected;  // rows of session_message
  RowsBySession spoken;     // those of them in which somebody says something
};

Result<Tables> read_tables(Database& database, const Schema& schema) {
  Tables tables;
  const auto keep = [](Result<RowsBySession> rows, RowsBySession& out) -> Status {
    if (!rows) return rows.error();
    out = *std::move(rows);
    return {};
  };
  Status status;
  if (schema.has_parts) {
    status = keep(read_rows(database, "message", schema.message), tables.messages);
    if (status.ok()) status = keep(read_parts(database, schema.part), tables.parts);
  }
  if (status.ok() && schema.has_projection) {
    constexpr const char* kSpoken = " WHERE type IN ('user', 'assistant', 'shell')";
    status = keep(read_rows(database, "session_message", schema.projection), tables.projected);
    if (status.ok()) status = keep(count_rows(database, "session_message", kSpoken), tables.spoken);
  }
  if (!status.ok()) return status.error();
  return tables;
}

Rows rows_of(const RowsBySession& rows, const std::string& id) {
  const auto found = rows.find(id);
  return found == rows.end() ? Rows{} : found->second;
}

// Rows in place of bytes, the latest change in place of the time, a hash in place of the inode.
FileStamp stamp_of(const SessionInfo& info, const Rows& messages, const Rows& parts) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  constexpr std::int64_t kMaxMs = INT64_MAX / kNsPerMs;
  const auto latest = std::max({info.updated_ms, messages.updated_ms, parts.updated_ms});
  FileStamp stamp;
  stamp.size_bytes = messages.count + parts.count;
  stamp.mtime_ns = std::clamp<std::int64_t>(latest, 0, kMaxMs) * kNsPerMs;
  std::string rest = info.reverted_message + '\n' + info.reverted_part;
  for (const std::int64_t number : {info.updated_ms, messages.last_row, messages.updated_ms,
                                    parts.last_row, parts.updated_ms}) {
    rest += '\n' + std::to_string(number);
  }
  stamp.inode = hash64(rest);
  return stamp;
}

}  // namespace

Result<std::vector<SessionRef>> list_database(const std::string& path) {
  std::vector<SessionRef> sessions;
  auto database = open_foreign(path);
  if (!database) return database.error();
  const auto count = database->number("SELECT count(*) FROM sqlite_master");
  if (!count) return count.error();
  if (*count == 0) return sessions;  // just made
  const auto schema = read_schema(*database);
  if (!schema) return schema.error();
  if (!schema->session.contains("id")) return unknown_schema(path);
  if (!schema->has_parts && !schema->has_projection) return unknown_schema(path);
  const auto tables = read_tables(*database, *schema);
  if (!tables) return tables.error();
  const auto listed = for_each_row(*database, session_query(schema->session), [&](const auto& row) {
    const SessionInfo info = session_info(row);
    if (info.id.empty()) return;
    const Rows messages = rows_of(tables->messages, info.id);
    const bool projection = rows_of(tables->spoken, info.id).count > messages.count;
    SessionRef ref = make_ref(info, path, projection ? kProjectionRow : kPartsRow);
    ref.stamp = projection ? stamp_of(info, rows_of(tables->projected, info.id), {})
                           : stamp_of(info, messages, rows_of(tables->parts, info.id));
    // What was not moved there yet is still in the tree.
    ref.rank = ref.stamp.size_bytes > 0 ? 1 : -1;
    sessions.push_back(std::move(ref));
  });
  if (!listed.ok()) return listed.error();
  return sessions;
}

Status add_database_ids(const std::string& path, std::unordered_set<std::string>& ids) {
  auto database = open_foreign(path);
  if (!database) return database.error();
  const auto schema = read_schema(*database);
  if (!schema) return schema.error();
  for (const auto& [there, table] : {std::pair{schema->has_parts, "message"},
                                     std::pair{schema->has_projection, "session_message"}}) {
    if (!there) continue;
    const auto sql =
        std::string("SELECT id FROM session WHERE id IN (SELECT session_id FROM ") + table + ")";
    const auto added =
        for_each_row(*database, sql, [&](const Statement& row) { ids.emplace(row.text(0)); });
    if (!added.ok()) return added;
  }
  return {};
}

}  // namespace yore::transcript::opencode
