// key_range.hpp — documents named by their keys: how removals are written down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "lexical/format/types.hpp"

namespace yore::lexical {

struct KeyRange {
  DocKey first = 0;
  std::uint32_t count = 0;
  // REQUIRES: count > 0.
  [[nodiscard]] DocKey last() const {
    constexpr DocKey kMax = std::numeric_limits<DocKey>::max();
    return count - 1 > kMax - first ? kMax : first + (count - 1);
  }
  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

// The same keys in ascending order, no range empty or overlapping another.
inline std::vector<KeyRange> normalised(std::vector<KeyRange> ranges) {
  std::erase_if(ranges, [](const KeyRange& range) { return range.count == 0; });
  std::ranges::sort(ranges, {}, &KeyRange::first);
  constexpr DocKey kMax = std::numeric_limits<DocKey>::max();
  std::vector<KeyRange> out;
  for (const KeyRange& range : ranges) {
    if (out.empty() || range.first > std::uint64_t{out.back().last()} + 1) {
      out.push_back({range.first, range.last() - range.first + 1});
    } else if (range.last() > out.back().last()) {
      const bool all = range.last() - out.back().first == kMax;  // one more than a count can say
      out.back().count = all ? kMax : range.last() - out.back().first + 1;
      if (all) out.push_back({kMax, 1});
    }
  }
  return out;
}

}  // namespace yore::lexical
