// The half of the store that what is derived from it follows: passages, packs and changes.
#include "store/pack.hpp"
#include "store/rows.hpp"
#include "store/store.hpp"

namespace yore::store {

Result<std::vector<std::pair<PassageId, turns::Passage>>> Store::passages_of(
    SessionId session, turns::TurnNumber first, turns::TurnNumber last, unsigned kinds) {
  const auto query = statement(
      "SELECT first,data FROM pack WHERE session=?1 AND first_turn<=?3 AND last_turn>=?2 "
      "AND kind&?4<>0 ORDER BY first");
  if (!query) return query.error();
  (*query)->bind(1, static_cast<std::int64_t>(session)).bind(2, first).bind(3, last);
  (*query)->bind(4, std::int64_t{kinds});
  std::vector<std::pair<PassageId, turns::Passage>> found;
  while (true) {
    const auto row = (*query)->step();
    if (!row) return row.error();
    if (!*row) break;
    auto passages = decode_pack((*query)->text(1));
    if (!passages) return passages.error();
    std::int64_t id = (*query)->integer(0);
    for (turns::Passage& passage : *passages) {
      const bool wanted = passage.turn >= first && passage.turn <= last;
      if (wanted) found.emplace_back(PassageId{id}, std::move(passage));
      ++id;
    }
  }
  (*query)->reset();
  return found;
}

Result<std::optional<turns::Passage>> Store::passage(PassageId id) {
  const auto wanted = static_cast<std::int64_t>(id);
  const auto query =
      statement("SELECT first,data FROM pack WHERE first<=?1 ORDER BY first DESC LIMIT 1");
  if (!query) return query.error();
  const auto row = (*query)->bind(1, wanted).step();
  if (!row) return row.error();
  std::optional<turns::Passage> found;
  if (*row) {
    auto passages = decode_pack((*query)->text(1));
    if (!passages) return passages.error();
    const auto index = static_cast<std::size_t>(wanted - (*query)->integer(0));
    if (index < passages->size()) found = std::move((*passages)[index]);
  }
  (*query)->reset();
  return found;
}

Result<std::optional<Store::PassageInContext>> Store::passage_in_context(PassageId id) {
  const auto wanted = static_cast<std::int64_t>(id);
  std::vector<turns::Passage> pack;
  std::int64_t first = 0;
  // All passages of the pack that holds `wanted`; false: there is none.
  const auto read_pack = [&](std::int64_t key) -> Result<bool> {
    const auto query =
        statement("SELECT first,data FROM pack WHERE first<=?1 ORDER BY first DESC LIMIT 1");
    if (!query) return query.error();
    const auto row = (*query)->bind(1, key).step();
    if (!row) return row.error();
    Result<std::vector<turns::Passage>> passages = std::vector<turns::Passage>{};
    if (*row) passages = decode_pack((*query)->text(1));
    if (*row) first = (*query)->integer(0);
    (*query)->reset();
    if (!passages) return passages.error();
    pack = std::move(*passages);
    return key >= first && static_cast<std::size_t>(key - first) < pack.size();
  };
  const auto there = read_pack(wanted);
  if (!there) return there.error();
  if (!*there) return std::optional<PassageInContext>{};
  const turns::Passage here = pack[static_cast<std::size_t>(wanted - first)];
  PassageInContext found{"", here.text, ""};
  // Passages of a block have ids in a row, and most lie in the same pack: seldom is another read.
  const auto walk = [&](std::int64_t step, std::string& text) -> Status {
    for (std::int64_t key = wanted + step; text.size() < kContextBytes; key += step) {
      if (key < first || static_cast<std::size_t>(key - first) >= pack.size()) {
        const auto other = read_pack(key);
        if (!other) return other.error();
        if (!*other) return {};
      }
      const turns::Passage& next = pack[static_cast<std::size_t>(key - first)];
      if (next.turn != here.turn || next.surface != here.surface || next.block != here.block) {
        return {};
      }
      text.insert(step < 0 ? 0 : text.size(), next.text);
    }
    return {};
  };
  if (Status status = walk(-1, found.before); !status) return status.error();
  if (Status status = walk(1, found.after); !status) return status.error();
  return std::optional(std::move(found));
}

Result<std::uint64_t> Store::passage_count() {
  const auto count = database_.number("SELECT coalesce(sum(count),0) FROM pack");
  if (!count) return count.error();
  return static_cast<std::uint64_t>(*count);
}

Result<std::vector<std::int64_t>> Store::pack_ids(unsigned kinds) {
  auto query = database_.prepare("SELECT first FROM pack WHERE kind&?1<>0 ORDER BY first");
  if (!query) return query.error();
  query->bind(1, std::int64_t{kinds});
  std::vector<std::int64_t> ids;
  const Status status =
      for_rows(*query, [&](const Statement& row) { ids.push_back(row.integer(0)); });
  if (!status) return status.error();
  return ids;
}

Status Store::each_pack(std::int64_t from, std::int64_t to, unsigned kinds,
                        const std::function<bool(PackRow&&)>& visit) {
  auto query = database_.prepare(
      "SELECT first,count,session,data FROM pack WHERE first>=?1 AND first<?2 AND kind&?3<>0 "
      "ORDER BY first");
  if (!query) return query.error();
  query->bind(1, from).bind(2, to).bind(3, std::int64_t{kinds});
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return {};
    auto passages = decode_pack(query->text(3));
    if (!passages) return passages.error();
    PackRow pack{query->integer(0), query->integer(1), SessionId{query->integer(2)},
                 std::move(*passages)};
    if (!visit(std::move(pack))) return {};
  }
}

Result<std::vector<Change>> Store::changes_after(std::int64_t seq, int limit) {
  auto query = database_.prepare(
      "SELECT seq,op,subject,count FROM change WHERE seq>?1 ORDER BY seq LIMIT ?2");
  if (!query) return query.error();
  query->bind(1, seq).bind(2, limit);
  std::vector<Change> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    rows.push_back(
        {row.integer(0), static_cast<ChangeOp>(row.integer(1)), row.integer(2), row.integer(3)});
  });
  if (!status) return status.error();
  return rows;
}

Result<std::int64_t> Store::passages_added_after(std::int64_t seq) {
  const auto query = statement("SELECT coalesce(sum(count),0) FROM change WHERE seq>?1 AND op=?2");
  if (!query) return query.error();
  (*query)->bind(1, seq).bind(2, static_cast<int>(ChangeOp::add_passages));
  const auto row = (*query)->step();
  if (!row) return row.error();
  const std::int64_t count = (*query)->integer(0);
  (*query)->reset();
  return count;
}

Result<CommitMark> Store::last_commit() {
  auto query = database_.prepare("SELECT seq,op,subject FROM change ORDER BY seq DESC LIMIT 1");
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return row.error();
  if (!*row) return CommitMark{};
  // Databases of the first version have no commit rows yet.
  const bool marked = static_cast<ChangeOp>(query->integer(1)) == ChangeOp::commit;
  return CommitMark{query->integer(0), marked ? query->unsigned_integer(2) : 0};
}

Result<bool> Store::has_commit(const CommitMark& mark) {
  auto query = database_.prepare("SELECT op,subject FROM change WHERE seq=?1");
  if (!query) return query.error();
  const auto row = query->bind(1, mark.seq).step();
  if (!row) return row.error();
  if (!*row) return false;
  const bool marked = static_cast<ChangeOp>(query->integer(0)) == ChangeOp::commit;
  return (marked ? query->unsigned_integer(1) : 0) == mark.nonce;
}

}  // namespace yore::store
