#include "search/briefing.hpp"

#include <algorithm>
#include <limits>

#include "base/files/file.hpp"
#include "base/work_limit.hpp"
#include "text/utf8.hpp"
#include "transcript/reading_time.hpp"

namespace yore::search {
namespace {

using store::SessionRow;

// From the session's source; nothing where it cannot be read.
std::vector<turns::Work> work_in_source(const Reader& reader, const SessionRow& session) {
  const transcript::Adapter* adapter = reader.agents().find(session.agent);
  const bool readable = session.standing == store::Standing::conversation && adapter != nullptr &&
                        session.missing_since == kNoTime && is_regular_file(session.path);
  if (!readable) return {};
  const transcript::SessionRef ref = store::session_ref(session);
  turns::WorkReader work;
  transcript::TimeBudget time({});
  const WorkLimit limit(kNeverCancelled, time.for_session(ref));
  auto step = adapter->read(ref, {}, {}, work);
  while (step && step->more) step = adapter->read(ref, step->cursor, {}, work);
  return step ? work.take() : std::vector<turns::Work>{};
}

// What was said last in the turn: the last block of its answer, as the store has it.
Result<std::string> conclusion_of(store::Store& store, const SessionRow& session,
                                  const turns::WholeTurn& whole) {
  const auto turn = store.turn(session.id, whole.number);
  if (!turn) return turn.error();
  if (!*turn || (*turn)->assistant_blocks == 0) return whole.assistant_text;
  const auto passages = store.passages_of(session.id, whole.number, whole.number, store::kSaid);
  if (!passages) return passages.error();
  std::string last;
  for (const auto& [id, passage] : *passages) {
    const bool concludes = passage.surface == turns::Surface::assistant_text &&
                           passage.block + 1 == (*turn)->assistant_blocks;
    if (concludes) last += passage.text;
  }
  return text::is_blank(last) ? whole.assistant_text : last;
}

}  // namespace

Result<Briefing> brief(Reader& reader, const SessionRow& session) {
  auto read = reader.read(session, 0, std::numeric_limits<std::uint32_t>::max());
  if (!read) return read.error();
  Briefing briefing;
  briefing.session = session;
  for (turns::WholeTurn& turn : read->turns) {
    if (turn.abandoned) continue;
    auto conclusion = conclusion_of(reader.store(), session, turn);
    if (!conclusion) return conclusion.error();
    briefing.conclusions.push_back(std::move(*conclusion));
    briefing.turns.push_back(std::move(turn));
  }
  briefing.work = work_in_source(reader, session);
  if (briefing.work.empty()) {
    for (const turns::WholeTurn& turn : briefing.turns) {
      for (const std::string& call : turn.tools_used) {
        briefing.work.push_back({turn.number, call, false, false});
      }
    }
  }
  // What was forgotten, or left behind by a rewind, is not told.
  std::erase_if(briefing.work, [&](const turns::Work& work) {
    const auto turn = std::ranges::find(briefing.turns, work.turn, &turns::WholeTurn::number);
    return turn == briefing.turns.end() || turn->tools_used.empty();
  });
  return briefing;
}

}  // namespace yore::search
