#include "store/masking.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "store/rows.hpp"
#include "store/writer.hpp"
#include "text/passages.hpp"

namespace yore::store {
namespace {

// What is said of a session in its row.
constexpr std::array kTexts = {"title",    "first_prompt", "custom_title",     "name_title",
                               "ai_title", "index_title",  "compaction_title", "ref_title"};

using Block = std::tuple<turns::TurnNumber, turns::Surface, std::uint32_t>;

// A call is a line of one passage, and stays one.
bool stands_alone(const turns::Passage& passage) {
  return passage.surface == turns::Surface::calls;
}

// Masks the passages of one block together, for a secret may lie across two of them, and cuts what
// has changed anew. True: something has.
bool mask_passages(std::vector<turns::Passage>& passages, const MaskText& mask) {
  std::map<Block, std::vector<std::size_t>> blocks;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const turns::Passage& passage = passages[i];
    const auto part = stands_alone(passage) ? static_cast<std::uint32_t>(i) : passage.block;
    blocks[{passage.turn, passage.surface, part}].push_back(i);
  }
  std::map<std::size_t, std::vector<turns::Passage>> anew;  // in the place of the first of a block
  for (const auto& [block, places] : blocks) {
    std::string whole;
    for (const std::size_t place : places) whole += passages[place].text;
    if (!mask(whole)) continue;
    const turns::Passage& first = passages[places.front()];
    std::vector<turns::Passage>& pieces = anew[places.front()];
    const bool said = kind_of(first.surface) == kSaid;
    const auto cut = stands_alone(first) ? std::vector<std::string_view>{whole}
                                         : text::split_passages(whole, said ? text::kConversation
                                                                            : text::kToolOutput);
    for (const std::string_view piece : cut) {
      pieces.push_back({first.turn, first.surface, first.block, std::string(piece)});
    }
    for (const std::size_t place : places) passages[place].text.clear();
  }
  if (anew.empty()) return false;
  std::vector<turns::Passage> all;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const auto pieces = anew.find(i);
    if (pieces != anew.end()) std::ranges::move(pieces->second, std::back_inserter(all));
    if (!passages[i].text.empty()) all.push_back(std::move(passages[i]));
  }
  passages = std::move(all);
  return true;
}

}  // namespace

Result<bool> Writer::mask_session(SessionId session, const MaskText& mask) {
  bool changed = false;
  auto stored = store_->passages_of(session, 0, UINT32_MAX);
  if (!stored) return stored.error();
  std::vector<turns::Passage> passages;
  for (auto& [id, passage] : *stored) passages.push_back(std::move(passage));
  if (mask_passages(passages, mask)) {
    changed = true;
    Status status = drop_packs(session, false);
    PackEncoder encoder;
    if (status) status = add_packs(session, encoder.encode(passages), false);
    if (!status) return status.error();
  }
  for (const std::string column : kTexts) {
    const std::string where = " WHERE id=" + std::to_string(number(session));
    auto find = store_->database().prepare("SELECT " + column + " FROM session" + where);
    if (!find) return find.error();
    const auto row = find->step();
    if (!row) return row.error();
    std::string text(*row ? find->text(0) : "");
    if (!mask(text)) continue;
    changed = true;
    auto put = store_->database().prepare("UPDATE session SET " + column + "=?1" + where);
    if (!put) return put.error();
    if (Status status = put->bind(1, text).execute(); !status) return status.error();
  }
  if (Status status = mask_leaf_titles(session, mask, changed); !status) return status.error();
  // Where reading stopped holds the last words that were read.
  auto saved = saved_state(session);
  if (!saved) return saved.error();
  changed = mask(saved->state) || changed;
  if (!changed) return false;
  auto forget = statement("UPDATE session_state SET state=x'' WHERE session=?1");
  if (!forget) return forget.error();
  Status status = (*forget)->bind(1, number(session)).execute();
  if (status) status = note_change(ChangeOp::session_changed, number(session), 0);
  if (!status) return status.error();
  return true;
}

Status Writer::mask_leaf_titles(SessionId session, const MaskText& mask, bool& changed) {
  auto find = statement("SELECT ordinal,text FROM leaf_title WHERE session=?1");
  if (!find) return find.error();
  (*find)->bind(1, number(session));
  std::vector<std::pair<std::int64_t, std::string>> titles;
  const Status read = for_rows(**find, [&](Statement& row) {
    std::string text(row.text(1));
    if (mask(text)) titles.emplace_back(row.integer(0), std::move(text));
  });
  (*find)->reset();
  if (!read) return read;
  for (const auto& [ordinal, text] : titles) {
    auto put = statement("UPDATE leaf_title SET text=?3 WHERE session=?1 AND ordinal=?2");
    if (!put) return put.error();
    Status status = (*put)->bind(1, number(session)).bind(2, ordinal).bind(3, text).execute();
    if (!status) return status;
    changed = true;
  }
  return {};
}

Result<bool> is_masked(Store& store, int version) {
  const auto known = store.database().number(
      "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key='masked'),0)");
  if (!known) return known.error();
  return *known == version;
}

Status set_masked(Store& store, int version) {
  return store.database().run("INSERT OR REPLACE INTO meta VALUES('masked'," +
                              std::to_string(version) + ")");
}

Status set_unmasked(Store& store) {
  return store.database().run("DELETE FROM meta WHERE key='masked'");
}

Result<std::uint64_t> mask_all(Store& store, const MaskText& mask,
                               const std::atomic<bool>& cancel) {
  std::vector<SessionId> sessions;
  {
    auto query = store.database().prepare("SELECT id FROM session ORDER BY id");
    if (!query) return query.error();
    const Status read =
        for_rows(*query, [&](Statement& row) { sessions.push_back(SessionId{row.integer(0)}); });
    if (!read) return read.error();
  }
  auto writer = Writer::create(store);
  if (!writer) return writer.error();
  std::uint64_t count = 0;
  for (const SessionId session : sessions) {
    if (cancel) return Error{Errc::cancelled, "stopped before all that is stored was masked"};
    Status status = writer->begin();
    if (!status) return status.error();
    const auto changed = writer->mask_session(session, mask);
    status = changed ? writer->commit() : Status(changed.error());
    if (!status) {
      writer->rollback();
      return status.error();
    }
    count += *changed ? 1 : 0;
  }
  return count;
}

}  // namespace yore::store
