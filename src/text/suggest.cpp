#include "text/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace yore::text {
namespace {

constexpr std::size_t kLongestWord = 64;

// Half of a short word may be wrong, a third of a long one.
std::size_t tolerance(std::size_t length) {
  return length <= 4 ? (length + 1) / 2 : std::max<std::size_t>(2, length / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> before(columns);  // two rows back, for swaps
  std::vector<std::size_t> above(columns);
  std::vector<std::size_t> row(columns);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < columns; ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above.back();
}

std::string_view closest(std::string_view word, std::span<const std::string_view> known) {
  if (word.empty() || word.size() > kLongestWord) return "";
  const auto begins = [&](std::string_view other) { return other.starts_with(word); };
  if (std::ranges::count_if(known, begins) == 1) return *std::ranges::find_if(known, begins);
  std::string_view best;
  std::size_t best_distance = tolerance(word.size()) + 1;
  for (const std::string_view other : known) {
    const std::size_t distance = edit_distance(word, other);
    if (distance < best_distance && distance < std::max(word.size(), other.size())) {
      best = other;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace yore::text
