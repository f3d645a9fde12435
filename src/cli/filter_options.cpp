#include "cli/filter_options.hpp"

#include "base/files/file.hpp"
#include "service/here.hpp"

namespace yore::cli {

std::string MoreFilters::folder() const {
  return here ? service::project_root(absolute_path(".")) : std::string();
}

void declare_more_filters(Options& options, MoreFilters& filters) {
  options.flag("--here", filters.here, "only the project of this folder");
  options.flag("--starred", filters.starred, "only what has a star, or is in a session with one");
  options.texts("--tag", "NAME", filters.tags, "only what has this tag, likewise (repeatable)");
  options.flag("--superseded", filters.superseded,
               "only turns that their agent has cut out or rewritten since");
}

}  // namespace yore::cli
