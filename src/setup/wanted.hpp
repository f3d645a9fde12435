// wanted.hpp — which files setup wants to have, and what in them: from the tables of agents and
// hooks, and from what an earlier setup wrote. Reads only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "setup/plan.hpp"

namespace yore::setup {

// A file and what is wanted in it.
struct Wanted {
  std::string path;
  std::vector<std::string> agents;
  std::string text;            // of a file that is all ours; "" for entries
  std::vector<Entry> entries;  // else
  std::string_view fresh;      // what a file says that is made for the entries

  [[nodiscard]] bool whole() const { return entries.empty(); }
};

// One row per file, in the order of the tables; then entries elsewhere that start a program which
// is no longer there. invalid_argument: as of plan_setup().
Result<std::vector<Wanted>> wanted_files(const config::World& world, const Ledger& ledger,
                                         const SetupRequest& request, const std::string& program);

}  // namespace yore::setup
