#include "ranking/rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace yore::ranking {
namespace {

constexpr double kMsPerDay = 24.0 * 3600 * 1000;

// Exact on every machine, unlike pow().
double square(double value) {
  return value * value;
}

double by_words(const Evidence& evidence, const Constants& constants) {
  return evidence.passage + constants.turn_share * std::max(0.0, evidence.turn - evidence.passage) +
         constants.session_share * evidence.session +
         constants.coverage_share * evidence.asked * square(square(evidence.coverage));
}

double by_age(const Evidence& evidence, std::int64_t now_ms, std::optional<double> half_life_days,
              const Constants& constants) {
  if (!half_life_days) return 1;
  // What lies in the future counts as new: clocks differ.
  const double age = std::max(0.0, static_cast<double>(now_ms - evidence.last_time_ms) / kMsPerDay);
  const double fresh = *half_life_days > 0 ? std::exp2(-age / *half_life_days) : 0.0;
  return 1 - constants.recency_share + constants.recency_share * fresh;
}

// Both together, on a scale of 0..1.
class Fusion {
 public:
  Fusion(std::span<const Evidence> candidates, std::span<const Score> scores,
         const Constants& constants)
      : constants_(constants), trust_(trust_in_words(candidates, constants)) {
    for (const Score& score : scores) best_words_ = std::max(best_words_, score.words);
    for (const Evidence& evidence : candidates) {
      best_cosine_ = std::max(best_cosine_, evidence.cosine.value_or(0));
    }
  }

  void judge(const Evidence& evidence, Score& score) const {
    const double words = best_words_ > 0 ? score.words / best_words_ : 0;
    score.nearness =
        evidence.cosine ? nearness(*evidence.cosine) : trust_ * words + (1 - trust_) / 2;
    score.relevance = (trust_ * words + constants_.meaning_share * score.nearness) /
                      (1 + constants_.meaning_share);
  }

 private:
  [[nodiscard]] double nearness(double cosine) const {
    const double room = best_cosine_ - constants_.cosine_floor;
    return room > 0 ? std::max(0.0, cosine - constants_.cosine_floor) / room : 0;
  }

  const Constants& constants_;
  double trust_;
  double best_words_ = 0;
  double best_cosine_ = 0;
};

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

double trust_in_words(std::span<const Evidence> candidates, const Constants& constants) {
  double most = 0;
  for (const Evidence& evidence : candidates) most = std::max(most, evidence.coverage);
  const double share = std::min(1.0, most / constants.full_trust);
  return square(square(share));
}

std::vector<Score> judge(std::span<const Evidence> candidates, RankBy basis, std::int64_t now_ms,
                         std::optional<double> half_life_days, const Constants& constants) {
  std::vector<Score> scores(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    scores[i].words = by_words(candidates[i], constants);
  }
  const Fusion fusion(candidates, scores, constants);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Evidence& evidence = candidates[i];
    Score& score = scores[i];
    if (basis == RankBy::words) score.relevance = score.words;
    if (basis == RankBy::meaning) score.relevance = std::max(0.0, evidence.cosine.value_or(0));
    if (basis == RankBy::both) fusion.judge(evidence, score);
    if (basis == RankBy::date) score.relevance = evidence.dated;
  }
  double best = 0;
  for (const Score& score : scores) best = std::max(best, score.relevance);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Evidence& evidence = candidates[i];
    Score& score = scores[i];
    if (basis != RankBy::date) score.relevance += constants.date_share * best * evidence.dated;
    score.recency = by_age(evidence, now_ms, half_life_days, constants);
    score.total = score.relevance * score.recency;
    if (evidence.scripted) score.total *= 1 - constants.scripted_share;
  }
  return scores;
}

bool is_worth_showing(const Evidence& evidence, RankBy basis, const Constants& constants) {
  if (basis != RankBy::both || evidence.turn > 0) return true;
  return evidence.cosine.value_or(0) >= constants.shown_from;
}

bool is_relevant(const Evidence& best, const Constants& constants) {
  const double cosine = std::max(0.0, best.cosine.value_or(constants.usual_cosine));
  return best.coverage + cosine >= constants.relevant_from;
}

double likelihood(const Evidence& evidence) {
  // A constant, what coverage adds, what the cosine adds; and where there is none.
  constexpr std::array<double, 3> kBoth = {-5.34, 6.86, 5.47};
  constexpr std::array<double, 2> kWords = {-3.38, 8.35};
  if (!evidence.cosine) return logistic(kWords[0] + kWords[1] * evidence.coverage);
  return logistic(kBoth[0] + kBoth[1] * evidence.coverage +
                  kBoth[2] * std::max(0.0, *evidence.cosine));
}

Page fill_page(const std::vector<PageCandidate>& best_first, std::size_t limit,
               std::size_t per_session) {
  Page page;
  std::unordered_map<std::uint64_t, std::size_t> taken;
  for (const PageCandidate& ranked : best_first) {
    if (page.candidates.size() == limit) {
      page.more = page.more || ranked.standing == Visibility::shown;
      if (page.more) break;
      continue;
    }
    switch (ranked.standing) {
      case Visibility::subagent:
        ++page.subagents;
        continue;
      case Visibility::automated:
        ++page.automated;
        continue;
      case Visibility::current:
        ++page.current;
        continue;
      case Visibility::shown:
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
