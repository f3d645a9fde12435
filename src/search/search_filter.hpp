// search_filter.hpp — everything a search is narrowed by, as one set of turns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "lexical/search/search.hpp"
#include "search/query.hpp"
#include "search/scope_filter.hpp"
#include "search/search_terms.hpp"
#include "search/searcher.hpp"

namespace yore::search {

// Which surfaces are searched, and what they count.
struct SurfaceChoice {
  lexical::Weights weights{};
  std::uint16_t earlier_answer_weight = 0;
};
// invalid_argument names the word that is no type or surface.
Result<SurfaceChoice> choose_surfaces(const std::vector<std::string>& types,
                                      const std::vector<std::string>& surfaces);

struct FilterInput {
  const SearchRequest& request;
  const ParsedQuery& query;
  const SearchTerms& terms;
  const ScopeFilter& scope;
  const SurfaceChoice& surfaces;
  const store::Marks& marks;
  std::vector<std::string> session_uids;  // resolved; any of
};

// nullopt: nothing is narrowed, every turn may be found. not_found: "No sessions found for project
// X".
Result<std::optional<lexical::TurnSet>> allowed_turns(
    const std::shared_ptr<const lexical::Snapshot>& snapshot, const FilterInput& input);

}  // namespace yore::search
