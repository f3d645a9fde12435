// term_arena.hpp — texts that stay where they are until the arena is cleared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace yore::text {

class TermArena {
 public:
  // REQUIRES: at most kBlockBytes.
  std::string_view keep(std::string_view text) {
    if (blocks_.empty() || used_ + text.size() > kBlockBytes) next_block();
    char* place = blocks_[block_].get() + used_;
    std::copy(text.begin(), text.end(), place);
    used_ += text.size();
    return {place, text.size()};
  }

  // Forgets the texts and keeps the memory.
  void clear() {
    block_ = 0;
    used_ = 0;
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{16} * 1024;

  void next_block() {
    if (!blocks_.empty()) ++block_;
    if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<char[]>(kBlockBytes));
    used_ = 0;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

}  // namespace yore::text
