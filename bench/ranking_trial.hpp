// ranking_trial.hpp — asks with other constants than the engine's own, to choose them by.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "datasets.hpp"
#include "lexical/format/snapshot.hpp"
#include "quality_figures.hpp"
#include "ranking/rank.hpp"
#include "search/search_terms.hpp"
#include "text/analyzer.hpp"

namespace yore::bench {

struct Trial {
  ranking::Constants constants;
  search::FormBoosts boosts;
};

// All combinations of these values; what is left empty is as in the engine.
struct Sweep {
  std::vector<double> turn;
  std::vector<double> session;
  std::vector<float> exact;
  std::vector<float> part;
  [[nodiscard]] bool empty() const {
    return turn.empty() && session.empty() && exact.empty() && part.empty();
  }
  [[nodiscard]] std::vector<Trial> trials() const;
};
std::string trial_text(const Trial& trial);

// Both stages as a search runs them, without its page.
class TrialRanker {
 public:
  TrialRanker(const std::string& keyword_directory, Time now);
  // `filtered`: only sessions of the question's project.
  Ranking rank(const Question& question, bool filtered, const Trial& trial);

 private:
  std::shared_ptr<const lexical::Snapshot> snapshot_;
  Time now_;
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
};

}  // namespace yore::bench
