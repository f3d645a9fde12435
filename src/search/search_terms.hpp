// search_terms.hpp — from a parsed query to what the keyword index is asked for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "lexical/search/search.hpp"
#include "search/query.hpp"
#include "text/analyzer.hpp"
#include "text/named_date.hpp"
#include "text/snippet.hpp"

namespace yore::search {

struct SearchTerms {
  std::vector<lexical::Leaf> scored;  // ORed and ranked; required ones are among them
  // Each is a group of leaves: a turn must hold all groups, a group is held by all of its leaves.
  std::vector<std::vector<lexical::Leaf>> required;
  std::vector<std::vector<lexical::Leaf>> excluded;
  text::MatchTerms matched;  // for highlighting
  bool only_stop_words = false;
  bool only_date = false;  // "what did we do yesterday": it says when, and nothing else
};

// The date that bare words of a query name.
struct QueryDate {
  text::NamedDate when;
  std::size_t part = 0;  // of the query
};
std::optional<QueryDate> find_date(const ParsedQuery& query, std::chrono::sys_days today);

// How much a form counts beside the word's stem, which counts 1.
struct FormBoosts {
  float exact = 0.3F;  // the very form that was typed, where it differs from its stem
  float part = 0.6F;   // of an identifier
  float whole = 1.0F;  // the identifier itself, or words joined by . - /
  float date = 0.3F;   // a word of a date that is said, which tells when and not what
};

SearchTerms make_terms(const ParsedQuery& query, text::Analyzer& analyzer, text::Stemmer& stemmer,
                       const FormBoosts& boosts = {}, const std::optional<QueryDate>& date = {});

}  // namespace yore::search
