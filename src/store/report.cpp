// What the store tells about itself: counts, problems, health.
#include <algorithm>

#include "store/rows.hpp"
#include "store/store.hpp"
#include "text/utf8.hpp"

namespace yore::store {
namespace {

// "2.1.5–2.1.42", or the one version there is.
Result<std::string> version_range(Database& database, std::string_view agent) {
  auto query = database.prepare(
      "SELECT DISTINCT version FROM session WHERE agent=?1 AND version<>'' AND excluded=0 AND "
      "base=0");
  if (!query) return query.error();
  query->bind(1, agent);
  std::vector<std::string> versions;
  const Status status =
      for_rows(*query, [&](const Statement& row) { versions.emplace_back(row.text(0)); });
  if (!status) return status.error();
  if (versions.empty()) return std::string();
  const auto [oldest, newest] = std::ranges::minmax(versions, text::natural_less);
  return oldest == newest ? oldest : oldest + "–" + newest;
}

}  // namespace

Result<std::vector<AgentCounts>> Store::agent_counts() {
  auto query = database_.prepare(
      "SELECT agent, sum(kind=0 AND standing=0), sum(kind=1), sum(iif(standing=0,turn_count,0)), "
      "sum(missing<>0 AND turn_count+superseded>0 AND standing=0), sum(automated<>0),"
      // For a row in another program's database the size in the stamp is not a number of bytes.
      " sum(CASE WHEN row='' THEN size ELSE 0 END), coalesce(sum((SELECT sum(count) FROM problem p "
      "WHERE p.session=s.id)),0),"
      " sum(copies<>''), max(last_time), sum(superseded), sum(iif(standing=3,turn_count,0)), "
      "sum(standing=4)"
      " FROM session s WHERE excluded=0 AND base=0 GROUP BY agent ORDER BY agent");
  if (!query) return query.error();
  std::vector<AgentCounts> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    AgentCounts counts;
    counts.agent = row.text(0);
    counts.sessions = row.unsigned_integer(1);
    counts.subagents = row.unsigned_integer(2);
    counts.turns = row.unsigned_integer(3);
    counts.missing = row.unsigned_integer(4);
    counts.automated = row.unsigned_integer(5);
    counts.bytes = row.unsigned_integer(6);
    counts.problems = row.unsigned_integer(7);
    counts.other_files = row.unsigned_integer(8);
    counts.newest = from_ms(row.integer(9));
    counts.superseded = row.unsigned_integer(10);
    counts.prompts = row.unsigned_integer(11);
    counts.notes = row.unsigned_integer(12);
    rows.push_back(std::move(counts));
  });
  if (!status) return status.error();
  for (AgentCounts& counts : rows) {
    auto versions = version_range(database_, counts.agent);
    if (!versions) return versions.error();
    counts.versions = std::move(*versions);
  }
  return rows;
}

Result<std::vector<ProblemRow>> Store::problems() {
  auto query = database_.prepare(
      "SELECT p.session,s.uid,s.path,p.kind,p.count,p.lines FROM problem p "
      "JOIN session s ON s.id=p.session ORDER BY s.path,s.uid,p.kind");
  if (!query) return query.error();
  std::vector<ProblemRow> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    rows.push_back({SessionId{row.integer(0)}, std::string(row.text(1)), std::string(row.text(2)),
                    static_cast<transcript::ProblemKind>(row.integer(3)), row.unsigned_integer(4),
                    std::string(row.text(5))});
  });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<UnknownRow>> Store::unknowns() {
  auto query = database_.prepare(
      "SELECT s.agent,u.what,sum(u.count),count(*) FROM unknown u JOIN session s ON s.id=u.session "
      "GROUP BY 1,2 ORDER BY 3 DESC,1,2");
  if (!query) return query.error();
  std::vector<UnknownRow> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    rows.push_back({std::string(row.text(0)), std::string(row.text(1)), row.unsigned_integer(2),
                    row.unsigned_integer(3)});
  });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<TroubleRow>> Store::troubles() {
  auto query = database_.prepare(
      "SELECT r.agent,t.path,t.message FROM trouble t JOIN root r ON r.id=t.root ORDER BY 2,3");
  if (!query) return query.error();
  std::vector<TroubleRow> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    rows.push_back({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2))});
  });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<std::pair<SessionId, std::string>>> Store::hosts() {
  auto query = database_.prepare("SELECT id,host FROM session WHERE host<>'' ORDER BY id");
  if (!query) return query.error();
  std::vector<std::pair<SessionId, std::string>> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    rows.emplace_back(SessionId{row.integer(0)}, std::string(row.text(1)));
  });
  if (!status) return status.error();
  return rows;
}

Result<std::string> Store::integrity() {
  auto query = database_.prepare("PRAGMA quick_check(1)");
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return row.error();
  return std::string(query->text(0));
}

}  // namespace yore::store
