// open_search.hpp — the index brought up to date and opened for searching, as commands do it.
#pragma once

#include "cli/context.hpp"
#include "engine/freshness.hpp"
#include "engine/searcher.hpp"

namespace yore::cli {

struct OpenSearch {
  engine::Searcher searcher;
  engine::Freshness freshness;  // its notes are not said yet; empty without `refresh`
};

// Reads what is new within a small budget, with progress on standard error when that takes long.
// Without an index: builds all of it, saying so. Without `refresh`: opens what is there.
Result<OpenSearch> open_search(const Context& context, bool refresh);

}  // namespace yore::cli
