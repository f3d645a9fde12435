#include "search/matching.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "search/session_id.hpp"

namespace yore::search {
namespace {

// Of each turn the surfaces by which it was found, as count_facets() takes them.
std::vector<std::uint16_t> matching_turns(const FoundTurns& found) {
  using ranking::RankBy;
  const RankOptions& options = found.options;
  const lexical::Rows<lexical::TurnRow>& rows = found.snapshot.catalog().turns();
  std::vector<std::uint16_t> tags(rows.size());
  if (!found.has_hits) return tags;
  const bool by_date = options.basis == RankBy::date;
  const bool by_words = options.basis == RankBy::words || options.basis == RankBy::both;
  if (by_words && !found.filters_alone) tags = found.search.tags_of_turns(options.selection);
  for (lexical::TurnOrd turn = 0; turn < tags.size() && (found.filters_alone || by_date); ++turn) {
    const auto* allowed = options.selection.allowed;
    const bool may = allowed == nullptr || allowed->has(turn);
    if (may && (found.filters_alone || is_of_date(options, rows[turn]))) {
      tags[turn] = kMatchesWhole;
    }
  }
  for (const ScoredTurn& each : found.judged) {
    tags[each.candidate.turn] =
        static_cast<std::uint16_t>(tags[each.candidate.turn] | each.tags | kMatchesWhole);
  }
  for (lexical::TurnOrd turn = 0; turn < tags.size(); ++turn) {
    if (tags[turn] == 0) continue;
    const bool gone = (rows[turn].flags & lexical::kTurnGone) != 0;
    if (gone || !found.is_shown(turn)) tags[turn] = 0;
  }
  return tags;
}

// Does a turn, or its session, carry a star?
std::function<bool(const lexical::TurnRow&)> starred_in(const lexical::Catalog& catalog,
                                                        const store::Marks& marks) {
  if (marks.empty()) return {};
  return [&catalog, stars = marks.marked(store::MarkKind::star)](const lexical::TurnRow& row) {
    if (stars.has_turn(row.origin, row.chunk)) return true;
    if (stars.sessions.empty()) return false;
    return stars.has_session(edition_base(catalog.name(catalog.sessions()[row.session].uid)));
  };
}

}  // namespace

Result<Facets> facets_of(const FoundTurns& found, store::Store& store, const store::Marks& marks) {
  const auto foreign = store.hosts();
  if (!foreign) return foreign.error();
  FacetInput input{found.snapshot,
                   to_ms(found.now),
                   found.options.local_offset,
                   {},
                   starred_in(found.snapshot.catalog(), marks)};
  for (const auto& [session, host] : *foreign) input.hosts.emplace(store::number(session), host);
  return count_facets(input, matching_turns(found));
}

}  // namespace yore::search
