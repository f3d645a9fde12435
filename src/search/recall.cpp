#include "search/recall.hpp"

#include <algorithm>
#include <map>

#include "base/files/file.hpp"
#include "base/work_limit.hpp"
#include "search/asking_session.hpp"
#include "text/utf8.hpp"
#include "transcript/reading_time.hpp"

namespace yore::search {
namespace {

using store::SessionRow;
using turns::Surface;

// So many sessions of a folder are read to find one that was compacted.
constexpr std::size_t kMostLookedAt = 20;

Result<turns::Compactions> compactions_of(const Reader& reader, const SessionRow& session) {
  const transcript::Adapter* adapter = reader.agents().find(session.agent);
  const bool readable = session.standing == store::Standing::conversation && adapter != nullptr &&
                        is_regular_file(session.path);
  if (!readable) return turns::Compactions{};
  const transcript::SessionRef ref = store::session_ref(session);
  turns::CompactionFinder finder;
  transcript::TimeBudget time({});
  const WorkLimit work(kNeverCancelled, time.for_session(ref));
  auto step = adapter->read(ref, {}, {}, finder);
  while (step && step->more) step = adapter->read(ref, step->cursor, {}, finder);
  if (!step) return step.error();
  return finder.found();
}

// Renderings are kept one a line.
void add_calls(std::string_view renderings, const Recalled& place, std::vector<Recalled>& out) {
  while (!renderings.empty()) {
    const std::string_view line = renderings.substr(0, renderings.find('\n'));
    renderings.remove_prefix(std::min(line.size() + 1, renderings.size()));
    if (line.empty()) continue;
    out.push_back(place);
    out.back().kind = RecalledKind::call;
    out.back().text = line;
  }
}

Status add_turns(Reader& reader, const SessionRow& session, std::uint32_t last,
                 RecallAnswer& answer) {
  const auto turns = reader.store().turns_of(session.id);
  if (!turns) return turns.error();
  for (const turns::Turn& turn : *turns) {
    if (turn.number > last) break;
    if (turn.forgotten) continue;
    const auto passages = reader.store().passages_of(session.id, turn.number, turn.number);
    if (!passages) return passages.error();
    ++answer.turns;
    Recalled place;
    place.turn = turn.number;
    place.session = session.uid;
    std::map<std::uint32_t, std::string> prompts;
    std::string conclusion;
    std::string calls;
    for (const auto& [id, passage] : *passages) {
      if (passage.surface == Surface::user_prompt) prompts[passage.block] += passage.text;
      if (passage.surface == Surface::calls) calls += passage.text;
      const bool concludes =
          passage.surface == Surface::assistant_text && passage.block + 1 == turn.assistant_blocks;
      if (concludes) conclusion += passage.text;
    }
    const auto add = [&](RecalledKind kind, std::string text) {
      if (text::is_blank(text)) return;
      answer.recalled.push_back({kind, place.turn, place.session, std::move(text)});
    };
    for (auto& [block, text] : prompts) add(RecalledKind::prompt, std::move(text));
    add_calls(calls, place, answer.recalled);
    add(RecalledKind::conclusion, std::move(conclusion));
  }
  return {};
}

}  // namespace

Result<SessionRow> session_to_recall(Reader& reader, const config::World& world,
                                     const std::string& folder) {
  if (const std::string id = session_in_environment(world, ""); !id.empty()) {
    auto current = reader.find_session(id);
    if (current) return current;
  }
  std::vector<SessionRow> here;
  const Status status = reader.store().each_session([&](SessionRow&& session) {
    const std::string& cwd = session.facts.cwd.empty() ? session.ref_cwd : session.facts.cwd;
    const bool main = session.kind == transcript::SessionKind::main;
    if (main && (cwd == folder || session.facts.first_cwd == folder)) {
      here.push_back(std::move(session));
    }
    return here.size() < kMostLookedAt;
  });
  if (!status) return status.error();
  for (SessionRow& session : here) {
    const auto compactions = compactions_of(reader, session);
    if (compactions && compactions->count > 0) return std::move(session);
  }
  return Error{Errc::not_found, "None of the last sessions of this folder was compacted",
               "name one: yore recall --since-compact SESSION"};
}

Result<RecallAnswer> recall_since_compact(Reader& reader, const SessionRow& session) {
  RecallAnswer answer;
  answer.session = session;
  const auto compactions = compactions_of(reader, session);
  if (!compactions) return compactions.error();
  answer.compactions = *compactions;
  if (answer.compactions.count == 0) {
    return Error{Errc::not_found, "Session " + session.uid + " was not compacted",
                 "yore show " + session.uid + " reads it"};
  }
  const auto editions = reader.store().editions_of(session.id);
  if (!editions) return editions.error();
  for (const SessionRow& edition : *editions) {
    if (Status status = add_turns(reader, edition, UINT32_MAX, answer); !status) {
      return status.error();
    }
  }
  if (answer.compactions.last_turn) {
    const Status status = add_turns(reader, session, *answer.compactions.last_turn, answer);
    if (!status) return status.error();
  }
  return answer;
}

}  // namespace yore::search
