// collector.hpp — keeps the k best turns while documents come in any order.
//
// The best document of each group (a turn and its copies) is kept in a buffer and found again
// through a small hash table. When the buffer is full the k best stay; the worst of them is the
// threshold: what scores less cannot become a result any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lexical/search/search.hpp"

namespace yore::lexical {

class Collector {
 public:
  Collector(const Catalog& catalog, std::size_t k);

  // Scores below this are of no interest.
  [[nodiscard]] std::int32_t threshold() const { return threshold_; }
  void add(const Candidate& candidate);
  // Best first.
  std::vector<Candidate> finish();

 private:
  [[nodiscard]] bool better(const Candidate& a, const Candidate& b) const;
  [[nodiscard]] std::uint64_t group(TurnOrd turn) const;
  // Where the group's number is, or would be.
  std::uint32_t& slot_of(std::uint64_t group);
  void shrink();

  const Catalog& catalog_;
  std::size_t k_;
  std::size_t capacity_;
  std::int32_t threshold_ = 1;
  std::vector<Candidate> buffer_;     // one of each group
  std::vector<std::uint32_t> slots_;  // number in the buffer + 1; 0: empty
};

}  // namespace yore::lexical
