// search_page.hpp — the turns of one page, with their text, titles and places from the store.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lexical/search/search.hpp"
#include "ranking/rank.hpp"
#include "search/searcher.hpp"
#include "store/store.hpp"

namespace yore::search {

// A candidate after stage 2.
struct ScoredTurn {
  lexical::Candidate candidate;
  std::uint16_t tags = 0;  // of documents that match, see Search::TurnEvidence
  ranking::Evidence evidence;
  ranking::Score score;
  std::vector<std::int32_t> leaves;  // best contribution of each leaf, for --explain
  bool by_id = false;                // named by the query itself
  bool whole = false;                // found as a turn: candidate.doc says nothing
};

struct PageTools {
  store::Store& store;
  const lexical::Snapshot& snapshot;
  text::Analyzer& analyzer;
  text::Stemmer& stemmer;
  const transcript::AgentRegistry& agents;
  const store::Marks& marks;
};

// What is known of a turn among all turns.
struct TurnFacts {
  std::size_t copies = 0;   // other sessions that hold it
  std::string chunk_short;  // the shortest prefix of at least 8 digits that names only this turn
};
std::vector<TurnFacts> facts_of(const lexical::Catalog& catalog,
                                std::span<const lexical::TurnOrd> turns);

Result<Hit> make_hit(const PageTools& tools, const ScoredTurn& judged, const TurnFacts& facts,
                     const SearchRequest& request, const text::MatchTerms& matched);

// The lines of --explain.
std::vector<ScorePart> explain(const ScoredTurn& judged, const lexical::Search& search);

}  // namespace yore::search
