// row_table.hpp — which place a name has among those that came one after the other.
//
// Made when a set is opened, for the rows that are in no sorted block yet; copied and added to when
// more have come. Threads: const, so any number may look up.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "vector/types.hpp"

namespace yore::vector {

class RowTable {
 public:
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

  // Their rows follow those added before. The first of several equal texts counts.
  void add(std::span<const TextHash> texts) {
    texts_.insert(texts_.end(), texts.begin(), texts.end());
    if (texts_.size() * 2 > slots_.size()) {
      slots_.assign(std::bit_ceil(std::max<std::size_t>(texts_.size() * 3, 16)), kNoRow);
      filled_ = 0;
    }
    for (; filled_ < texts_.size(); ++filled_) {
      Row& slot = slots_[slot_of(texts_[filled_])];
      if (slot == kNoRow) slot = static_cast<Row>(filled_);
    }
  }

  // kNoRow: it has none.
  [[nodiscard]] Row find(TextHash text) const {
    return slots_.empty() ? kNoRow : slots_[slot_of(text)];
  }

 private:
  // The slot that has it, or the free one where it would be.
  [[nodiscard]] std::size_t slot_of(TextHash text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (text * 0x9E37'79B9'7F4A'7C15U >> 32) & mask;
    while (slots_[at] != kNoRow && texts_[slots_[at]] != text) at = (at + 1) & mask;
    return at;
  }
  std::vector<TextHash> texts_;
  std::vector<Row> slots_;  // a power of two, at most half of them taken
  std::size_t filled_ = 0;
};

}  // namespace yore::vector
