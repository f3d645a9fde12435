#include "search/searcher.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/trace.hpp"
#include "derive/keyword_index.hpp"
#include "search/query.hpp"
#include "search/searcher_state.hpp"
#include "search/session_id.hpp"

namespace yore::search {
namespace {

constexpr std::size_t kMaxChunkDigits = 12;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, ascii::is_lower_hex);
}

}  // namespace

Status Searcher::State::refresh() {
  if (snapshot != nullptr && lexical::is_current(keywords, snapshot->generation())) return {};
  TraceStep step("open the keyword index", keywords);
  auto opened = lexical::Snapshot::open(keywords, snapshot);
  if (!opened) return opened.error();
  step.add_bytes((*opened)->bytes_on_disk());
  // Its sessions may lie in roots that were not known before.
  if (Status status = reader.refresh(); !status) return status;
  snapshot = std::move(*opened);
  return {};
}

Searcher::Searcher(std::unique_ptr<State> state) : state_(std::move(state)) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

Result<Searcher> Searcher::open(const config::World& world, const config::Settings& settings,
                                const config::Scope& scope, derive::WarmHandles opened) {
  auto reader = Reader::open(world, settings, scope, std::move(opened.store));
  if (!reader) return reader.error();
  std::unique_ptr<State> state(new State{world,
                                         derive::keyword_directory(settings.data_dir),
                                         std::move(*reader),
                                         std::move(opened.keywords),
                                         {},
                                         {},
                                         SemanticSearch(world, settings)});
  if (Status status = state->refresh(); !status) return status.error();
  return Searcher(std::move(state));
}

bool has_filters(const SearchRequest& request) {
  const bool lists = !request.projects.empty() || !request.exclude.empty() ||
                     !request.agents.empty() || !request.types.empty() ||
                     !request.surfaces.empty() || !request.tags.empty();
  const bool texts = !request.session.empty() || !request.branch.empty() ||
                     !request.model.empty() || !request.file.empty() || !request.tool.empty() ||
                     !request.folder.empty();
  return lists || texts || request.since || request.until || request.has_tool || request.starred ||
         request.superseded;
}

bool is_filters_alone(const SearchRequest& request) {
  return has_no_words(parse_query(request.query));
}

Status Searcher::refresh() {
  return state_->refresh();
}

bool Searcher::State::is_visible(const lexical::TurnRow& row) const {
  const lexical::Catalog& catalog = snapshot->catalog();
  const lexical::CatalogSession& session = catalog.sessions()[row.session];
  return (row.flags & lexical::kTurnGone) == 0 &&
         reader.scope().allows(store::SessionId{session.store_id}, store::RootId{session.root},
                               catalog.name(session.directory));
}

std::vector<lexical::TurnOrd> Searcher::State::turns_with_chunk(std::string_view prefix) const {
  std::vector<lexical::TurnOrd> turns;
  if (prefix.size() > kMaxChunkDigits || !is_hex(prefix)) return turns;
  const lexical::Rows<lexical::TurnRow>& rows = snapshot->catalog().turns();
  for (lexical::TurnOrd ord = 0; ord < rows.size(); ++ord) {
    if (turns::chunk_text(rows[ord].chunk).starts_with(prefix) && is_visible(rows[ord])) {
      turns.push_back(ord);
    }
  }
  return turns;
}

std::vector<lexical::TurnOrd> Searcher::State::turns_moved(std::string_view prefix) {
  const auto place = reader.store().moved_chunk(prefix);
  if (!place || !*place) return {};
  const auto session = static_cast<std::int64_t>((*place)->first);
  const lexical::Catalog& catalog = snapshot->catalog();
  for (lexical::TurnOrd ord = 0; ord < catalog.turns().size(); ++ord) {
    const lexical::TurnRow& row = catalog.turns()[ord];
    const bool there = row.number == (*place)->second &&
                       catalog.sessions()[row.session].store_id == session && is_visible(row);
    if (there) return {ord};
  }
  return {};
}

Result<ChunkAnswer> Searcher::chunk(std::string_view id, std::uint32_t neighbours,
                                    turns::Detail detail) {
  State& state = *state_;
  if (Status status = state.refresh(); !status) return status.error();
  constexpr std::size_t kLeastDigits = 4;
  const lexical::Catalog& catalog = state.snapshot->catalog();
  std::vector<lexical::TurnOrd> found;
  if (id.size() >= kLeastDigits) found = state.turns_with_chunk(id);
  if (found.empty() && id.size() >= kLeastDigits && is_hex(id)) found = state.turns_moved(id);
  if (found.empty()) return Error{Errc::not_found, "Unknown chunk: " + std::string(id)};
  if (found.size() > 1) {
    std::string hint;
    for (const lexical::TurnOrd ord : found) {
      const lexical::TurnRow& row = catalog.turns()[ord];
      hint += (hint.empty() ? "" : "\n") + turns::chunk_text(row.chunk) + "  " +
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
  answer.chunk_id = turns::chunk_text(row.chunk);
  answer.chunk = row.chunk;
  answer.origin = row.origin;
  const std::uint32_t first = row.number - std::min(row.number, neighbours);
  auto read = state.reader.read(**session, first, row.number - first + 1 + neighbours, detail);
  if (!read) return read.error();
  answer.turns = std::move(read->turns);
  answer.source_missing = read->source_missing;
  answer.superseded = read->superseded;
  answer.session = std::move(**session);
  const auto marks = state.reader.marks();
  if (!marks) return marks.error();
  answer.marks = marks->on_turn(row.origin, row.chunk);
  answer.marks.include(marks->on_session(edition_base(answer.session.uid)));
  return answer;
}

}  // namespace yore::search
