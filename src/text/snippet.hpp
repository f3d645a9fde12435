// snippet.hpp — where a text matches, and the piece of it that shows the match best. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/analyzer.hpp"

namespace yore::text {

// Terms as the index knows them: a document term matches when it or its stem is among `terms`, or
// begins with one of `prefixes`.
struct MatchTerms {
  std::unordered_set<std::string> terms;
  std::vector<std::string> prefixes;
};

struct Span {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// Matching words in order, overlapping ones joined. Belongs to one thread: it uses the analyser and
// the stemmer it is given.
std::vector<Span> find_matches(std::string_view text, const MatchTerms& wanted, Analyzer& analyzer,
                               Stemmer& stemmer);

struct Snippet {
  std::string text;         // at most max_chars characters, "…" included where it was cut
  std::vector<Span> spans;  // matches within it
};

// The window with the most different matched words (then the most matches, then the earliest), cut
// at word or line ends. Without a match: the beginning.
Snippet make_snippet(std::string_view text, const MatchTerms& wanted, std::size_t max_chars,
                     Analyzer& analyzer, Stemmer& stemmer);

}  // namespace yore::text
