// searcher_state.hpp — what a Searcher keeps between questions. For searcher.cpp, which opens and
// looks up, and search_run.cpp, which answers one question.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/format/snapshot.hpp"
#include "search/reader.hpp"
#include "search/searcher.hpp"
#include "search/semantic_search.hpp"
#include "text/analyzer.hpp"

namespace yore::search {

struct Searcher::State {
  config::World world;
  std::string keywords;  // directory
  Reader reader;
  std::shared_ptr<const lexical::Snapshot> snapshot;
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  SemanticSearch meaning;

  // The newest publication.
  Status refresh();
  // Neither removed nor out of scope.
  [[nodiscard]] bool is_visible(const lexical::TurnRow& row) const;
  // Visible turns whose chunk id begins so.
  [[nodiscard]] std::vector<lexical::TurnOrd> turns_with_chunk(std::string_view prefix) const;
  // Where such a turn is now, when it stands in another session alone.
  [[nodiscard]] std::vector<lexical::TurnOrd> turns_moved(std::string_view prefix);
};

}  // namespace yore::search
