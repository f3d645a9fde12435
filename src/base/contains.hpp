// contains.hpp — std::ranges::contains, which C++20 lacks.
#pragma once

#include <algorithm>
#include <ranges>

namespace yore {

template <std::ranges::input_range Range, typename Value>
constexpr bool contains(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

}  // namespace yore
