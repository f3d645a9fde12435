// The half of the store that answers questions about turns.
#include "store/rows.hpp"
#include "store/store.hpp"

namespace yore::store {
namespace {

constexpr const char* kTurnColumns =
    "number,flags,first_time,last_time,offset,line,assistant_blocks,origin,content,model,branch,"
    "chunk,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens";

// Columns in the order of kTurnColumns.
turns::Turn turn_row(const Statement& row) {
  turns::Turn turn;
  turn.number = static_cast<turns::TurnNumber>(row.integer(0));
  turn.abandoned = (row.integer(1) & 1) != 0;
  turn.automated = (row.integer(1) & 2) != 0;
  turn.has_tool = (row.integer(1) & 4) != 0;
  turn.scripted = (row.integer(1) & kScriptedFlag) != 0;
  turn.forgotten = (row.integer(1) & kForgottenFlag) != 0;
  turn.first_time = from_ms(row.integer(2));
  turn.last_time = from_ms(row.integer(3));
  turn.offset = row.unsigned_integer(4);
  turn.line = row.unsigned_integer(5);
  turn.assistant_blocks = static_cast<std::uint32_t>(row.integer(6));
  turn.origin = row.unsigned_integer(7);
  turn.content = row.unsigned_integer(8);
  turn.model = row.text(9);
  turn.branch = row.text(10);
  turn.chunk = row.unsigned_integer(11);
  if (!row.is_null(12)) {
    turn.usage = transcript::Usage{row.unsigned_integer(12), row.unsigned_integer(13),
                                   row.unsigned_integer(14), row.unsigned_integer(15)};
  }
  return turn;
}

}  // namespace

Result<std::vector<turns::Turn>> Store::turns_of(SessionId session) {
  return turns_from(session, 0, -1);  // SQLite's word for no limit
}

Result<std::vector<turns::Turn>> Store::turns_from(SessionId session, turns::TurnNumber first,
                                                   int limit) {
  auto query =
      database_.prepare("SELECT " + std::string(kTurnColumns) +
                        " FROM turn WHERE session=?1 AND number>=?2 ORDER BY number LIMIT ?3");
  if (!query) return query.error();
  query->bind(1, static_cast<std::int64_t>(session)).bind(2, first).bind(3, limit);
  std::vector<turns::Turn> rows;
  const Status status =
      for_rows(*query, [&](const Statement& row) { rows.push_back(turn_row(row)); });
  if (!status) return status.error();
  return rows;
}

Result<std::optional<turns::Turn>> Store::turn(SessionId session, turns::TurnNumber number) {
  static const std::string kSql =
      "SELECT " + std::string(kTurnColumns) + " FROM turn WHERE session=?1 AND number=?2";
  const auto query = statement(kSql.c_str());
  if (!query) return query.error();
  const auto row = (*query)->bind(1, static_cast<std::int64_t>(session)).bind(2, number).step();
  if (!row) return row.error();
  std::optional<turns::Turn> found;
  if (*row) found = turn_row(**query);
  (*query)->reset();
  return found;
}

Result<std::optional<std::pair<SessionId, turns::TurnNumber>>> Store::moved_chunk(
    std::string_view prefix) {
  auto query = database_.prepare(
      "SELECT t.session,t.number FROM moved_chunk m JOIN turn t ON t.origin=m.origin "
      "JOIN session s ON s.id=t.session WHERE printf('%012x',m.chunk) GLOB ?1 AND s.excluded=0 "
      "ORDER BY s.standing,s.uid,t.number LIMIT 1");
  if (!query) return query.error();
  const std::string pattern = glob_prefix(prefix);
  const auto row = query->bind(1, pattern).step();
  if (!row) return row.error();
  std::optional<std::pair<SessionId, turns::TurnNumber>> place;
  if (*row) {
    place.emplace(SessionId{query->integer(0)}, static_cast<turns::TurnNumber>(query->integer(1)));
  }
  return place;
}

Result<std::vector<std::pair<SessionId, turns::TurnNumber>>> Store::turns_of_origin(
    std::uint64_t origin) {
  std::vector<std::pair<SessionId, turns::TurnNumber>> places;
  if (origin == 0) return places;
  auto query = database_.prepare(
      "SELECT t.session,t.number FROM turn t JOIN session s ON s.id=t.session "
      "WHERE t.origin=?1 AND s.excluded=0 ORDER BY s.standing,s.uid,t.number");
  if (!query) return query.error();
  query->bind(1, origin);
  const Status status = for_rows(*query, [&](const Statement& row) {
    places.emplace_back(SessionId{row.integer(0)}, static_cast<turns::TurnNumber>(row.integer(1)));
  });
  if (!status) return status.error();
  return places;
}

Result<turns::TurnNumber> Store::turn_end(SessionId session) {
  auto query = database_.prepare("SELECT coalesce(max(number)+1,0) FROM turn WHERE session=?1");
  if (!query) return query.error();
  const auto row = query->bind(1, static_cast<std::int64_t>(session)).step();
  if (!row) return row.error();
  return static_cast<turns::TurnNumber>(query->integer(0));
}

Status Store::each_turn(const std::function<void(SessionId, turns::Turn&&)>& visit) {
  auto query = database_.prepare("SELECT " + std::string(kTurnColumns) +
                                 ",session FROM turn ORDER BY session,number");
  if (!query) return query.error();
  return for_rows(*query,
                  [&](const Statement& row) { visit(SessionId{row.integer(16)}, turn_row(row)); });
}

}  // namespace yore::store
