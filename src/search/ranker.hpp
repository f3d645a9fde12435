// ranker.hpp — both stages of a search over one snapshot: from terms to judged candidates.
// Reads nothing from the store: what it needs to know about turns and sessions is in the snapshot's
// catalog.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "derive/turn_vectors.hpp"
#include "lexical/search/search.hpp"
#include "ranking/rank.hpp"
#include "search/search_page.hpp"
#include "text/named_date.hpp"

namespace yore::search {

struct RankOptions {
  lexical::Selection selection;
  std::size_t candidates = 64;  // of stage 1, by words and by meaning each
  ranking::RankBy basis = ranking::RankBy::words;
  const derive::TurnSimilarity* likeness =
      nullptr;              // REQUIRED by meaning, and by words and meaning
  std::int64_t now_ms = 0;  // rounded by the caller
  std::optional<double> half_life_days;
  std::optional<text::NamedDate> date;  // that the question names; REQUIRED by date alone
  std::chrono::seconds local_offset{0};
  ranking::Constants constants;
};

// Was the turn active on the date that the question names? REQUIRES: options.date
bool is_of_date(const RankOptions& options, const lexical::TurnRow& row);

// The candidates of stage 1, best first by their final score; ties as in stage 1.
std::vector<ScoredTurn> rank(lexical::Search& search, const lexical::Snapshot& snapshot,
                             const RankOptions& options);

// Turns that the selection lets through, latest first; of the copies of a turn the first.
std::vector<ScoredTurn> newest(const lexical::Catalog& catalog, const RankOptions& options);

}  // namespace yore::search
