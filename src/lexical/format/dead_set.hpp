// dead_set.hpp — documents of one segment that no longer count.
#pragma once

#include <cstdint>
#include <vector>

#include "lexical/format/types.hpp"

namespace yore::lexical {

class DeadSet {
 public:
  explicit DeadSet(std::uint32_t documents = 0) : documents_(documents) {}

  void add(Doc doc) {
    if (bits_.empty()) bits_.resize((documents_ + 63) / 64);
    std::uint64_t& word = bits_[doc / 64];
    const std::uint64_t bit = std::uint64_t{1} << (doc % 64);
    if ((word & bit) != 0) return;
    word |= bit;
    ++count_;
  }
  [[nodiscard]] bool has(Doc doc) const {
    return count_ != 0 && (bits_[doc / 64] >> (doc % 64) & 1) != 0;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // In ascending order.
  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      for (std::uint64_t word = bits_[i]; word != 0; word &= word - 1) {
        visit(static_cast<Doc>(i * 64 + static_cast<unsigned>(__builtin_ctzll(word))));
      }
    }
  }

 private:
  std::uint32_t documents_;
  std::uint32_t count_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace yore::lexical
