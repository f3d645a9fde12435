#include "search/turn_walk.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "text/utf8.hpp"
#include "turns/chunk_id.hpp"

namespace yore::search {
namespace {

using store::SessionRow;
using store::Standing;

// Turns read at once. Packs hold about 30: one of them is read two or three times.
constexpr int kPageTurns = 16;

bool is_wanted(const SessionRow& session, const WalkFilter& filter) {
  if (session.facts.turn_count + session.superseded == 0) return false;
  if (session.automated && !filter.automated) return false;
  if (filter.since && session.facts.last_time < *filter.since) return false;
  const auto named = [&](const std::string& text) { return text::iequals(text, session.agent); };
  if (!filter.agents.empty() && std::ranges::none_of(filter.agents, named)) return false;
  return filter.projects.empty() || std::ranges::any_of(filter.projects, [&](const auto& text) {
           return text::icontains(session.project, text) ||
                  text::icontains(session.directory, text) ||
                  text::icontains(session.project_path, text);
         });
}

bool is_wanted(const turns::Turn& turn, const WalkFilter& filter) {
  if (turn.forgotten || (turn.automated && !filter.automated)) return false;
  if (filter.since && turn.last_time < *filter.since) return false;
  return !filter.until || turn.last_time < *filter.until;
}

// What comes along with a conversation: the sessions of its sub-agents, its editions.
struct Companion {
  store::SessionId id{};
  std::string parent;       // of a sub-agent
  store::SessionId base{};  // of an edition
};

}  // namespace

Result<std::vector<store::SessionId>> sessions_to_walk(Reader& reader, const WalkFilter& filter) {
  std::vector<store::SessionId> sessions;
  std::vector<Companion> companions;
  std::unordered_set<std::string> names;
  const Status status = reader.store().each_searchable([&](SessionRow&& session) {
    if (!reader.scope().allows(session.id, session.root, session.directory)) return true;
    const bool is_edition = session.standing == Standing::edition;
    const bool is_subagent = session.kind == transcript::SessionKind::subagent;
    if (is_edition || is_subagent) {
      const bool comes = (!is_edition || filter.superseded) && (!is_subagent || filter.subagents);
      if (comes) companions.push_back({session.id, std::move(session.parent), session.base});
      return true;
    }
    if (session.standing != Standing::conversation || !is_wanted(session, filter)) return true;
    if (filter.max_sessions > 0 && sessions.size() == filter.max_sessions) return true;
    sessions.push_back(session.id);
    if (filter.subagents) names.insert(std::move(session.uid));
    return true;
  });
  if (!status) return status.error();
  if (companions.empty()) return sessions;
  const std::unordered_set<store::SessionId> mains(sessions.begin(), sessions.end());
  for (const Companion& each : companions) {
    const bool of_one =
        each.base == store::SessionId{} ? names.contains(each.parent) : mains.contains(each.base);
    if (of_one) sessions.push_back(each.id);
  }
  return sessions;
}

Result<WalkPage> walk_page(Reader& reader, store::SessionId session, turns::TurnNumber from,
                           const WalkFilter& filter) {
  WalkPage page;
  store::Store& store = reader.store();
  auto row = store.session(session);
  if (!row) return row.error();
  if (!*row || (*row)->excluded) return page;
  page.session = std::move(**row);
  auto turns = store.turns_from(session, from, kPageTurns);
  if (!turns) return turns.error();
  if (turns->size() == kPageTurns) page.next = turns->back().number + 1;
  std::erase_if(*turns, [&](const turns::Turn& turn) { return !is_wanted(turn, filter); });
  if (turns->empty()) return page;
  auto stored =
      store.passages_of(session, turns->front().number, turns->back().number, store::kSaid);
  if (!stored) return stored.error();
  std::vector<turns::Passage> passages;
  passages.reserve(stored->size());
  for (auto& [key, passage] : *stored) passages.push_back(std::move(passage));
  for (turns::Turn& turn : *turns) {
    turns::WholeTurn whole = turns::read_from_passages(turn, passages);
    WalkedTurn walked;
    walked.chunk_id = turns::chunk_text(turns::chunk_of(turn, page.session.uid));
    walked.conclusion_begin = turns::conclusion_begin(turn, passages, whole.assistant_text);
    walked.user_text = std::move(whole.user_text);
    walked.assistant_text = std::move(whole.assistant_text);
    walked.row = std::move(turn);
    page.turns.push_back(std::move(walked));
  }
  return page;
}

}  // namespace yore::search
