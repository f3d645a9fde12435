// open_search.hpp — the index brought up to date and opened for searching, as commands do it.
#pragma once

#include "cli/context.hpp"
#include "search/searcher.hpp"
#include "service/freshness.hpp"

namespace yore::cli {

struct OpenSearch {
  search::Searcher searcher;
  service::Freshness freshness;  // its notes are not said yet; empty without `refresh`
};

// Reads what is new within a small budget, with progress on standard error when that takes long.
// Without an index: builds all of it, saying so. Without `refresh`: opens what is there.
// A keyword index that turns out to be damaged is thrown away and built again from the store.
Result<OpenSearch> open_search(const Context& context, bool refresh);

// After an answer of "corrupt": throws the keyword index away and says so. True: opening again
// builds a new one.
bool give_up_damaged(const Context& context, const Error& error);

// After the answer is out: merges small segments, when this command has added some.
void tidy_up(const Context& context, const service::Freshness& freshness);

}  // namespace yore::cli
