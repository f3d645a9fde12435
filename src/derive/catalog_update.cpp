#include "derive/catalog_update.hpp"

#include <algorithm>
#include <unordered_set>

#include "turns/chunk_id.hpp"

namespace yore::derive {

using lexical::SessionOrd;
using lexical::TurnOrd;

CatalogUpdate::CatalogUpdate() {
  names_.emplace("", 0);
}

CatalogUpdate::CatalogUpdate(const lexical::Catalog& base,
                             const std::vector<store::SessionId>& touched)
    : CatalogUpdate() {
  next_session_ = static_cast<SessionOrd>(base.sessions().size());
  next_turn_ = static_cast<TurnOrd>(base.turns().size());
  std::unordered_set<std::int64_t> wanted;
  for (const store::SessionId id : touched) wanted.insert(static_cast<std::int64_t>(id));
  for (SessionOrd ord = 0; ord < base.sessions().size(); ++ord) {
    const lexical::CatalogSession& row = base.sessions()[ord];
    next_title_key_ = std::max(next_title_key_, row.title_key + 1);
    if ((row.flags & lexical::kSessionGone) != 0 || !wanted.contains(row.store_id)) continue;
    by_store_id_.emplace(row.store_id, ord);
    Session& session = sessions_[ord];
    session.row = row;
    for (lexical::NameId* field :
         {&session.row.uid, &session.row.agent, &session.row.project, &session.row.project_path,
          &session.row.directory, &session.row.cwd, &session.row.parent}) {
      *field = name(base.name(*field));
    }
  }
  for (TurnOrd ord = 0; ord < base.turns().size(); ++ord) {
    const lexical::TurnRow& row = base.turns()[ord];
    const auto session = sessions_.find(row.session);
    if (session == sessions_.end() || (row.flags & lexical::kTurnGone) != 0) continue;
    std::vector<TurnOrd>& turns = session->second.turns;
    if (turns.size() <= row.number) turns.resize(row.number + 1, kNone);
    turns[row.number] = ord;
    lexical::TurnRow& old = old_turns_[ord] = row;
    old.branch = name(base.name(row.branch));
    old.model = name(base.name(row.model));
  }
}

lexical::NameId CatalogUpdate::name(std::string_view text) {
  const auto [slot, is_new] =
      names_.emplace(text, static_cast<lexical::NameId>(change_.names.size()));
  if (is_new) change_.names.emplace_back(text);
  return slot->second;
}

SessionOrd CatalogUpdate::put_session(const store::SessionRow& session) {
  const auto [slot, is_new] =
      by_store_id_.emplace(static_cast<std::int64_t>(session.id), next_session_);
  if (is_new) ++next_session_;
  Session& known = sessions_[slot->second];
  lexical::CatalogSession row = known.row;  // keeps its title
  row.store_id = static_cast<std::int64_t>(session.id);
  row.last_time = to_ms(session.facts.last_time);
  row.root = static_cast<std::uint32_t>(session.root);
  row.uid = name(session.uid);
  row.agent = name(session.agent);
  row.project = name(session.project);
  row.project_path = name(session.project_path);
  row.directory = name(session.directory);
  row.cwd = name(session.facts.cwd);
  row.parent = name(session.parent);
  row.flags = 0;
  if (session.kind == transcript::SessionKind::subagent) row.flags |= lexical::kSessionSubagent;
  if (session.automated) row.flags |= lexical::kSessionAutomated;
  if (session.missing_since != kNoTime) row.flags |= lexical::kSessionMissing;
  if (session.standing == store::Standing::edition) row.flags |= lexical::kSessionSuperseded;
  if (session.standing != store::Standing::conversation) row.flags |= lexical::kSessionKept;
  known.changed = known.changed || is_new || row != known.row;
  known.row = row;
  return slot->second;
}

TurnOrd CatalogUpdate::put_turn(SessionOrd session, std::string_view uid, const turns::Turn& turn) {
  std::vector<TurnOrd>& turns = sessions_[session].turns;
  if (turns.size() <= turn.number) turns.resize(turn.number + 1, kNone);
  if (turns[turn.number] == kNone) turns[turn.number] = next_turn_++;
  lexical::TurnRow row;
  row.session = session;
  row.number = turn.number;
  row.last_time = to_ms(turn.last_time == kNoTime ? turn.first_time : turn.last_time);
  row.origin = turn.origin;
  row.chunk = turns::chunk_of(turn, uid);
  row.branch = name(turn.branch);
  row.model = name(turn.model);
  if (turn.assistant_blocks > 0) {
    row.summary_block = static_cast<std::uint16_t>(std::min(turn.assistant_blocks - 1, 65534U));
  }
  if (turn.abandoned) row.flags |= lexical::kTurnAbandoned;
  if (turn.automated) row.flags |= lexical::kTurnAutomated;
  if (turn.scripted) row.flags |= lexical::kTurnScripted;
  if (turn.has_tool) row.flags |= lexical::kTurnHasTool;
  if (turn.forgotten) row.flags |= lexical::kTurnGone;
  put_row(turns[turn.number], row);
  return turns[turn.number];
}

void CatalogUpdate::put_row(TurnOrd ord, const lexical::TurnRow& row) {
  const auto old = old_turns_.find(ord);
  if (old != old_turns_.end()) {
    if (old->second == row) return;
    old->second = row;
  }
  change_.turns.emplace_back(ord, row);
}

void CatalogUpdate::drop_turn(std::vector<TurnOrd>& turns, std::size_t number) {
  if (turns[number] == kNone) return;
  const auto old = old_turns_.find(turns[number]);
  if (old == old_turns_.end()) return;
  lexical::TurnRow row = old->second;
  row.flags |= lexical::kTurnGone;
  put_row(turns[number], row);
  turns[number] = kNone;
}

void CatalogUpdate::drop_turns_from(SessionOrd session, turns::TurnNumber number) {
  std::vector<TurnOrd>& turns = sessions_[session].turns;
  for (std::size_t i = number; i < turns.size(); ++i) drop_turn(turns, i);
}

void CatalogUpdate::drop_turns_but(SessionOrd session, const std::vector<turns::Turn>& left) {
  std::vector<TurnOrd>& turns = sessions_[session].turns;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const bool exists =
        std::ranges::any_of(left, [i](const turns::Turn& turn) { return turn.number == i; });
    if (!exists) drop_turn(turns, i);
  }
}

void CatalogUpdate::drop_session(store::SessionId session) {
  const auto known = by_store_id_.find(static_cast<std::int64_t>(session));
  if (known == by_store_id_.end()) return;
  drop_turns_from(known->second, 0);
  Session& row = sessions_[known->second];
  row.row.flags |= lexical::kSessionGone;
  row.row.title_hash = 0;
  row.changed = true;
  by_store_id_.erase(known);
}

bool CatalogUpdate::counts(SessionOrd session) const {
  return (sessions_.at(session).row.flags & lexical::kSessionKept) == 0;
}

const SessionOrd* CatalogUpdate::find(store::SessionId session) const {
  const auto known = by_store_id_.find(static_cast<std::int64_t>(session));
  return known == by_store_id_.end() ? nullptr : &known->second;
}

TurnOrd CatalogUpdate::turn(SessionOrd session, turns::TurnNumber number) const {
  return sessions_.at(session).turns[number];
}

bool CatalogUpdate::has_turn(SessionOrd session, turns::TurnNumber number) const {
  const auto known = sessions_.find(session);
  if (known == sessions_.end()) return false;
  const std::vector<TurnOrd>& turns = known->second.turns;
  return number < turns.size() && turns[number] != kNone;
}

std::uint64_t CatalogUpdate::title_hash(SessionOrd session) const {
  return sessions_.at(session).row.title_hash;
}

lexical::DocKey CatalogUpdate::title_key(SessionOrd session) const {
  return sessions_.at(session).row.title_key;
}

void CatalogUpdate::set_title(SessionOrd session, std::uint64_t hash, lexical::DocKey key) {
  Session& known = sessions_[session];
  known.row.title_hash = hash;
  known.row.title_key = key;
  known.changed = true;
}

lexical::CatalogChange CatalogUpdate::take() {
  std::vector<SessionOrd> order;
  for (const auto& [ord, session] : sessions_) {
    if (session.changed) order.push_back(ord);
  }
  std::ranges::sort(order);
  for (const SessionOrd ord : order) change_.sessions.emplace_back(ord, sessions_[ord].row);
  // New rows are appended: they must come in order.
  std::ranges::stable_sort(change_.turns, {}, [](const auto& turn) { return turn.first; });
  return std::move(change_);
}

}  // namespace yore::derive
