#include "transcript/agents/openclaw/sqlite.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "transcript/agents/openclaw/archive.hpp"
#include "transcript/agents/openclaw/records.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript::openclaw {
namespace {

using Generations = std::unordered_map<std::string, std::string>;

std::int64_t version_of(std::int64_t last_seq, std::string_view generation) {
  if (generation.empty()) return last_seq;
  const auto mixed = hash64(generation, static_cast<std::uint64_t>(last_seq));
  return static_cast<std::int64_t>(mixed >> 1);
}

Status list_events(Database& database, const Generations& generations,
                   std::vector<StoredSession>& out) {
  return for_each_row(
      database, "SELECT session_id, count(*), max(seq) FROM transcript_events GROUP BY session_id",
      [&](const Statement& row) {
        StoredSession session;
        session.session_id = row.text(0);
        session.row = std::string(kEventsRow) + session.session_id;
        const auto generation = generations.find(session.session_id);
        session.stamp.size_bytes = static_cast<std::uint64_t>(row.integer(1));
        session.stamp.mtime_ns =
            version_of(row.integer(2), generation == generations.end() ? "" : generation->second);
        out.push_back(std::move(session));
      });
}

Status list_archives(Database& database, std::vector<StoredSession>& out) {
  const auto columns = table_columns(database, "session_transcript_cold_archives");
  if (!columns) return columns.error();
  if (!has_all(*columns, {"session_id", "archive_name", "storage", "archive_blob"})) return {};
  const bool counted = has_all(*columns, {"event_count", "last_seq"});
  const std::string sql = std::string("SELECT session_id, archive_name, ") +
                          (counted ? "event_count, last_seq" : "0, 0") +
                          " FROM session_transcript_cold_archives";
  return for_each_row(database, sql, [&](const Statement& row) {
    StoredSession session;
    session.session_id = row.text(0);
    session.row = std::string(kArchiveRow) + session.session_id;
    session.archived = true;
    // The name is the hash of the content: it is all the version there is.
    session.stamp.size_bytes = static_cast<std::uint64_t>(row.integer(2));
    session.stamp.mtime_ns = version_of(row.integer(3), row.text(1));
    out.push_back(std::move(session));
  });
}

Result<Generations> read_generations(Database& database) {
  Generations generations;
  const auto columns = table_columns(database, "transcript_rewrite_watermarks");
  if (!columns) return columns.error();
  if (!has_all(*columns, {"session_id", "generation"})) return generations;
  const auto read = for_each_row(
      database, "SELECT session_id, generation FROM transcript_rewrite_watermarks",
      [&](const Statement& row) { generations[std::string(row.text(0))] = row.text(1); });
  if (!read.ok()) return read.error();
  return generations;
}

struct Node {
  std::string current;
  std::string title;
  std::string parent_key;
};
using Nodes = std::unordered_map<std::string, Node>;  // by session key

// The first of these columns that holds a text, else a field of entry_json, else NULL.
std::string text_expression(const Columns& columns,
                            std::initializer_list<std::pair<const char*, const char*>> sources) {
  std::string expression = "coalesce(NULL";
  const bool json = columns.contains("entry_json");
  for (const auto& [column, field] : sources) {
    if (columns.contains(column)) {
      expression += std::string(", nullif(") + column + ", '')";
    } else if (json) {
      expression += std::string(", CASE WHEN json_valid(entry_json) THEN nullif(json_extract(") +
                    "entry_json, '$." + field + "'), '') END";
    }
  }
  return expression + ", NULL)";
}

Result<Nodes> read_nodes(Database& database) {
  Nodes nodes;
  for (const char* table : {"session_nodes", "session_entries"}) {
    const auto columns = table_columns(database, table);
    if (!columns) return columns.error();
    if (!columns->contains("session_key")) continue;
    const char* current = columns->contains("current_session_id") ? "current_session_id"
                          : columns->contains("session_id")       ? "session_id"
                                                                  : "NULL";
    const std::string sql =
        std::string("SELECT session_key, ") + current + ", " +
        text_expression(*columns, {{"label", "label"}, {"display_name", "displayName"}}) + ", " +
        text_expression(*columns,
                        {{"spawned_by", "spawnedBy"}, {"parent_session_key", "parentSessionKey"}}) +
        " FROM " + table;
    const auto read = for_each_row(database, sql, [&](const Statement& row) {
      nodes[std::string(row.text(0))] = {std::string(row.text(1)), std::string(row.text(2)),
                                         std::string(row.text(3))};
    });
    if (!read.ok()) return read.error();
    break;
  }
  return nodes;
}

// Transcripts that are no longer current for their key: known from the windows only.
Status add_windows(Database& database, const Nodes& nodes, SessionIndex& index) {
  for (const char* table : {"session_windows", "sessions"}) {
    const auto columns = table_columns(database, table);
    if (!columns) return columns.error();
    if (!has_all(*columns, {"session_id", "session_key"})) continue;
    const std::string sql =
        std::string("SELECT session_id, session_key, ") +
        text_expression(*columns, {{"display_name", "displayName"}}) + ", " +
        text_expression(*columns,
                        {{"spawned_by", "spawnedBy"}, {"parent_session_key", "parentSessionKey"}}) +
        " FROM " + table;
    return for_each_row(database, sql, [&](const Statement& row) {
      IndexEntry entry{std::string(row.text(1)), std::string(row.text(2)),
                       std::string(row.text(3))};
      const auto node = nodes.find(entry.session_key);
      if (node != nodes.end()) {
        if (!node->second.title.empty()) entry.title = node->second.title;
        if (entry.parent_key.empty()) entry.parent_key = node->second.parent_key;
      }
      index.add(std::string(row.text(0)), std::move(entry), false);
    });
  }
  return {};
}

Status fill_index(Database& database, SessionIndex& index) {
  const auto nodes = read_nodes(database);
  if (!nodes) return nodes.error();
  const auto windows = add_windows(database, *nodes, index);
  if (!windows.ok()) return windows;
  for (const auto& [key, node] : *nodes) {
    index.add(node.current, {key, node.title, node.parent_key}, true);
  }
  return {};
}

}  // namespace

Result<std::vector<StoredSession>> list_store(const std::string& path, SessionIndex& index) {
  std::vector<StoredSession> sessions;
  auto database = open_foreign(path);
  if (!database) return database.error();
  const auto schema = database->number("PRAGMA user_version");
  if (!schema) return schema.error();
  if (*schema > kNewestSchema) {
    return Error{Errc::unsupported, path + ": schema " + std::to_string(*schema) +
                                        " is newer than the newest known (" +
                                        std::to_string(kNewestSchema) +
                                        "), its sessions are not read"};
  }
  const auto columns = table_columns(*database, "transcript_events");
  if (!columns) return columns.error();
  if (columns->empty()) return sessions;  // before schema 4 transcripts were files
  if (!has_all(*columns, {"session_id", "seq", "event_json"})) {
    return Error{Errc::unsupported, path + ": transcript_events is not what schema " +
                                        std::to_string(*schema) + " should hold"};
  }
  const auto generations = read_generations(*database);
  if (!generations) return generations.error();
  for (const auto& listed : {list_events(*database, *generations, sessions),
                             list_archives(*database, sessions), fill_index(*database, index)}) {
    if (!listed.ok()) return listed.error();
  }
  return sessions;
}

}  // namespace yore::transcript::openclaw
