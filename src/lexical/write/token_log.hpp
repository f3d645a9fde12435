// token_log.hpp — what the documents of a segment hold, first in the order of the text, then
// grouped by term.
//
// While documents come in, each word adds four bytes behind the last: nothing has to be found in
// memory for it. At the end two passes count and deal the occurrences out to their terms, like a
// sort by counting. Places are numbered through all documents, so that an occurrence is one number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lexical/format/types.hpp"
#include "lexical/write/term_table.hpp"

namespace yore::lexical {

class TokenLog {
 public:
  // One document: the number of each of its terms. REQUIRES: positions begin with 0, and each is
  // the one before or the next.
  void add(std::span<const TermId> ids, std::span<const text::Term> terms);
  // One document that has these terms, all at position 0.
  void add_at_start(std::span<const TermId> ids);

  // close() ends adding: there are this many terms, and their occurrences are counted. group() then
  // deals the occurrences out. `stems`: the stem of each term, itself when it has no other; a stem
  // gets an occurrence for each of a term that was stemmable. `order`: the order in which terms
  // will be asked for, so that their occurrences lie next to each other.
  void close(std::size_t terms);
  [[nodiscard]] bool is_stemmable(TermId id) const { return stemmable_[id] > 0; }
  void group(std::span<const TermId> stems, std::span<const TermId> order);

  // How many the term has. REQUIRES for both: grouped.
  [[nodiscard]] std::uint32_t count(TermId id) const { return ranges_[id].end - ranges_[id].begin; }
  // Calls visit(doc, position, by_stem) for each in order of documents and positions.
  template <typename Visit>
  void each(TermId id, Visit visit) const;

  [[nodiscard]] std::size_t memory() const {
    return (tokens_.capacity() + places_.capacity() + 2 * ranges_.capacity() + ends_.capacity()) *
           4;
  }

 private:
  static constexpr unsigned kNewPlaceBit = 31;
  static constexpr unsigned kStemmableBit = 30;
  static constexpr std::uint32_t kNewPlace = 1U << kNewPlaceBit;
  static constexpr std::uint32_t kStemmable = 1U << kStemmableBit;
  static constexpr std::uint32_t kIdBits = kStemmable - 1;
  static constexpr unsigned kLeapBits = 6;

  std::vector<std::uint32_t> tokens_;  // id and the two flags
  std::vector<std::uint32_t> ends_;    // of each document, in places
  std::uint32_t place_ = 0;            // the next

  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> stemmable_;
  std::vector<std::uint32_t> places_;  // grouped: place << 1 | by_stem
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<Range> ranges_;  // of each term
  std::vector<Doc> leaps_;     // the document of every 64th place
};

template <typename Visit>
void TokenLog::each(TermId id, Visit visit) const {
  Doc doc = 0;
  std::uint32_t begin = 0;  // of the document
  std::uint32_t end = 0;
  for (std::uint32_t i = ranges_[id].begin; i < ranges_[id].end; ++i) {
    const std::uint32_t place = places_[i] >> 1;
    if (place >= end) {
      doc = leaps_[place >> kLeapBits];
      while (ends_[doc] <= place) ++doc;
      begin = doc == 0 ? 0 : ends_[doc - 1];
      end = ends_[doc];
    }
    visit(doc, place - begin, (places_[i] & 1) != 0);
  }
}

}  // namespace yore::lexical
