// search_notes.hpp — what is said on standard error beside the results of a search.
#pragma once

#include "cli/context.hpp"
#include "cli/open_index.hpp"
#include "search/searcher.hpp"

namespace yore::cli {

// Without results: that there is nothing and what to try, or that there are no transcripts at all.
// Then the notes of the answer, what is hidden, whether there is more, and what is not searched
// yet.
void print_notes(const Context& context, const search::SearchRequest& request,
                 const OpenIndex& index, const search::SearchAnswer& answer);

}  // namespace yore::cli
