// sqlite.cpp — the messages and parts of one session of the database.
#include "transcript/agents/opencode/sqlite.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "transcript/agents/opencode/part_keys.hpp"
#include "transcript/agents/opencode/schema.hpp"
#include "transcript/agents/opencode/store.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript::opencode {
namespace {

class DatabaseStore final : public MessageStore {
 public:
  DatabaseStore(Database database, std::string path, std::string id, Schema schema, bool projection)
      : database_(std::move(database)),
        path_(std::move(path)),
        id_(std::move(id)),
        schema_(std::move(schema)),
        projection_(projection),
        seq_(schema_.projection.contains("seq") ? "ifnull(seq, rowid)" : "rowid") {}

  Result<SessionInfo> info() override {
    auto query = database_.prepare(session_query(schema_.session) + " WHERE id = ?1");
    if (!query) return query.error();
    query->bind(1, std::string_view(id_));
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return Error{Errc::not_found, path_ + ": session " + id_ + " is gone"};
    return session_info(*query);
  }

  // A place is "<time_created> <id>", or the seq of session_message.
  Result<Page> messages_after(const std::string& place) override {
    // With a limit, no more than a page is sorted where there is no index.
    const std::string sql =
        projection_ ? "SELECT " + seq_ + ", id, data, type FROM session_message WHERE " +
                          "session_id = ?1 AND " + seq_ + " > ?2 AND typeof(" + seq_ +
                          ") = 'integer' ORDER BY 1 LIMIT "
                    : "SELECT time_created, id, data, '' FROM message WHERE session_id = ?1 AND "
                      "(time_created, id) > (?2, ?3) AND typeof(time_created) = 'integer' AND "
                      "typeof(id) = 'text' ORDER BY time_created, id LIMIT ";
    auto query = database_.prepare(sql + std::to_string(kPageItems));
    if (!query) return query.error();
    bind_place(*query, place);
    Page page;
    std::size_t bytes = 0;
    while (bytes < kPageBytes) {
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) break;
      Item& item = page.items.emplace_back();
      item.place = std::to_string(query->integer(0));
      item.id = query->text(1);
      item.type = query->text(3);
      if (!projection_) item.place += ' ' + item.id;
      bytes += take_json(*query, 2, item);
    }
    page.last = page.items.size() < kPageItems && bytes < kPageBytes;
    parts_.begin(page);
    return page;
  }

  Result<Page> parts_after(const std::string& message_id, const std::string& place) override {
    const auto found = parts_.find(database_, message_id, place);
    if (!found) return found.error();
    auto query = database_.prepare("SELECT data FROM part WHERE rowid = ?1 AND id = ?2");
    if (!query) return query.error();
    Page page;
    std::size_t bytes = 0;
    for (const PartKey& key : found->keys) {
      if (page.items.size() == kPageItems || bytes >= kPageBytes) {
        page.last = false;
        return page;
      }
      const auto row = query->bind(1, key.row).bind(2, std::string_view(key.id)).step();
      if (!row) return row.error();
      if (*row) {  // else it is gone by now
        Item& item = page.items.emplace_back();
        item.place = item.id = key.id;
        bytes += take_json(*query, 0, item);
      }
      query->reset();
    }
    page.last = found->whole;
    return page;
  }

  Result<std::uint64_t> count_until(const std::string& place) override {
    auto query = database_.prepare(
        projection_
            ? "SELECT count(*), max(" + seq_ + ") = ?2 FROM session_message WHERE " +
                  "session_id = ?1 AND " + seq_ + " <= ?2 AND typeof(" + seq_ + ") = 'integer'"
            : "SELECT count(*), sum((time_created, id) = (?2, ?3)) FROM message WHERE "
              "session_id = ?1 AND (time_created, id) <= (?2, ?3) AND "
              "typeof(time_created) = 'integer' AND typeof(id) = 'text'");
    if (!query) return query.error();
    bind_place(*query, place);
    const auto row = query->step();
    if (!row) return row.error();
    return *row && query->integer(1) != 0 ? query->unsigned_integer(0) : 0;
  }

  Result<std::uint64_t> part_count(const std::string& place) override {
    if (projection_) return std::uint64_t{0};
    const std::string message_id(id_in(place));
    if (parts_.knows(message_id)) {
      const auto found = parts_.find(database_, message_id, "");
      if (!found) return found.error();
      if (found->whole) return found->keys.size();
    }
    auto query = database_.prepare(
        "SELECT count(*) FROM part WHERE message_id = ?1 AND typeof(id) = 'text'");
    if (!query) return query.error();
    query->bind(1, std::string_view(message_id));
    const auto row = query->step();
    if (!row) return row.error();
    return *row ? query->unsigned_integer(0) : 0;
  }

  [[nodiscard]] bool may_be_torn() const override { return false; }

 private:
  static std::string_view id_in(const std::string& place) {
    const auto space = place.find(' ');
    return space == std::string::npos ? std::string_view{}
                                      : std::string_view(place).substr(space + 1);
  }

  // "" is before every row.
  void bind_place(Statement& query, const std::string& place) const {
    query.bind(1, std::string_view(id_));
    if (place.empty()) {
      query.bind(2, INT64_MIN);
    } else {
      query.bind(2, std::int64_t{std::strtoll(place.c_str(), nullptr, 10)});
    }
    if (!projection_) query.bind(3, id_in(place));
  }

  // Returns its size.
  static std::size_t take_json(const Statement& row, int column, Item& item) {
    const auto json = row.text(column);
    if (json.size() > kMaxRecordBytes) {
      item.problem = ProblemKind::oversized;
    } else {
      item.json = json;
    }
    return item.json.size();
  }

  Database database_;
  std::string path_;
  std::string id_;
  Schema schema_;
  bool projection_;
  std::string seq_;  // what orders the rows of session_message
  PartKeys parts_;
};

}  // namespace

Result<std::unique_ptr<MessageStore>> open_database(const SessionRef& session) {
  auto database = open_foreign(session.path);
  if (!database) return database.error();
  auto schema = read_schema(*database);
  if (!schema) return schema.error();
  const bool projection = session.row.starts_with(kProjectionRow);
  const bool there = projection ? schema->has_projection : schema->has_parts;
  if (!there || !schema->session.contains("id")) return unknown_schema(session.path);
  const auto prefix = projection ? kProjectionRow : kPartsRow;
  return std::unique_ptr<MessageStore>(std::make_unique<DatabaseStore>(
      *std::move(database), session.path, session.row.substr(prefix.size()), *std::move(schema),
      projection));
}

}  // namespace yore::transcript::opencode
