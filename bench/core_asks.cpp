#include "core_asks.hpp"

#include "place.hpp"
#include "search/query.hpp"
#include "search/search_filter.hpp"
#include "search/search_terms.hpp"
#include "search/searcher.hpp"

namespace yore::bench {

CoreAsks::CoreAsks(std::shared_ptr<const lexical::Snapshot> snapshot, Time now)
    : snapshot_(std::move(snapshot)) {
  const search::SurfaceChoice surfaces = must(search::choose_surfaces({}, {}));
  options_.selection.weights = surfaces.weights;
  options_.selection.earlier_answer_weight = surfaces.earlier_answer_weight;
  options_.now_ms = to_ms(now);
  options_.half_life_days = search::kHalfLifeDays;
}

std::size_t CoreAsks::stage_1(const Query& query, std::size_t k, bool prune) {
  std::vector<lexical::Leaf> leaves;
  for (const std::string& term : query.terms) {
    lexical::Leaf leaf;
    leaf.terms = {term};
    leaves.push_back(std::move(leaf));
  }
  auto search = must(lexical::Search::prepare(snapshot_, std::move(leaves)));
  return search.best_turns(options_.selection, k, prune).size();
}

std::size_t CoreAsks::both_stages(const Query& query, std::size_t candidates) {
  const search::SearchTerms terms =
      search::make_terms(search::parse_query(query.text), analyzer_, stemmer_);
  auto search = must(lexical::Search::prepare(snapshot_, terms.scored));
  options_.candidates = candidates;
  return search::rank(search, *snapshot_, options_).size();
}

}  // namespace yore::bench
