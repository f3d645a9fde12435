// sqlite.cpp — the messages and parts of one session of the database.
#include "transcript/agents/opencode/sqlite.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

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
    auto query = database_.prepare(
        projection_ ? "SELECT " + seq_ + ", id, data, type FROM session_message WHERE " +
                          "session_id = ?1 AND " + seq_ + " > ?2 AND typeof(" + seq_ +
                          ") = 'integer' ORDER BY 1"
                    : "SELECT time_created, id, data, '' FROM message WHERE session_id = ?1 AND "
                      "(time_created, id) > (?2, ?3) AND typeof(time_created) = 'integer' AND "
                      "typeof(id) = 'text' ORDER BY time_created, id");
    if (!query) return query.error();
    bind_place(*query, place);
    return fetch(*query, [&](const Statement& row, Item& item) {
      item.place = std::to_string(row.integer(0));
      item.id = row.text(1);
      item.type = row.text(3);
      if (!projection_) item.place += ' ' + item.id;
    });
  }

  Result<Page> parts_after(const std::string& message_id, const std::string& place) override {
    auto query = database_.prepare(
        "SELECT id, id, data FROM part WHERE message_id = ?1 AND id > ?2 AND typeof(id) = 'text' "
        "ORDER BY id");
    if (!query) return query.error();
    query->bind(1, std::string_view(message_id)).bind(2, std::string_view(place));
    return fetch(*query, [&](const Statement& row, Item& item) {
      item.place = row.text(0);
      item.id = item.place;
    });
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
    auto query = database_.prepare(
        "SELECT count(*) FROM part WHERE message_id = ?1 AND typeof(id) = 'text'");
    if (!query) return query.error();
    query->bind(1, id_in(place));
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

  template <typename Describe>
  static Result<Page> fetch(Statement& query, Describe&& describe) {
    Page page;
    std::size_t bytes = 0;
    while (page.items.size() < kPageMessages && bytes < kPageBytes) {
      const auto row = query.step();
      if (!row) return row.error();
      if (!*row) return page;
      Item& item = page.items.emplace_back();
      describe(query, item);
      const auto json = query.text(2);
      if (json.size() > kMaxRecordBytes) {
        item.problem = ProblemKind::oversized;
      } else {
        item.json = json;
      }
      bytes += item.json.size();
    }
    page.last = false;
    return page;
  }

  Database database_;
  std::string path_;
  std::string id_;
  Schema schema_;
  bool projection_;
  std::string seq_;  // what orders the rows of session_message
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
