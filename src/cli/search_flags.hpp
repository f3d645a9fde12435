// search_flags.hpp — the flags of a search: declared, made into a request, and written down as
// words again, so that a question can be kept and asked once more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"
#include "cli/filter_options.hpp"
#include "cli/options.hpp"
#include "search/searcher.hpp"

namespace yore::cli {

struct SearchFlags {
  std::string query;
  search::SearchRequest request;
  MoreFilters more;
  std::string since;
  std::string until;
  std::string mode{search::kModeNames.front()};
  std::string sort{search::kOrderNames.front()};
  std::string half_life;
  std::uint32_t limit = search::kHits;
  std::uint32_t per_session = search::kHitsPerSession;
  std::uint32_t max_chars = 0;
};

// The filters alone, and with them the query and what orders the answer.
void declare_filters(Options& options, SearchFlags& flags);
void declare_question(Options& options, SearchFlags& flags);

// invalid_argument says which flag is wrong; without words and filters: "Query required".
Result<search::SearchRequest> make_request(const Context& context, const SearchFlags& flags);

// The flags that are not as they are by default, as words of a command line, without the query; of
// --here the folder that it stands for.
std::vector<std::string> words_of(const SearchFlags& flags);
// What words_of() made, read back; unknown words are left out.
SearchFlags flags_of(const std::vector<std::string>& words);

}  // namespace yore::cli
