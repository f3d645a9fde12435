#include "quality_figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace yore::bench {
namespace {

constexpr std::size_t kDepth = 10;

double discounted(int grade, std::size_t index) {
  return static_cast<double>(grade) / std::log2(static_cast<double>(index) + 2);
}

}  // namespace

std::size_t first_gold(const Ranking& ranking, const Gold& gold) {
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    if (gold.contains(ranking[i])) return i + 1;
  }
  return 0;
}

void Figures::add(const Ranking& ranking, const Gold& gold) {
  ++questions_;
  const std::size_t first = first_gold(ranking, gold);
  if (first == 1) hit_1_ += 1;
  if (first >= 1 && first <= 5) hit_5_ += 1;
  if (first >= 1) reciprocal_rank_ += 1.0 / static_cast<double>(first);

  double gained = 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < std::min(kDepth, ranking.size()); ++i) {
    const auto judged = gold.find(ranking[i]);
    if (judged == gold.end()) continue;
    gained += discounted(judged->second, i);
    ++found;
  }
  std::vector<int> grades;
  for (const auto& [session, grade] : gold) grades.push_back(grade);
  std::ranges::sort(grades, std::greater<>());
  double best = 0;
  for (std::size_t i = 0; i < std::min(kDepth, grades.size()); ++i) {
    best += discounted(grades[i], i);
  }
  if (best > 0) ndcg_10_ += gained / best;
  if (!gold.empty()) recall_10_ += static_cast<double>(found) / static_cast<double>(gold.size());
}

}  // namespace yore::bench
