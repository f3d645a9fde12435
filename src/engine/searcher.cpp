#include "engine/searcher.hpp"

#include <algorithm>
#include <chrono>

#include "base/file.hpp"
#include "engine/agent_names.hpp"
#include "engine/keyword_index.hpp"
#include "engine/query.hpp"
#include "engine/ranker.hpp"
#include "engine/reader.hpp"
#include "engine/search_filter.hpp"
#include "engine/search_page.hpp"
#include "engine/search_terms.hpp"
#include "lexical/snapshot.hpp"
#include "text/utf8.hpp"

namespace yore::engine {
namespace {

using Clock = std::chrono::steady_clock;
using ranking::Standing;

constexpr std::size_t kMinCandidates = 64;
constexpr std::size_t kMaxCandidates = 1 << 16;
constexpr std::int64_t kMsPerHour = 3'600'000;
constexpr std::size_t kLeastIdDigits = 8;
constexpr std::size_t kMaxChunkDigits = 12;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Could it be meant as the id of a session or a chunk? Words of a question are not looked up.
bool looks_like_id(std::string_view text) {
  if (text.size() < kLeastIdDigits || text.find(' ') != std::string_view::npos) return false;
  return std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; }) &&
         std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  c == '-' || c == ':' || c == '/' || c == '_' || c == '.';
         });
}

// Is it the id of this session, with or without "agent:" in front?
bool is_session(std::string_view uid, std::string_view id) {
  if (!uid.ends_with(id)) return false;
  return uid.size() == id.size() || uid[uid.size() - id.size() - 1] == ':';
}

}  // namespace

std::string_view mode_name(SearchMode mode) {
  switch (mode) {
    case SearchMode::hybrid:
      return "hybrid";
    case SearchMode::keyword:
      return "keyword";
    case SearchMode::semantic:
      return "semantic";
  }
  return "";
}

struct Searcher::State {
  World world;
  std::string keywords;  // directory
  Reader reader;
  std::shared_ptr<const lexical::Snapshot> snapshot;
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  Coverage coverage;

  // The newest publication.
  Status refresh() {
    if (snapshot != nullptr && lexical::is_current(keywords, snapshot->generation())) return {};
    auto opened = lexical::Snapshot::open(keywords, snapshot);
    if (!opened) return opened.error();
    // Its sessions may lie in roots that were not known before.
    if (Status status = reader.refresh(); !status) return status;
    snapshot = std::move(*opened);
    return {};
  }
  Result<std::vector<std::string>> session_uids(const SearchRequest& request,
                                                const ParsedQuery& query);
  [[nodiscard]] std::vector<std::string> notes_on(const std::vector<std::string>& agents) const;
  [[nodiscard]] bool is_visible(const lexical::TurnRow& row) const;
  [[nodiscard]] std::vector<lexical::TurnOrd> turns_with_chunk(std::string_view prefix) const;
  std::vector<lexical::TurnOrd> turns_named(std::string_view id);
  std::vector<Judged> collect(lexical::Search& search, const SearchRequest& request,
                              bool session_named, RankOptions options, ranking::Page& page);
  [[nodiscard]] Standing standing(lexical::TurnOrd turn, const SearchRequest& request) const;
};

Searcher::Searcher(std::unique_ptr<State> state) : state_(std::move(state)) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

Result<Searcher> Searcher::open(const World& world, const Settings& settings, const Scope& scope) {
  auto reader = Reader::open(world, settings, scope);
  if (!reader) return reader.error();
  std::unique_ptr<State> state(new State{
      world, keyword_directory(settings.data_dir), std::move(*reader), nullptr, {}, {}, {}});
  if (Status status = state->refresh(); !status) return status.error();
  return Searcher(std::move(state));
}

Status Searcher::refresh() {
  return state_->refresh();
}

void Searcher::set_coverage(std::uint64_t files_known, std::uint64_t files_indexed,
                            std::uint64_t behind_bytes) {
  state_->coverage.files_known = files_known;
  state_->coverage.files_indexed = files_indexed;
  state_->coverage.behind_bytes = behind_bytes;
}

Result<std::vector<std::string>> Searcher::State::session_uids(const SearchRequest& request,
                                                               const ParsedQuery& query) {
  std::vector<std::string> uids;
  std::vector<std::string> wanted = query.sessions;
  if (!request.session.empty()) wanted.push_back(request.session);
  for (const std::string& id : wanted) {
    auto session = reader.find_session(id);
    if (!session) return session.error();
    uids.push_back(std::move(session->uid));
  }
  return uids;
}

std::vector<std::string> Searcher::State::notes_on(const std::vector<std::string>& agents) const {
  if (agents.empty()) return {};
  const lexical::Catalog& catalog = snapshot->catalog();
  std::vector<std::string_view> present;
  for (const lexical::SessionRow& row : catalog.sessions()) {
    const std::string_view agent = catalog.name(row.agent);
    const bool gone = (row.flags & lexical::kSessionGone) != 0;
    if (!gone && std::ranges::find(present, agent) == present.end()) present.push_back(agent);
  }
  return notes_on_agents(agents, present);
}

bool Searcher::State::is_visible(const lexical::TurnRow& row) const {
  const lexical::Catalog& catalog = snapshot->catalog();
  const lexical::SessionRow& session = catalog.sessions()[row.session];
  return (row.flags & lexical::kTurnGone) == 0 &&
         reader.scope().allows(store::SessionId{session.store_id}, store::RootId{session.root},
                               catalog.name(session.directory));
}

std::vector<lexical::TurnOrd> Searcher::State::turns_with_chunk(std::string_view prefix) const {
  std::vector<lexical::TurnOrd> turns;
  if (prefix.size() > kMaxChunkDigits || !is_hex(prefix)) return turns;
  const std::vector<lexical::TurnRow>& rows = snapshot->catalog().turns();
  for (lexical::TurnOrd ord = 0; ord < rows.size(); ++ord) {
    if (chunk_text(rows[ord].chunk).starts_with(prefix) && is_visible(rows[ord])) {
      turns.push_back(ord);
    }
  }
  return turns;
}

// Turns that the query itself names: a chunk, or the first turn of a session.
std::vector<lexical::TurnOrd> Searcher::State::turns_named(std::string_view id) {
  if (!looks_like_id(id)) return {};
  std::vector<lexical::TurnOrd> turns = turns_with_chunk(id);
  if (turns.size() == 1) return turns;
  turns.clear();
  const auto session = reader.find_session(id);
  if (!session) return turns;
  const lexical::Catalog& catalog = snapshot->catalog();
  for (lexical::TurnOrd ord = 0; ord < catalog.turns().size(); ++ord) {
    const lexical::TurnRow& row = catalog.turns()[ord];
    const bool first = row.number == 0 && catalog.sessions()[row.session].store_id ==
                                              static_cast<std::int64_t>(session->id);
    if (first && is_visible(row)) turns.push_back(ord);
  }
  return turns;
}

Standing Searcher::State::standing(lexical::TurnOrd turn, const SearchRequest& request) const {
  const lexical::Catalog& catalog = snapshot->catalog();
  const lexical::TurnRow& row = catalog.turns()[turn];
  const lexical::SessionRow& session = catalog.sessions()[row.session];
  const std::string_view uid = catalog.name(session.uid);
  if (!request.current_session.empty()) {
    const bool own = is_session(uid, request.current_session) ||
                     is_session(catalog.name(session.parent), request.current_session);
    if (own) return Standing::current;
  }
  if (!request.subagents && (session.flags & lexical::kSessionSubagent) != 0) {
    return Standing::subagent;
  }
  const bool machine = (session.flags & lexical::kSessionMachineMade) != 0 ||
                       (row.flags & lexical::kTurnMachineMade) != 0;
  return machine && !request.automated ? Standing::automated : Standing::shown;
}

// Ranks, and doubles the candidates while hidden ones and caps leave the page short.
std::vector<Judged> Searcher::State::collect(lexical::Search& search, const SearchRequest& request,
                                             bool session_named, RankOptions options,
                                             ranking::Page& page) {
  const std::vector<lexical::TurnOrd> named = turns_named(text::trim(request.query));
  const std::size_t per_session = session_named ? 0 : request.per_session;
  while (true) {
    std::vector<Judged> judged = rank(search, *snapshot, options);
    const bool all = judged.size() < options.candidates;
    if (request.sort == SortBy::time) {
      std::ranges::stable_sort(judged, std::greater{},
                               [](const Judged& each) { return each.evidence.last_time_ms; });
    }
    for (const lexical::TurnOrd turn : named) {
      std::erase_if(judged, [&](const Judged& each) { return each.candidate.turn == turn; });
      Judged first;
      first.candidate.turn = turn;
      first.by_id = true;
      first.score.total = judged.empty() ? 1 : judged.front().score.total;
      judged.insert(judged.begin(), std::move(first));
    }
    std::vector<ranking::Ranked> ranked;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const lexical::TurnOrd turn = judged[i].candidate.turn;
      const bool asked_for = session_named || judged[i].by_id;
      ranked.push_back({i, asked_for ? Standing::shown : standing(turn, request),
                        snapshot->catalog().turns()[turn].session});
    }
    page = ranking::fill_page(ranked, request.limit, per_session);
    const bool short_page = page.candidates.size() < request.limit;
    if (!short_page || all || options.candidates >= kMaxCandidates) return judged;
    options.candidates *= 2;
  }
}

Result<SearchAnswer> Searcher::search(const SearchRequest& request) {
  const auto started = Clock::now();
  State& state = *state_;
  if (text::trim(request.query).empty()) {
    return Error{Errc::invalid_argument, "Query required", "yore search WORDS"};
  }
  if (Status status = state.refresh(); !status) return status.error();
  SearchAnswer answer;
  answer.query = request.query;
  answer.mode = SearchMode::keyword;
  answer.coverage = state.coverage;
  answer.incomplete = !state.snapshot->covers().details_complete;
  for (const auto family : {lexical::Family::conversation, lexical::Family::detail}) {
    answer.coverage.passages += state.snapshot->stats(family).documents;
  }
  if (!state.snapshot->covers().details_complete) {
    answer.notes.emplace_back("Tool output and thinking are still being indexed.");
  }

  const ParsedQuery query = parse_query(request.query);
  for (const std::string& hint : query.hints) answer.notes.push_back(hint);
  for (const auto* agents : {&request.agents, &query.agents}) {
    for (std::string& note : state.notes_on(*agents)) answer.notes.push_back(std::move(note));
  }
  const SearchTerms terms = make_terms(query, state.analyzer, state.stemmer);
  const auto surfaces = choose_surfaces(request.types, request.surfaces);
  if (!surfaces) return surfaces.error();
  auto uids = state.session_uids(request, query);
  if (!uids) return uids.error();
  const bool session_named = !uids->empty();
  const auto allowed = allowed_turns(
      state.snapshot, {request, query, terms, state.reader.scope(), *surfaces, std::move(*uids)});
  if (!allowed && allowed.error().code == Errc::not_found && !request.projects_must_exist) {
    answer.notes.push_back(allowed.error().message + ".");
    return answer;
  }
  if (!allowed) return allowed.error();
  auto search = lexical::Search::prepare(state.snapshot, terms.scored);
  if (!search) return search.error();

  RankOptions options;
  options.selection.weights = surfaces->weights;
  options.selection.on_the_way = surfaces->on_the_way;
  options.selection.allowed = *allowed ? &**allowed : nullptr;
  options.candidates = std::max(kMinCandidates, 4 * request.limit);
  options.now_ms = to_ms(request.now.value_or(state.world.now)) / kMsPerHour * kMsPerHour;
  options.half_life_days = request.half_life_days;
  ranking::Page page;
  const std::vector<Judged> judged = state.collect(*search, request, session_named, options, page);

  const PageTools tools{state.reader.store(), *state.snapshot, state.analyzer, state.stemmer};
  std::vector<lexical::TurnOrd> turns;
  for (const std::size_t index : page.candidates) turns.push_back(judged[index].candidate.turn);
  const std::vector<TurnFacts> facts = facts_of(state.snapshot->catalog(), turns);
  for (std::size_t i = 0; i < page.candidates.size(); ++i) {
    const std::size_t index = page.candidates[i];
    auto hit = make_hit(tools, judged[index], facts[i], request, terms.matched);
    if (!hit && hit.error().code == Errc::not_found) continue;
    if (!hit) return hit.error();
    hit->rank = answer.hits.size() + 1;
    if (request.explain) hit->explain = explain(judged[index], *search);
    answer.hits.push_back(std::move(*hit));
  }
  double best = 0;
  for (const Hit& hit : answer.hits) best = std::max(best, hit.score);
  for (Hit& hit : answer.hits) {
    hit.percent = best > 0 ? static_cast<int>(hit.score / best * 100 + 0.5) : 100;
  }
  answer.more = page.more;
  answer.hidden = {page.subagents, page.automated, page.current};
  answer.matched = terms.matched;
  answer.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return answer;
}

Result<ChunkAnswer> Searcher::chunk(std::string_view id, std::uint32_t neighbours) {
  State& state = *state_;
  if (Status status = state.refresh(); !status) return status.error();
  constexpr std::size_t kLeastDigits = 4;
  const lexical::Catalog& catalog = state.snapshot->catalog();
  std::vector<lexical::TurnOrd> found;
  if (id.size() >= kLeastDigits) found = state.turns_with_chunk(id);
  if (found.empty()) return Error{Errc::not_found, "Unknown chunk: " + std::string(id)};
  if (found.size() > 1) {
    std::string hint;
    for (const lexical::TurnOrd ord : found) {
      const lexical::TurnRow& row = catalog.turns()[ord];
      hint += (hint.empty() ? "" : "\n") + chunk_text(row.chunk) + "  " +
              std::string(catalog.name(catalog.sessions()[row.session].uid)) + " turn " +
              std::to_string(row.number);
    }
    return Error{Errc::ambiguous, "'" + std::string(id) + "' names several chunks", hint};
  }
  const lexical::TurnRow& row = catalog.turns()[found.front()];
  auto session =
      state.reader.store().session(store::SessionId{catalog.sessions()[row.session].store_id});
  if (!session) return session.error();
  if (!*session) return Error{Errc::not_found, "Unknown chunk: " + std::string(id)};
  ChunkAnswer answer;
  answer.turn_number = row.number;
  answer.chunk_id = chunk_text(row.chunk);
  const std::uint32_t first = row.number - std::min(row.number, neighbours);
  auto read = state.reader.read(**session, first, row.number - first + 1 + neighbours);
  if (!read) return read.error();
  answer.turns = std::move(read->turns);
  answer.source_missing = read->source_missing;
  answer.session = std::move(**session);
  return answer;
}

}  // namespace yore::engine
