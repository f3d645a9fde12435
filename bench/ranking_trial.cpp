#include "ranking_trial.hpp"

#include <fmt/format.h>

#include <set>

#include "search/query.hpp"
#include "search/ranker.hpp"
#include "search/search_filter.hpp"

namespace yore::bench {
namespace {

constexpr std::size_t kCandidates = 64;

// One trial for each value, from each trial so far.
template <typename Value, typename Set>
void multiply(std::vector<Trial>& trials, const std::vector<Value>& values, Set set) {
  if (values.empty()) return;
  std::vector<Trial> all;
  for (const Trial& trial : trials) {
    for (const Value value : values) {
      all.push_back(trial);
      set(all.back(), value);
    }
  }
  trials = std::move(all);
}

}  // namespace

std::vector<Trial> Sweep::trials() const {
  std::vector<Trial> trials(1);
  multiply(trials, turn, [](Trial& trial, double value) { trial.constants.turn_share = value; });
  multiply(trials, session,
           [](Trial& trial, double value) { trial.constants.session_share = value; });
  multiply(trials, exact, [](Trial& trial, float value) { trial.boosts.exact = value; });
  multiply(trials, part, [](Trial& trial, float value) { trial.boosts.part = value; });
  return trials;
}

std::string trial_text(const Trial& trial) {
  return fmt::format("turn {} session {} exact {} part {}", trial.constants.turn_share,
                     trial.constants.session_share, trial.boosts.exact, trial.boosts.part);
}

TrialRanker::TrialRanker(const std::string& keyword_directory, Time now)
    : snapshot_(must(lexical::Snapshot::open(keyword_directory))), now_(now) {}

Ranking TrialRanker::rank(const Question& question, bool filtered, const Trial& trial) {
  const lexical::Catalog& catalog = snapshot_->catalog();
  lexical::TurnSet allowed(catalog.turns().size());
  for (lexical::TurnOrd turn = 0; filtered && turn < catalog.turns().size(); ++turn) {
    const lexical::CatalogSession& session = catalog.sessions()[catalog.turns()[turn].session];
    const std::string_view path = catalog.name(session.project_path);
    if (path.ends_with("/" + question.project)) allowed.add(turn);
  }
  const search::SearchTerms terms =
      search::make_terms(search::parse_query(question.text), analyzer_, stemmer_, trial.boosts);
  auto search = must(lexical::Search::prepare(snapshot_, terms.scored));
  const search::SurfaceChoice surfaces = must(search::choose_surfaces({}, {}));
  search::RankOptions options;
  options.selection.weights = surfaces.weights;
  options.selection.earlier_answer_weight = surfaces.earlier_answer_weight;
  options.selection.allowed = filtered ? &allowed : nullptr;
  options.candidates = kCandidates;
  options.now_ms = to_ms(now_);
  options.half_life_days = search::kHalfLifeDays;
  options.constants = trial.constants;
  Ranking ranking;
  std::set<lexical::SessionOrd> seen;
  for (const search::ScoredTurn& judged : search::rank(search, *snapshot_, options)) {
    const lexical::SessionOrd session = catalog.turns()[judged.candidate.turn].session;
    if (!seen.insert(session).second) continue;
    ranking.emplace_back(catalog.name(catalog.sessions()[session].uid));
  }
  return ranking;
}

}  // namespace yore::bench
