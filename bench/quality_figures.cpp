#include "quality_figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

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

Judgement judge(const Ranking& ranking, const Gold& gold) {
  Judgement judged;
  const std::size_t first = first_gold(ranking, gold);
  if (first == 1) judged.hit_1 = 1;
  if (first >= 1 && first <= 5) judged.hit_5 = 1;
  if (first >= 1) judged.reciprocal_rank = 1.0 / static_cast<double>(first);

  double gained = 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < std::min(kDepth, ranking.size()); ++i) {
    const auto wanted = gold.find(ranking[i]);
    if (wanted == gold.end()) continue;
    gained += discounted(wanted->second, i);
    ++found;
  }
  std::vector<int> grades;
  for (const auto& [session, grade] : gold) grades.push_back(grade);
  std::ranges::sort(grades, std::greater<>());
  double best = 0;
  for (std::size_t i = 0; i < std::min(kDepth, grades.size()); ++i) {
    best += discounted(grades[i], i);
  }
  if (best > 0) judged.ndcg_10 = gained / best;
  if (!gold.empty()) {
    judged.recall_10 = static_cast<double>(found) / static_cast<double>(gold.size());
  }
  return judged;
}

Difference paired_difference(const std::vector<double>& first, const std::vector<double>& second) {
  constexpr int kSamples = 2000;
  std::vector<double> differences;
  for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(first[i] - second[i]);
  Difference out;
  if (differences.empty()) return out;
  const auto count = static_cast<double>(differences.size());
  for (const double each : differences) out.mean += each / count;
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> any(0, differences.size() - 1);
  std::vector<double> means(kSamples, 0);
  for (double& mean : means) {
    for (std::size_t i = 0; i < differences.size(); ++i) mean += differences[any(random)] / count;
  }
  std::ranges::sort(means);
  out.low = means[kSamples / 40];
  out.high = means[kSamples - 1 - kSamples / 40];
  return out;
}

void Figures::add(const Judgement& judged) {
  ++questions_;
  hit_1_ += judged.hit_1;
  hit_5_ += judged.hit_5;
  reciprocal_rank_ += judged.reciprocal_rank;
  ndcg_10_ += judged.ndcg_10;
  recall_10_ += judged.recall_10;
}

}  // namespace yore::bench
