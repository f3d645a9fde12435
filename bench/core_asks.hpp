// core_asks.hpp — the keyword index asked directly, without the store: what a search is made of.
#pragma once

#include <cstddef>
#include <memory>

#include "base/time.hpp"
#include "lexical/format/snapshot.hpp"
#include "lexical/search/search.hpp"
#include "queries.hpp"
#include "search/ranker.hpp"
#include "text/analyzer.hpp"

namespace yore::bench {

class CoreAsks {
 public:
  CoreAsks(std::shared_ptr<const lexical::Snapshot> snapshot, Time now);

  // The k best turns by the query's terms, the same that the baseline gets; how many there were.
  std::size_t stage_1(const Query& query, std::size_t k, bool prune);
  // From the text of a query to `candidates` judged turns.
  std::size_t both_stages(const Query& query, std::size_t candidates);

 private:
  std::shared_ptr<const lexical::Snapshot> snapshot_;
  search::RankOptions options_;  // as a search without flags has them
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
};

}  // namespace yore::bench
