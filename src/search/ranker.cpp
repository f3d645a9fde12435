#include "search/ranker.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_set>

#include "base/trace.hpp"

namespace yore::search {
namespace {

using lexical::Family;
using lexical::SessionOrd;
using lexical::TurnOrd;

constexpr double kDaysToHalf = 2;        // away from a date that was named
constexpr std::int64_t kDaysBeside = 2;  // that are searched for themselves with it

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

std::int64_t days_from_date(const RankOptions& options, std::int64_t time_ms) {
  const auto local = from_ms(time_ms) + options.local_offset;
  return options.date->days_from(std::chrono::floor<std::chrono::days>(local));
}

bool is_allowed(const RankOptions& options, TurnOrd turn) {
  return options.selection.allowed == nullptr || options.selection.allowed->has(turn);
}

// What has been found already, copies included.
class Found {
 public:
  Found(const lexical::Catalog& catalog, const std::vector<lexical::Candidate>& candidates)
      : catalog_(catalog) {
    for (const lexical::Candidate& candidate : candidates) {
      turns_.insert(candidate.turn);
      origins_.insert(catalog.turns()[candidate.turn].origin);
    }
  }
  [[nodiscard]] bool has(TurnOrd turn) const {
    const std::uint64_t origin = catalog_.turns()[turn].origin;
    return turns_.contains(turn) || (origin != 0 && origins_.contains(origin));
  }

 private:
  const lexical::Catalog& catalog_;
  std::unordered_set<TurnOrd> turns_;
  std::unordered_set<std::uint64_t> origins_;
};

// Adds the best by words of the time that the question names: the best of all times may leave no
// place for them.
void add_dated(lexical::Search& search, const lexical::Catalog& catalog, const RankOptions& options,
               std::vector<lexical::Candidate>& found) {
  const Found known(catalog, found);
  lexical::TurnSet dated(catalog.turns().size());
  for (TurnOrd turn = 0; turn < catalog.turns().size(); ++turn) {
    if (!is_allowed(options, turn) || known.has(turn)) continue;
    if (days_from_date(options, catalog.turns()[turn].last_time) <= kDaysBeside) dated.add(turn);
  }
  lexical::Selection selection = options.selection;
  selection.allowed = &dated;
  for (const lexical::Candidate& candidate : search.best_turns(selection, options.candidates)) {
    found.push_back(candidate);
  }
}

// Adds the turns nearest in meaning to those found by words, with their best passage by words where
// they have one.
void add_nearest(lexical::Search& search, const lexical::Catalog& catalog,
                 const RankOptions& options, std::vector<lexical::Candidate>& found) {
  const Found known(catalog, found);
  std::unordered_set<TurnOrd> turns;
  lexical::TurnSet near(catalog.turns().size());
  std::vector<TurnOrd> added;
  for (const TurnOrd turn : options.likeness->nearest(options.candidates)) {
    if (known.has(turn)) continue;
    near.add(turn);
    added.push_back(turn);
  }
  lexical::Selection selection = options.selection;
  selection.allowed = &near;
  for (const lexical::Candidate& candidate : search.best_turns(selection, added.size())) {
    turns.insert(candidate.turn);
    found.push_back(candidate);
  }
  for (const TurnOrd turn : added) {
    if (!turns.contains(turn)) found.push_back(options.likeness->place(turn));
  }
}

// The turns of the date, in the usual order, one of each set of copies. When there are none,
// the turns nearest to it.
std::vector<lexical::Candidate> nearest_to_date(const lexical::Catalog& catalog,
                                                const RankOptions& options) {
  struct Away {
    std::int64_t days;
    TurnOrd turn;
  };
  std::vector<Away> heap;
  for (TurnOrd turn = 0; turn < catalog.turns().size(); ++turn) {
    const lexical::TurnRow& row = catalog.turns()[turn];
    const bool gone = (row.flags & lexical::kTurnGone) != 0;
    if (!is_allowed(options, turn) || gone || row.last_time == 0) continue;
    heap.push_back({days_from_date(options, row.last_time), turn});
  }
  if (heap.empty()) return {};
  // A year may have a hundred thousand turns, and only the first few are wanted.
  const auto later = [&](const Away& a, const Away& b) {
    if (a.days != b.days) return a.days > b.days;
    return lexical::comes_first(catalog, b.turn, a.turn);
  };
  std::ranges::make_heap(heap, later);
  const bool inside = heap.front().days == 0;
  std::vector<lexical::Candidate> found;
  std::unordered_set<std::uint64_t> origins;
  while (!heap.empty() && found.size() < options.candidates) {
    std::ranges::pop_heap(heap, later);
    const Away next = heap.back();
    heap.pop_back();
    if (inside && next.days > 0) break;
    const std::uint64_t origin = catalog.turns()[next.turn].origin;
    if (origin != 0 && !origins.insert(origin).second) continue;
    lexical::Candidate candidate;
    candidate.turn = next.turn;
    found.push_back(candidate);
  }
  return found;
}

std::vector<lexical::Candidate> find_candidates(lexical::Search& search,
                                                const lexical::Snapshot& snapshot,
                                                const RankOptions& options) {
  const TraceStep step("find candidates (stage 1)");
  const lexical::Catalog& catalog = snapshot.catalog();
  if (options.basis == ranking::RankBy::date) return nearest_to_date(catalog, options);
  std::vector<lexical::Candidate> found;
  if (options.basis != ranking::RankBy::meaning) {
    found = search.best_turns(options.selection, options.candidates);
    if (options.date) add_dated(search, catalog, options, found);
  }
  if (options.basis != ranking::RankBy::words) add_nearest(search, catalog, options, found);
  return found;
}

// How much of the question each turn holds, by the weight of its words. Parts and exact forms
// stand beside a whole word: only whole ones count.
class QueryCoverage {
 public:
  explicit QueryCoverage(const lexical::Search& search) {
    for (std::size_t leaf = 0; leaf < search.leaves().size(); ++leaf) {
      const double weight = search.weight(leaf, Family::conversation);
      asked_ += weight;
      weights_.push_back(search.leaves()[leaf].boost >= 1 ? weight : 0);
    }
    whole_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  }
  [[nodiscard]] double asked() const { return asked_; }
  [[nodiscard]] double of(std::span<const std::int32_t> leaves) const {
    double held = 0;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      if (leaves[leaf] > 0) held += weights_[leaf];
    }
    return whole_ > 0 ? held / whole_ : 0;
  }

 private:
  std::vector<double> weights_;
  double asked_ = 0;
  double whole_ = 0;
};

// What the date in the question and its meaning say of a turn.
void add_date_and_meaning(const RankOptions& options, TurnOrd turn, ranking::Evidence& evidence) {
  if (options.date && evidence.last_time_ms != 0) {
    const auto days = static_cast<double>(days_from_date(options, evidence.last_time_ms));
    evidence.dated = std::exp2(-days / kDaysToHalf);
  }
  if (options.likeness != nullptr &&
      options.likeness->of(turn) != derive::TurnSimilarity::kUnknown) {
    evidence.cosine = options.likeness->of(turn);
  }
}

}  // namespace

bool is_of_date(const RankOptions& options, const lexical::TurnRow& row) {
  return row.last_time != 0 && days_from_date(options, row.last_time) == 0;
}

std::vector<ScoredTurn> rank(lexical::Search& search, const lexical::Snapshot& snapshot,
                             const RankOptions& options) {
  const lexical::Catalog& catalog = snapshot.catalog();
  const std::vector<lexical::Candidate> found = find_candidates(search, snapshot, options);
  const TraceStep step("rank candidates (stage 2)");
  std::vector<TurnOrd> turns;
  std::vector<SessionOrd> sessions;
  for (const lexical::Candidate& candidate : found) {
    turns.push_back(candidate.turn);
    sessions.push_back(catalog.turns()[candidate.turn].session);
  }
  const auto evidence = search.turn_evidence(turns, options.selection);
  const SessionScores session_scores(search, snapshot, sessions);
  const QueryCoverage held(search);
  const std::size_t width = search.leaves().size();

  std::vector<ScoredTurn> judged(found.size());
  std::vector<ranking::Evidence> all(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ScoredTurn& each = judged[i];
    each.candidate = found[i];
    each.whole = options.basis == ranking::RankBy::date;
    if (!each.whole) each.tags = evidence.tags[i];
    const auto from = evidence.best.begin() + static_cast<std::ptrdiff_t>(i * width);
    each.leaves.assign(from, from + static_cast<std::ptrdiff_t>(width));
    each.evidence.passage = points(found[i].score);
    each.evidence.turn =
        points(std::accumulate(each.leaves.begin(), each.leaves.end(), std::int64_t{0}));
    each.evidence.session = session_scores.of(sessions[i]);
    each.evidence.last_time_ms = catalog.turns()[turns[i]].last_time;
    each.evidence.scripted = (catalog.turns()[turns[i]].flags & lexical::kTurnScripted) != 0;
    each.evidence.asked = held.asked();
    each.evidence.coverage = held.of(each.leaves);
    add_date_and_meaning(options, turns[i], each.evidence);
    all[i] = each.evidence;
  }
  const std::vector<ranking::Score> scores =
      ranking::judge(all, options.basis, options.now_ms, options.half_life_days, options.constants);
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i].score = scores[i];
  std::erase_if(judged, [&](const ScoredTurn& each) {
    return !ranking::is_worth_showing(each.evidence, options.basis, options.constants);
  });
  std::ranges::sort(judged, [&](const ScoredTurn& a, const ScoredTurn& b) {
    if (a.score.total != b.score.total) return a.score.total > b.score.total;
    return lexical::comes_first(catalog, a.candidate.turn, b.candidate.turn);
  });
  return judged;
}

std::vector<ScoredTurn> newest(const lexical::Catalog& catalog, const RankOptions& options) {
  const lexical::TurnSet* allowed = options.selection.allowed;
  std::vector<TurnOrd> found;
  for (TurnOrd ord = 0; ord < catalog.turns().size(); ++ord) {
    const bool there = (catalog.turns()[ord].flags & lexical::kTurnGone) == 0;
    if (there && (allowed == nullptr || allowed->has(ord))) found.push_back(ord);
  }
  std::ranges::sort(found, [&](TurnOrd a, TurnOrd b) {
    const std::int64_t first = catalog.turns()[a].last_time;
    const std::int64_t second = catalog.turns()[b].last_time;
    return first != second ? first > second : lexical::comes_first(catalog, a, b);
  });
  std::unordered_set<std::uint64_t> origins;
  std::vector<ScoredTurn> turns;
  for (const TurnOrd ord : found) {
    if (turns.size() == options.candidates) break;
    const lexical::TurnRow& row = catalog.turns()[ord];
    if (row.origin != 0 && !origins.insert(row.origin).second) continue;
    ScoredTurn turn;
    turn.candidate.turn = ord;
    turn.whole = true;
    turn.score.total = 1;
    turn.evidence.last_time_ms = row.last_time;
    turns.push_back(std::move(turn));
  }
  return turns;
}

}  // namespace yore::search
