// One question: from the request to the answer.
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/trace.hpp"
#include "search/agent_names.hpp"
#include "search/matching.hpp"
#include "search/query.hpp"
#include "search/ranker.hpp"
#include "search/search_filter.hpp"
#include "search/search_page.hpp"
#include "search/search_terms.hpp"
#include "search/searcher_state.hpp"
#include "search/session_id.hpp"
#include "text/utf8.hpp"

namespace yore::search {
namespace {

using Clock = std::chrono::steady_clock;
using ranking::RankBy;
using ranking::Visibility;

constexpr std::size_t kMinCandidates = 64;
constexpr std::size_t kMaxCandidates = 1 << 16;
constexpr std::int64_t kMsPerHour = 3'600'000;
constexpr std::size_t kLeastIdDigits = 8;
constexpr std::string_view kOnlyClosest = "Nothing clearly relevant was found; these come closest.";
constexpr std::string_view kNothingThen =
    "Nothing was said at that time; these come nearest to it.";
constexpr std::string_view kNoMeanings =
    "Nothing can be searched by meaning yet; yore index makes the last months searchable so.";

// Could it be meant as the id of a session or a chunk? Words of a question are not looked up.
bool looks_like_id(std::string_view text) {
  if (text.size() < kLeastIdDigits || text.find(' ') != std::string_view::npos) return false;
  return std::ranges::any_of(text, ascii::is_digit) && std::ranges::all_of(text, [](char c) {
           return ascii::is_alnum(c) || c == '-' || c == ':' || c == '/' || c == '_' || c == '.';
         });
}

// Does it demand something, so that what is found is what was asked for?
bool says_exactly(const ParsedQuery& query) {
  return std::ranges::any_of(query.parts, [](const QueryPart& part) {
    return part.kind != QueryPart::Kind::words || part.mark == QueryPart::Mark::required;
  });
}

}  // namespace

// Holds what the steps of one search have in common.
class SearchRun {
 public:
  SearchRun(Searcher::State& state, const SearchRequest& request)
      : state_(state),
        request_(request),
        query_(parse_query(request.query)),
        now_ms_(to_ms(request.now.value_or(state.world.now)) / kMsPerHour * kMsPerHour),
        date_(find_date(query_, std::chrono::floor<std::chrono::days>(from_ms(now_ms_) +
                                                                      state.world.local_offset))),
        terms_(make_terms(query_, state.analyzer, state.stemmer, {}, date_)),
        filters_alone_(has_no_words(query_)) {}

  Result<SearchAnswer> run() {
    begin_answer();
    auto marks = state_.reader.marks();
    if (!marks) return marks.error();
    marks_ = std::move(*marks);
    const auto surfaces = choose_surfaces(request_.types, request_.surfaces);
    if (!surfaces) return surfaces.error();
    auto uids = session_uids();
    if (!uids) return uids.error();
    session_named_ = !uids->empty();
    const auto allowed = allowed_turns(
        state_.snapshot,
        {request_, query_, terms_, state_.reader.scope(), *surfaces, marks_, std::move(*uids)});
    if (!allowed && allowed.error().code == Errc::not_found && !request_.projects_must_exist) {
      answer_.notes.push_back(allowed.error().message + ".");
      return std::move(answer_);
    }
    if (!allowed) return allowed.error();
    options_.selection.weights = surfaces->weights;
    options_.selection.earlier_answer_weight = surfaces->earlier_answer_weight;
    options_.selection.allowed = *allowed ? &**allowed : nullptr;
    options_.candidates = std::max(kMinCandidates, 4 * request_.limit);
    options_.now_ms = now_ms_;
    options_.half_life_days = request_.half_life_days;
    options_.local_offset = state_.world.local_offset;
    if (date_) options_.date = date_->when;
    if (terms_.only_date) options_.basis = RankBy::date;
    auto search = lexical::Search::prepare(state_.snapshot, terms_.scored);
    if (!search) return search.error();
    if (Status status = find(*search); !status) return status.error();
    if (!request_.facets) return std::move(answer_);
    if (Status status = add_facets(*search); !status) return status.error();
    return std::move(answer_);
  }

 private:
  void begin_answer();
  Result<std::vector<std::string>> session_uids();
  [[nodiscard]] std::vector<std::string> notes_on(const std::vector<std::string>& agents) const;
  Status find(lexical::Search& search);
  Status answer_with(const lexical::Search& search, bool relevant);
  bool compare_by_meaning(RankBy basis);
  [[nodiscard]] std::vector<lexical::TurnOrd> turns_named(std::string_view id);
  [[nodiscard]] Visibility standing(lexical::TurnOrd turn) const;
  void collect(lexical::Search& search);
  [[nodiscard]] std::size_t most_per_session() const;
  [[nodiscard]] bool is_to_the_point() const;
  Result<std::vector<Hit>> make_hits(const lexical::Search& search);
  Status add_facets(lexical::Search& search);

  Searcher::State& state_;
  const SearchRequest& request_;
  const ParsedQuery query_;
  const std::int64_t now_ms_;  // rounded
  const std::optional<QueryDate> date_;
  const SearchTerms terms_;
  SearchAnswer answer_;
  store::Marks marks_;
  bool session_named_ = false;
  const bool filters_alone_;  // nothing to rank by: newest first
  bool show_automated_ = false;
  RankOptions options_;
  std::optional<derive::TurnSimilarity> likeness_;
  std::vector<ScoredTurn> judged_;
  ranking::Page page_;
};

void SearchRun::begin_answer() {
  const lexical::Snapshot& snapshot = *state_.snapshot;
  answer_.query = request_.query;
  answer_.incomplete = !snapshot.covers().details_complete;
  for (const auto family : {lexical::Family::conversation, lexical::Family::detail}) {
    answer_.coverage.passages += snapshot.stats(family).documents;
  }
  if (request_.mode != SearchMode::keyword || request_.count_embedded) {
    state_.meaning.refresh(state_.snapshot);
    answer_.coverage.passages_embedded = state_.meaning.documents();
  }
  if (answer_.incomplete) {
    answer_.notes.emplace_back("Tool output and thinking are still being indexed.");
  }
  for (const std::string& hint : query_.hints) answer_.notes.push_back(hint);
  for (const auto* agents : {&request_.agents, &query_.agents}) {
    for (std::string& note : notes_on(*agents)) answer_.notes.push_back(std::move(note));
  }
  answer_.matched = terms_.matched;
}

Result<std::vector<std::string>> SearchRun::session_uids() {
  std::vector<std::string> uids;
  std::vector<std::string> wanted = query_.sessions;
  if (!request_.session.empty()) wanted.push_back(request_.session);
  for (const std::string& id : wanted) {
    auto session = state_.reader.find_session(id);
    if (!session) return session.error();
    uids.push_back(std::move(session->uid));
  }
  return uids;
}

std::vector<std::string> SearchRun::notes_on(const std::vector<std::string>& agents) const {
  if (agents.empty()) return {};
  const lexical::Catalog& catalog = state_.snapshot->catalog();
  std::vector<std::string_view> present;
  for (const lexical::CatalogSession& row : catalog.sessions()) {
    const std::string_view agent = catalog.name(row.agent);
    const bool gone = (row.flags & lexical::kSessionGone) != 0;
    if (!gone && std::ranges::find(present, agent) == present.end()) present.push_back(agent);
  }
  return notes_on_agents(agents, present, state_.reader.agents());
}

// Compares the question with everything that has a vector; false: that is not possible.
bool SearchRun::compare_by_meaning(RankBy basis) {
  if (!likeness_) {
    const TraceStep step("compare by meaning");
    state_.meaning.refresh(state_.snapshot);
    likeness_ = state_.meaning.compare(plain_question(query_), options_.selection);
  }
  if (!likeness_) return false;
  options_.likeness = &*likeness_;
  options_.basis = basis;
  return true;
}

Status SearchRun::find(lexical::Search& search) {
  const bool semantic = request_.mode == SearchMode::semantic;
  if (filters_alone_) {
    collect(search);
    return answer_with(search, true);
  }
  if (terms_.only_date) {
    collect(search);
    return answer_with(search, is_to_the_point());
  }
  if (request_.mode != SearchMode::keyword) {
    if (compare_by_meaning(semantic ? RankBy::meaning : RankBy::both)) answer_.mode = request_.mode;
    if (!state_.meaning.absence().empty()) answer_.notes.push_back(state_.meaning.absence());
  }
  if (semantic && !likeness_) {
    if (state_.meaning.absence().empty()) answer_.notes.emplace_back(kNoMeanings);
    return {};
  }
  collect(search);
  bool relevant = !page_.candidates.empty();
  if (likeness_ && !says_exactly(query_)) relevant = is_to_the_point();
  // Where words found nothing at all, what comes nearest in meaning is worth a look, unless words
  // alone were asked for.
  const bool by_meaning = request_.mode != SearchMode::keyword;
  if (page_.candidates.empty() && by_meaning && compare_by_meaning(RankBy::meaning)) {
    collect(search);
  }
  return answer_with(search, relevant);
}

Status SearchRun::answer_with(const lexical::Search& search, bool relevant) {
  auto hits = make_hits(search);
  if (!hits) return hits.error();
  answer_.hidden = {page_.subagents, page_.automated, page_.current};
  if (relevant) {
    answer_.hits = std::move(*hits);
    answer_.more = page_.more;
  } else if (!hits->empty()) {
    answer_.closest = std::move(*hits);
    answer_.notes.emplace_back(terms_.only_date ? kNothingThen : kOnlyClosest);
  }
  return {};
}

// Turns that the query itself names: a chunk, or the first turn of a session.
std::vector<lexical::TurnOrd> SearchRun::turns_named(std::string_view id) {
  if (!looks_like_id(id)) return {};
  std::vector<lexical::TurnOrd> turns = state_.turns_with_chunk(id);
  if (turns.size() == 1) return turns;
  turns.clear();
  const auto session = state_.reader.find_session(id);
  if (!session) return turns;
  const lexical::Catalog& catalog = state_.snapshot->catalog();
  for (lexical::TurnOrd ord = 0; ord < catalog.turns().size(); ++ord) {
    const lexical::TurnRow& row = catalog.turns()[ord];
    const bool first = row.number == 0 && catalog.sessions()[row.session].store_id ==
                                              static_cast<std::int64_t>(session->id);
    if (first && state_.is_visible(row)) turns.push_back(ord);
  }
  return turns;
}

Visibility SearchRun::standing(lexical::TurnOrd turn) const {
  const lexical::Catalog& catalog = state_.snapshot->catalog();
  const lexical::TurnRow& row = catalog.turns()[turn];
  const lexical::CatalogSession& session = catalog.sessions()[row.session];
  const std::string_view uid = catalog.name(session.uid);
  if (!request_.current_session.empty()) {
    const bool own = is_id_of(edition_base(uid), request_.current_session) ||
                     is_id_of(catalog.name(session.parent), request_.current_session);
    if (own) return Visibility::current;
  }
  if (!request_.subagents && (session.flags & lexical::kSessionSubagent) != 0) {
    return Visibility::subagent;
  }
  if (request_.automated || show_automated_) return Visibility::shown;
  const bool asked_for =
      !request_.included_session.empty() && is_id_of(edition_base(uid), request_.included_session);
  const bool automated = (session.flags & lexical::kSessionAutomated) != 0 ||
                         (row.flags & lexical::kTurnAutomated) != 0;
  return automated && !asked_for ? Visibility::automated : Visibility::shown;
}

// Ranks, and doubles the candidates while hidden ones and caps leave the page short.
void SearchRun::collect(lexical::Search& search) {
  const lexical::Catalog& catalog = state_.snapshot->catalog();
  const std::vector<lexical::TurnOrd> named = turns_named(text::trim(request_.query));
  const std::size_t per_session = session_named_ ? 0 : most_per_session();
  RankOptions options = options_;
  std::size_t before = 0;
  while (true) {
    judged_ = filters_alone_ ? newest(state_.snapshot->catalog(), options)
                             : rank(search, *state_.snapshot, options);
    const bool all = judged_.size() < options.candidates || judged_.size() == before;
    before = judged_.size();
    if (request_.sort == SortBy::time) {
      std::ranges::stable_sort(judged_, std::greater{},
                               [](const ScoredTurn& each) { return each.evidence.last_time_ms; });
    }
    for (const lexical::TurnOrd turn : named) {
      std::erase_if(judged_, [&](const ScoredTurn& each) { return each.candidate.turn == turn; });
      ScoredTurn first;
      first.candidate.turn = turn;
      first.by_id = true;
      first.whole = true;
      first.score.total = judged_.empty() ? 1 : judged_.front().score.total;
      judged_.insert(judged_.begin(), std::move(first));
    }
    std::vector<ranking::PageCandidate> ranked;
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      const lexical::TurnOrd turn = judged_[i].candidate.turn;
      const bool asked_for = session_named_ || judged_[i].by_id;
      ranked.push_back(
          {i, asked_for ? Visibility::shown : standing(turn), catalog.turns()[turn].session});
    }
    page_ = ranking::fill_page(ranked, request_.limit, per_session);
    const bool short_page = page_.candidates.size() < request_.limit;
    if (short_page && !all && options.candidates < kMaxCandidates) {
      options.candidates *= 2;
      continue;
    }
    // Nothing is hidden when it is all there is.
    if (!page_.candidates.empty() || page_.automated == 0 || show_automated_) return;
    show_automated_ = true;
  }
}

// A list of the newest leaves nothing out, unless that is asked for.
std::size_t SearchRun::most_per_session() const {
  const bool asked = request_.per_session != kHitsPerSession;
  return filters_alone_ && !asked ? 0 : request_.per_session;
}

// Is the best of the page more than the nearest there is?
bool SearchRun::is_to_the_point() const {
  const ScoredTurn* best = nullptr;
  for (const std::size_t index : page_.candidates) {
    const ScoredTurn& each = judged_[index];
    if (each.by_id) return true;
    if (best == nullptr || each.score.total > best->score.total) best = &each;
  }
  if (best == nullptr) return false;
  if (options_.basis == RankBy::date) return best->evidence.dated == 1;
  return ranking::is_relevant(best->evidence, options_.constants);
}

Result<std::vector<Hit>> SearchRun::make_hits(const lexical::Search& search) {
  const TraceStep step("make the page");
  const PageTools tools{state_.reader.store(), *state_.snapshot,       state_.analyzer,
                        state_.stemmer,        state_.reader.agents(), marks_};
  std::vector<lexical::TurnOrd> turns;
  for (const std::size_t index : page_.candidates) turns.push_back(judged_[index].candidate.turn);
  const std::vector<TurnFacts> facts = facts_of(state_.snapshot->catalog(), turns);
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < page_.candidates.size(); ++i) {
    const ScoredTurn& each = judged_[page_.candidates[i]];
    auto hit = make_hit(tools, each, facts[i], request_, terms_.matched);
    if (!hit && hit.error().code == Errc::not_found) continue;
    if (!hit) return hit.error();
    hit->rank = hits.size() + 1;
    if (each.by_id) {
      hit->relevance = 1;
    } else if (options_.basis != RankBy::date) {
      hit->relevance = ranking::likelihood(each.evidence);
    }
    if (request_.explain) hit->explain = explain(each, search);
    hits.push_back(std::move(*hit));
  }
  double best = 0;
  for (const Hit& hit : hits) best = std::max(best, hit.score);
  for (Hit& hit : hits) {
    hit.percent = best > 0 ? static_cast<int>(hit.score / best * 100 + 0.5) : 100;
  }
  return hits;
}

Status SearchRun::add_facets(lexical::Search& search) {
  const TraceStep step("count facets");
  const auto is_shown = [this](lexical::TurnOrd turn) {
    return session_named_ || standing(turn) == Visibility::shown;
  };
  auto facets = facets_of({search, *state_.snapshot, options_, judged_, !answer_.hits.empty(),
                           filters_alone_, is_shown, request_.now.value_or(state_.world.now)},
                          state_.reader.store(), marks_);
  if (!facets) return facets.error();
  answer_.facets = std::move(*facets);
  return {};
}

Result<SearchAnswer> Searcher::search(const SearchRequest& request) {
  const auto started = Clock::now();
  if (text::is_blank(request.query) && !has_filters(request)) {
    return Error{Errc::invalid_argument, "Query required", "yore search WORDS"};
  }
  if (Status status = state_->refresh(); !status) return status.error();
  std::optional<TraceStep> parsing(std::in_place, "parse the question");
  SearchRun run(*state_, request);
  parsing.reset();
  auto answer = run.run();
  if (answer) answer->seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return answer;
}

}  // namespace yore::search
