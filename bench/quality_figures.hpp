// quality_figures.hpp — how good is a ranking? The usual figures, over sessions.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace yore::bench {

// Session ids, best first, each once.
using Ranking = std::vector<std::string>;
// Session → grade, above 0.
using Gold = std::map<std::string, int>;

// Of one question.
struct Judgement {
  double hit_1 = 0;
  double hit_5 = 0;
  double reciprocal_rank = 0;
  double ndcg_10 = 0;
  double recall_10 = 0;
};
Judgement judge(const Ranking& ranking, const Gold& gold);

// The mean difference of two systems over the same questions, and the interval in which 95 % of
// 2,000 bootstrap samples lie. REQUIRES: as many of both
struct Difference {
  double mean = 0;
  double low = 0;
  double high = 0;
};
Difference paired_difference(const std::vector<double>& first, const std::vector<double>& second);

// Sums over questions; the members that people quote are means.
class Figures {
 public:
  void add(const Judgement& judged);

  [[nodiscard]] std::size_t questions() const { return questions_; }
  [[nodiscard]] double hit_at_1() const { return mean(hit_1_); }  // a gold session comes first
  [[nodiscard]] double hit_at_5() const { return mean(hit_5_); }  // … is among the first five
  [[nodiscard]] double mrr() const { return mean(reciprocal_rank_); }
  [[nodiscard]] double ndcg_at_10() const { return mean(ndcg_10_); }
  [[nodiscard]] double recall_at_10() const { return mean(recall_10_); }

 private:
  [[nodiscard]] double mean(double sum) const {
    return questions_ == 0 ? 0 : sum / static_cast<double>(questions_);
  }
  std::size_t questions_ = 0;
  double hit_1_ = 0;
  double hit_5_ = 0;
  double reciprocal_rank_ = 0;
  double ndcg_10_ = 0;
  double recall_10_ = 0;
};

// Place of the first gold session, from 1; 0: none.
std::size_t first_gold(const Ranking& ranking, const Gold& gold);

}  // namespace yore::bench
