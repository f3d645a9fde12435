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

// Sums over questions; the members that people quote are means.
class Figures {
 public:
  void add(const Ranking& ranking, const Gold& gold);

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
