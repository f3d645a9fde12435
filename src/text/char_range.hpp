// char_range.hpp — tables of characters.
#pragma once

#include <algorithm>
#include <span>

namespace yore::text {

// Both ends belong to it.
struct CharRange {
  char32_t first;
  char32_t last;
};

constexpr bool any_contains(std::span<const CharRange> ranges, char32_t c) {
  return std::ranges::any_of(ranges,
                             [c](CharRange range) { return range.first <= c && c <= range.last; });
}

}  // namespace yore::text
