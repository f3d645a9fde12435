#include "engine/ranker.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace yore::engine {
namespace {

using lexical::Family;
using lexical::SessionOrd;
using lexical::TurnOrd;

double points(std::int64_t score) {
  return static_cast<double>(score) / lexical::kScoreOne;
}

// BM25 of everything said in a session, taken as one document.
class SessionScores {
 public:
  SessionScores(lexical::Search& search, const lexical::Snapshot& snapshot,
                std::vector<SessionOrd> sessions)
      : search_(search), sessions_(std::move(sessions)) {
    std::ranges::sort(sessions_);
    sessions_.erase(std::unique(sessions_.begin(), sessions_.end()), sessions_.end());
    evidence_ = search.session_evidence(sessions_);
    const std::size_t all = snapshot.catalog().living_sessions();
    const double length = static_cast<double>(snapshot.stats(Family::conversation).length);
    const double average = length / static_cast<double>(std::max<std::size_t>(all, 1));
    norm_ = lexical::LengthNorm::of(static_cast<float>(std::max(1.0, average)));
    const std::vector<std::uint32_t> frequencies = search.session_frequencies();
    for (std::size_t leaf = 0; leaf < frequencies.size(); ++leaf) {
      const auto held = static_cast<double>(frequencies[leaf]);
      const double idf = std::log(1 + (static_cast<double>(all) - held + 0.5) / (held + 0.5));
      weights_.push_back(idf * search.leaves()[leaf].boost);
    }
  }

  [[nodiscard]] double of(SessionOrd session) const {
    const auto row =
        static_cast<std::size_t>(std::ranges::lower_bound(sessions_, session) - sessions_.begin());
    const std::size_t width = search_.leaves().size();
    double sum = 0;
    for (std::size_t leaf = 0; leaf < width; ++leaf) {
      const std::uint32_t count = evidence_.counts[row * width + leaf];
      if (count == 0) continue;
      sum += weights_[leaf] * norm_.impact(count, evidence_.lengths[row]);
    }
    return sum;
  }

 private:
  lexical::Search& search_;
  std::vector<SessionOrd> sessions_;
  lexical::Search::SessionEvidence evidence_;
  lexical::LengthNorm norm_;
  std::vector<double> weights_;  // of each leaf, by the number of sessions that hold it
};

}  // namespace

std::vector<Judged> rank(lexical::Search& search, const lexical::Snapshot& snapshot,
                         const RankOptions& options) {
  const lexical::Catalog& catalog = snapshot.catalog();
  const std::vector<lexical::Candidate> found =
      search.best_turns(options.selection, options.candidates);
  std::vector<TurnOrd> turns;
  std::vector<SessionOrd> sessions;
  for (const lexical::Candidate& candidate : found) {
    turns.push_back(candidate.turn);
    sessions.push_back(catalog.turns()[candidate.turn].session);
  }
  const auto evidence = search.turn_evidence(turns, options.selection);
  const SessionScores session_scores(search, snapshot, sessions);
  const std::size_t width = search.leaves().size();

  std::vector<Judged> judged(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    Judged& each = judged[i];
    each.candidate = found[i];
    each.tags = evidence.tags[i];
    const auto from = evidence.best.begin() + static_cast<std::ptrdiff_t>(i * width);
    each.leaves.assign(from, from + static_cast<std::ptrdiff_t>(width));
    each.evidence.passage = points(found[i].score);
    each.evidence.turn =
        points(std::accumulate(each.leaves.begin(), each.leaves.end(), std::int64_t{0}));
    each.evidence.session = session_scores.of(sessions[i]);
    each.evidence.last_time_ms = catalog.turns()[turns[i]].last_time;
    each.score =
        ranking::judge(each.evidence, options.now_ms, options.half_life_days, options.constants);
  }
  std::ranges::sort(judged, [&](const Judged& a, const Judged& b) {
    if (a.score.total != b.score.total) return a.score.total > b.score.total;
    return lexical::comes_first(catalog, a.candidate.turn, b.candidate.turn);
  });
  return judged;
}

}  // namespace yore::engine
