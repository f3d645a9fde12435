#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

#include "base/files/file.hpp"
#include "derive/embedder.hpp"
#include "derive/keyword_index.hpp"
#include "library/injected_source.hpp"
#include "library/scope.hpp"
#include "library/values.hpp"
#include "service/access.hpp"
#include "service/index_notes.hpp"
#include "yore/yore.hpp"

namespace yore {
namespace {

// A refresh is asked for: it may wait for a writer that is about to finish.
constexpr std::chrono::milliseconds kPatience{2000};
// Merging may go on in the next refresh.
constexpr std::uint64_t kMergeBytes = 256 << 20;

const std::atomic<bool> kNeverCancelled{false};

Error nothing_indexed() {
  return {Errc::not_found, "nothing is indexed yet", "call refresh() first"};
}

template <typename Answer>
Result<Answer> answer_of(Result<service::Asked<Answer>> asked) {
  if (!asked) return asked.error();
  if (!asked->answer) return nothing_indexed();
  return std::move(*asked->answer);
}

Status check(const CorpusOptions& options) {
  if (options.source == nullptr) return {};
  if (options.data_dir.empty()) {
    return Error{Errc::invalid_argument, "data_dir: a corpus with its own source needs its own"};
  }
  if (!options.sources.empty()) {
    return Error{Errc::invalid_argument, "sources: not together with a source of its own"};
  }
  return {};
}

}  // namespace

struct Corpus::State {
  CorpusOptions options;
  config::Settings settings;
  std::mutex refreshing;

  service::IndexAccess access;

  State(CorpusOptions wanted, config::Settings found)
      : options(std::move(wanted)),
        settings(std::move(found)),
        access({.settings = settings,
                .scope = places(),
                .rebuild =
                    [](auto& damaged) {
                      return derive::build_discarded_keywords(damaged.settings().data_dir,
                                                              kPatience, kNeverCancelled);
                    },
                .reveal = !options.mask_secrets}) {}

  [[nodiscard]] config::Scope places() const {
    config::Scope scope;
    scope.sources = options.sources;
    return scope;
  }

  Status resolve_scope() {
    auto store = store::Store::open_existing(settings.data_dir);
    if (!store) return store.error().code == Errc::not_found ? Status{} : Status(store.error());
    config::Scope scope = places();
    auto sessions = library::sessions_in_scope(*store, options);
    if (!sessions) return sessions.error();
    scope.sessions = std::move(*sessions);
    access.set_scope(std::move(scope));
    return {};
  }

  Result<RefreshReport> read_files();
  Result<RefreshReport> take_in_source();
};

Result<Corpus> Corpus::open(CorpusOptions options) {
  if (Status status = check(options); !status) return status.error();
  const config::World world = config::real_world();
  config::Settings settings;
  if (options.source == nullptr) {
    auto loaded = config::load_settings(world);
    if (!loaded) return loaded.error();
    settings = std::move(*loaded);
  }
  if (!options.data_dir.empty()) {
    const std::string home = config::home_directory(world.env);
    settings.data_dir = absolute_path(expand_home(options.data_dir, home));
  }
  for (const std::string& text : options.sources) {
    if (const auto root = config::parse_source(text, *settings.agents, world.env); !root) {
      return root.error();
    }
  }
  auto state = std::make_shared<State>(std::move(options), std::move(settings));
  if (Status made = make_directories(state->settings.data_dir); !made) return made.error();
  if (Status status = state->resolve_scope(); !status) return status.error();
  return Corpus(std::move(state));
}

Result<RefreshReport> Corpus::State::read_files() {
  service::FreshnessOptions wanted;
  wanted.unlimited = true;
  wanted.wait_for_writer = kPatience;
  wanted.reach = ingest::Reach::everywhere;
  auto fresh = access.refresh(wanted, {}, kNeverCancelled);
  if (!fresh) return fresh.error();
  RefreshReport report;
  report.sessions_known = fresh->files_known;
  report.sessions_read = fresh->sessions_read;
  report.sessions_behind = fresh->files_known - fresh->files_indexed;
  report.behind_bytes = fresh->behind_bytes;
  report.notes = std::move(fresh->notes);
  return report;
}

Result<RefreshReport> Corpus::State::take_in_source() {
  auto taken = ingest::take_in(settings.data_dir, library::intake_of(*options.source), kPatience,
                               kNeverCancelled);
  if (!taken) return taken.error();
  RefreshReport report;
  report.sessions_known = taken->sessions_known;
  report.sessions_read = taken->sessions_read;
  report.sessions_removed = taken->sessions_removed;
  report.sessions_behind = taken->sessions_behind;
  report.notes = std::move(taken->troubles);
  return report;
}

Result<RefreshReport> Corpus::refresh() {
  State& state = *state_;
  const std::lock_guard alone(state.refreshing);
  auto report = state.options.source == nullptr ? state.read_files() : state.take_in_source();
  if (!report) return report.error();
  const Status merged =
      derive::merge_keywords(state.settings.data_dir, kMergeBytes, kNeverCancelled);
  if (!merged) report->notes.push_back(merged.error().message);
  if (Status status = state.resolve_scope(); !status) return status.error();
  state.access.set_coverage({report->sessions_known,
                             report->sessions_known - report->sessions_behind,
                             report->behind_bytes});
  return report;
}

Result<std::uint64_t> Corpus::embed(std::size_t max_passages) {
  derive::EmbedOptions wanted;
  wanted.max_texts = max_passages;
  const auto done =
      derive::embed(config::real_world(), state_->settings, wanted, {}, kNeverCancelled);
  if (!done && done.error().code == Errc::not_found) return nothing_indexed();
  if (!done) return done.error();
  return done->waiting;
}

Result<SearchResults> Corpus::search(const SearchQuery& query) const {
  if (query.limit == 0) return Error{Errc::invalid_argument, "limit: want at least 1"};
  if (library::asks_nothing(query)) {
    return Error{Errc::invalid_argument, "Query required", "words, or something that narrows"};
  }
  State& state = *state_;
  auto asked = state.access.search(library::to_request(query, state.options));
  const bool healed = asked && asked->damaged;
  auto answer = answer_of(std::move(asked));
  if (!answer) return answer.error();
  if (healed) answer->notes.emplace_back(service::kBuiltAgain);
  return library::from_answer(std::move(*answer));
}

Result<SessionList> Corpus::list(const ListQuery& query) const {
  const search::ListFilter filter = library::to_filter(query);
  auto answer = answer_of(
      state_->access.with_reader([&](search::Reader& reader) { return reader.list(filter); }));
  if (!answer) return answer.error();
  SessionList list;
  for (store::SessionRow& row : answer->sessions) {
    list.sessions.push_back(library::from_row(std::move(row)));
  }
  list.more = answer->more;
  return list;
}

Result<Conversation> Corpus::read(const std::string& session_id, std::uint32_t offset,
                                  std::uint32_t limit) const {
  auto answer = answer_of(state_->access.read(session_id, offset, limit));
  if (!answer) return answer.error();
  return library::from_answer(std::move(*answer));
}

struct TurnWalk::State {
  std::shared_ptr<Corpus::State> corpus;  // shared: the walk may outlive the handle
  search::WalkFilter filter;
  bool include_full = false;
  std::vector<store::SessionId> sessions;  // in the order of the walk
  std::size_t session = 0;                 // the one that is walked
  turns::TurnNumber from = 0;              // its next turn
  store::SessionRow row;                   // of it
  std::deque<search::WalkedTurn> ready;    // of it, read and not yet given
  std::mutex alone;                        // two threads of a script may share a walk

  // Reads on until there is a turn to give, or nothing is left.
  Status fill() {
    while (ready.empty() && session < sessions.size()) {
      auto page = answer_of(corpus->access.with_reader([&](search::Reader& reader) {
        return search::walk_page(reader, sessions[session], from, filter);
      }));
      if (!page) return page.error();
      row = std::move(page->session);
      for (search::WalkedTurn& turn : page->turns) ready.push_back(std::move(turn));
      from = page->next.value_or(0);
      if (!page->next) ++session;
    }
    return {};
  }
};

Result<std::optional<TurnRecord>> TurnWalk::next() {
  State& state = *state_;
  const std::lock_guard guard(state.alone);
  if (Status status = state.fill(); !status) return status.error();
  if (state.ready.empty()) return std::optional<TurnRecord>{};
  TurnRecord record =
      library::from_turn(std::move(state.ready.front()), state.row, state.include_full);
  state.ready.pop_front();
  return std::optional<TurnRecord>(std::move(record));
}

Result<TurnWalk> Corpus::turns(const TurnScope& scope) const {
  auto state = std::make_shared<TurnWalk::State>();
  state->corpus = state_;
  state->filter = library::to_filter(scope, state_->options);
  state->include_full = scope.include_full || state_->options.include_full;
  auto sessions = answer_of(state_->access.with_reader(
      [&](search::Reader& reader) { return search::sessions_to_walk(reader, state->filter); }));
  if (!sessions) return sessions.error();
  state->sessions = std::move(*sessions);
  return TurnWalk(std::move(state));
}

}  // namespace yore
