#include "store/naming_data.hpp"

#include "base/bytes.hpp"
#include "store/rows.hpp"

namespace yore::store {
namespace {

// record_keys.keys: u64 each, one after the other.
void read_keys(std::string_view bytes, std::vector<std::uint64_t>& keys) {
  ByteReader in(bytes);
  while (!in.at_end() && in.ok()) {
    const std::uint64_t key = in.u64();
    if (in.ok()) keys.push_back(key);
  }
}

}  // namespace

Result<std::vector<SummaryRow>> summaries(Store& store) {
  auto query = store.database().prepare(
      "SELECT l.session,l.leaf,l.text,l.ordinal FROM leaf_title l JOIN session s ON s.id=l.session "
      "ORDER BY s.uid,l.ordinal");
  if (!query) return query.error();
  std::vector<SummaryRow> rows;
  const Status read = for_rows(*query, [&](Statement& row) {
    rows.push_back({SessionId{row.integer(0)}, row.unsigned_integer(1), std::string(row.text(2)),
                    row.integer(3) < 0});
  });
  if (!read) return read.error();
  return rows;
}

Status each_record_keys(Store& store, const OnKeys& visit) {
  auto query = store.database().prepare("SELECT session,keys FROM record_keys");
  if (!query) return query.error();
  std::vector<std::uint64_t> keys;
  return for_rows(*query, [&](Statement& row) {
    keys.clear();
    read_keys(row.text(1), keys);
    visit(SessionId{row.integer(0)}, keys);
  });
}

Result<std::vector<std::uint64_t>> record_keys(Store& store, SessionId session,
                                               std::int64_t first_part) {
  auto query =
      store.database().prepare("SELECT keys FROM record_keys WHERE session=?1 AND part>=?2");
  if (!query) return query.error();
  query->bind(1, number(session)).bind(2, first_part);
  std::vector<std::uint64_t> keys;
  const Status read = for_rows(*query, [&](Statement& row) { read_keys(row.text(0), keys); });
  if (!read) return read.error();
  return keys;
}

Result<std::vector<std::string>> directories_in(Store& store, RootId root) {
  auto query = store.database().prepare(
      "SELECT DISTINCT directory FROM session WHERE root=?1 AND directory<>'' AND excluded=0 "
      "AND base=0");
  if (!query) return query.error();
  query->bind(1, static_cast<std::int64_t>(root));
  std::vector<std::string> names;
  const Status read = for_rows(*query, [&](Statement& row) { names.emplace_back(row.text(0)); });
  if (!read) return read.error();
  return names;
}

Result<NamingState> naming_state(Store& store) {
  const auto seq = store.database().number(
      "SELECT seq FROM change WHERE op<>5 ORDER BY seq DESC LIMIT 1");  // 5: ends of commits
  if (!seq) return seq.error();
  const auto summaries = store.database().number("SELECT count(*) FROM leaf_title");
  if (!summaries) return summaries.error();
  auto query = store.database().prepare("SELECT value FROM meta WHERE key='named'");
  if (!query) return query.error();
  NamingState state{*seq, *summaries, ""};
  const Status read = for_rows(*query, [&](Statement& row) { state.mark = row.text(0); });
  if (!read) return read.error();
  return state;
}

Status set_naming_mark(Store& store, std::string_view mark) {
  auto query = store.database().prepare("INSERT OR REPLACE INTO meta VALUES('named',?1)");
  if (!query) return query.error();
  return query->bind(1, mark).execute();
}

namespace {

// Notes in `meta`, whose keys begin alike.
Result<FolderKeys> notes(Store& store, std::string_view begin) {
  auto query = store.database().prepare(
      "SELECT substr(key,?2),value FROM meta WHERE key>=?1 AND substr(key,1,?2-1)=?1");
  if (!query) return query.error();
  query->bind(1, begin).bind(2, static_cast<std::int64_t>(begin.size() + 1));
  FolderKeys found;
  const Status read = for_rows(*query, [&](Statement& row) {
    found.emplace(std::string(row.text(0)), std::string(row.text(1)));
  });
  if (!read) return read.error();
  return found;
}

Status set_notes(Store& store, std::string_view begin, const FolderKeys& all) {
  auto clear =
      store.database().prepare("DELETE FROM meta WHERE key>=?1 AND substr(key,1,length(?1))=?1");
  if (!clear) return clear.error();
  if (Status status = clear->bind(1, begin).execute(); !status) return status;
  auto put = store.database().prepare("INSERT INTO meta VALUES(?1||?2,?3)");
  if (!put) return put.error();
  for (const auto& [key, value] : all) {
    if (Status s = put->bind(1, begin).bind(2, key).bind(3, value).execute(); !s) return s;
  }
  return {};
}

constexpr std::string_view kRepository = "repository:";
constexpr std::string_view kRepositoryName = "repository-name:";

}  // namespace

Result<FolderKeys> repositories(Store& store) {
  return notes(store, kRepository);
}

Result<FolderKeys> repository_names(Store& store) {
  return notes(store, kRepositoryName);
}

Status set_repositories(Store& store, const FolderKeys& keys) {
  return set_notes(store, kRepository, keys);
}

Status set_repository_names(Store& store, const FolderKeys& names) {
  return set_notes(store, kRepositoryName, names);
}

Result<std::optional<std::vector<GrownSession>>> grown_after(Store& store, std::int64_t seq) {
  auto query = store.database().prepare(
      "SELECT op,subject,min(count) FROM change WHERE seq>?1 AND op IN (3,4,6) GROUP BY "
      "op,subject");
  if (!query) return query.error();
  query->bind(1, seq);
  std::vector<GrownSession> grown;
  bool only_grown = true;
  const Status read = for_rows(*query, [&](Statement& row) {
    const auto op = static_cast<ChangeOp>(row.integer(0));
    if (op == ChangeOp::session_changed) only_grown = false;
    // A turn that changed says nothing new: its session has grown as well.
    if (op == ChangeOp::session_grown) grown.push_back({SessionId{row.integer(1)}, row.integer(2)});
  });
  if (!read) return read.error();
  if (!only_grown) return std::optional<std::vector<GrownSession>>{};
  return std::optional{std::move(grown)};
}

}  // namespace yore::store
