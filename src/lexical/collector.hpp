// collector.hpp — keeps the k best turns while documents come in any order.
//
// Candidates gather in a buffer; when it is full, copies and weaker documents of the same turn are
// thrown out and the k best stay. The worst of them is the threshold: what scores less cannot
// become a result any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lexical/search.hpp"

namespace yore::lexical {

class Collector {
 public:
  Collector(const Catalog& catalog, std::size_t k);

  // Scores below this are of no interest.
  [[nodiscard]] std::int32_t threshold() const { return threshold_; }
  void add(const Candidate& candidate) {
    buffer_.push_back(candidate);
    if (buffer_.size() >= capacity_) shrink();
  }
  // Best first.
  std::vector<Candidate> finish();

 private:
  [[nodiscard]] bool better(const Candidate& a, const Candidate& b) const;
  [[nodiscard]] std::uint64_t group(TurnOrd turn) const;
  void keep_one_of_each_group();
  void shrink();

  const Catalog& catalog_;
  std::size_t k_;
  std::size_t capacity_;
  std::int32_t threshold_ = 1;
  std::vector<Candidate> buffer_;
};

}  // namespace yore::lexical
