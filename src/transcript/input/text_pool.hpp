// text_pool.hpp — strings that keep their memory from record to record.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "transcript/limits.hpp"

namespace yore::transcript {

class TextPool {
 public:
  // An empty string that stays where it is until reset().
  std::string& take() {
    if (used_ == texts_.size()) texts_.emplace_back();
    std::string& text = texts_[used_++];
    if (text.capacity() > kKeptCapacity) std::string().swap(text);
    text.clear();
    return text;
  }
  void reset() { used_ = 0; }

 private:
  std::deque<std::string> texts_;
  std::size_t used_ = 0;
};

}  // namespace yore::transcript
