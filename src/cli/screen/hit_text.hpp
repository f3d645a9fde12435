// hit_text.hpp — what a search found, as people read it on a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "cli/context.hpp"
#include "search/searcher.hpp"

namespace yore::cli {

// Every hit, a rule, "Found 2 results in 0.004s"; ends with a newline. Of a hit: where and when,
// the prompt and the conclusion, each cut around what matched ("[truncated - 847 more chars]"), the
// passage itself when it is none of these, and the command that shows all of it. Messages are cut
// to `max_chars` characters; 0: as much as is good to look at.
std::string hits_text(const Context& context, const search::SearchAnswer& answer,
                      std::size_t max_chars);
// The same of the first few that only come closest and are no results: without the last two lines.
std::string closest_text(const Context& context, const search::SearchAnswer& answer,
                         std::size_t max_chars);

}  // namespace yore::cli
