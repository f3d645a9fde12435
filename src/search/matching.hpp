// matching.hpp — all the turns that a search has found, not only those of its page, counted.
#pragma once

#include <functional>
#include <span>

#include "base/result.hpp"
#include "search/facets.hpp"
#include "search/ranker.hpp"
#include "search/search_page.hpp"
#include "store/marks.hpp"

namespace yore::search {

struct FoundTurns {
  lexical::Search& search;
  const lexical::Snapshot& snapshot;
  const RankOptions& options;          // as it was ranked
  std::span<const ScoredTurn> judged;  // what was ranked
  bool has_hits = false;               // false: nothing was to the point, and nothing is counted
  bool filters_alone = false;          // whatever passes the filters matches
  std::function<bool(lexical::TurnOrd)> is_shown;  // REQUIRED: neither hidden nor the asker's own
  Time now = kNoTime;
};

// See facets.hpp for what is counted.
Result<Facets> facets_of(const FoundTurns& found, store::Store& store, const store::Marks& marks);

}  // namespace yore::search
