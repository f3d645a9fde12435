#include "ranking/rank.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace yore::ranking {
namespace {
constexpr double kMsPerDay = 24.0 * 3600 * 1000;
}

Score judge(const Evidence& evidence, std::int64_t now_ms, std::optional<double> half_life_days,
            const Constants& constants) {
  Score score;
  score.relevance = evidence.passage +
                    constants.turn_share * std::max(0.0, evidence.turn - evidence.passage) +
                    constants.session_share * evidence.session;
  if (half_life_days) {
    // What lies in the future counts as new: clocks differ.
    const double age =
        std::max(0.0, static_cast<double>(now_ms - evidence.last_time_ms) / kMsPerDay);
    const double fresh = *half_life_days > 0 ? std::exp2(-age / *half_life_days) : 0.0;
    score.recency = 1 - constants.recency_share + constants.recency_share * fresh;
  }
  score.total = score.relevance * score.recency;
  return score;
}

Page fill_page(const std::vector<Ranked>& best_first, std::size_t limit, std::size_t per_session) {
  Page page;
  std::unordered_map<std::uint64_t, std::size_t> taken;
  for (const Ranked& ranked : best_first) {
    if (page.candidates.size() == limit) {
      page.more = page.more || ranked.standing == Standing::shown;
      if (page.more) break;
      continue;
    }
    switch (ranked.standing) {
      case Standing::subagent:
        ++page.subagents;
        continue;
      case Standing::automated:
        ++page.automated;
        continue;
      case Standing::current:
        ++page.current;
        continue;
      case Standing::shown:
        break;
    }
    if (per_session != 0 && taken[ranked.session] >= per_session) {
      page.more = true;
      continue;
    }
    ++taken[ranked.session];
    page.candidates.push_back(ranked.candidate);
  }
  return page;
}

}  // namespace yore::ranking
