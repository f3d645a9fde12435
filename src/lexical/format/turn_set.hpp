// turn_set.hpp — a set of turns, one bit each.
#pragma once

#include <cstdint>
#include <vector>

#include "lexical/format/types.hpp"

namespace yore::lexical {

class TurnSet {
 public:
  explicit TurnSet(std::size_t turns = 0, bool all = false)
      : words_((turns + 63) / 64, all ? ~std::uint64_t{0} : 0) {}

  void add(TurnOrd turn) { words_[turn / 64] |= std::uint64_t{1} << (turn % 64); }
  void remove(TurnOrd turn) { words_[turn / 64] &= ~(std::uint64_t{1} << (turn % 64)); }
  [[nodiscard]] bool has(TurnOrd turn) const { return (words_[turn / 64] >> (turn % 64) & 1) != 0; }
  void keep_only(const TurnSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void leave_out(const TurnSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  void include(const TurnSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace yore::lexical
