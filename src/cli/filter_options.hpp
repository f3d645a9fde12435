// filter_options.hpp — filters that every command has which narrows what it looks at: marks, what
// was superseded, this folder.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace yore::cli {

struct MoreFilters {
  std::vector<std::string> tags;
  bool starred = false;
  bool superseded = false;
  bool here = false;

  // What --here stands for; "" without it.
  [[nodiscard]] std::string folder() const;
  // For a SearchRequest or a ListFilter.
  template <typename Filter>
  void apply_to(Filter& filter) const {
    filter.tags = tags;
    filter.starred = starred;
    filter.superseded = superseded;
    if (here) filter.folder = folder();
  }
};

void declare_more_filters(Options& options, MoreFilters& filters);

}  // namespace yore::cli
