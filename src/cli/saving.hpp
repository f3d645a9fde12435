// saving.hpp — answers of a search as they are kept (store/saved_answers.hpp), masked whatever is
// shown on the screen.
#pragma once

#include <string>

#include "cli/search_flags.hpp"
#include "search/searcher.hpp"
#include "store/saved_answers.hpp"

namespace yore::cli {

store::SavedAnswer saved_from(const Context& context, const std::string& name,
                              const SearchFlags& flags, const search::SearchAnswer& answer);
// The question of a saved answer. corrupt.
Result<SearchFlags> question_of(const store::SavedAnswer& saved);

}  // namespace yore::cli
