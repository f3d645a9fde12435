#include <atomic>
#include <mutex>

#include "base/files/file.hpp"
#include "derive/embedder.hpp"
#include "derive/keyword_index.hpp"
#include "library/injected_source.hpp"
#include "library/scope.hpp"
#include "library/values.hpp"
#include "service/freshness.hpp"
#include "service/pool.hpp"
#include "yore/yore.hpp"

namespace yore {
namespace {

// A refresh is asked for: it may wait for a writer that is about to finish.
constexpr std::chrono::milliseconds kPatience{2000};
// Merging may go on in the next refresh.
constexpr std::uint64_t kMergeBytes = 256 << 20;

const std::atomic<bool> kNeverCancelled{false};

// What a Searcher or Reader was opened for.
struct Mark {
  std::uint64_t scope = 0;
  std::int64_t hour = 0;  // ages are counted from when it was opened
  friend bool operator==(const Mark&, const Mark&) = default;
};

Error not_indexed(const Error& error) {
  if (error.code != Errc::not_found) return error;
  return {Errc::not_found, "nothing is indexed yet", "call refresh() first"};
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

  std::mutex mutex;  // of what follows, down to the pools, which have their own
  config::Scope scope;
  std::uint64_t scope_number = 0;
  std::uint64_t sessions_known = 0;
  std::uint64_t sessions_indexed = 0;
  std::uint64_t behind_bytes = 0;

  service::Pool<search::Searcher, Mark> searchers;
  service::Pool<search::Reader, Mark> readers;

  Status resolve_scope() {
    auto store = store::Store::open_existing(settings.data_dir);
    if (!store) return store.error().code == Errc::not_found ? Status{} : Status(store.error());
    auto sessions = library::sessions_in_scope(*store, options);
    if (!sessions) return sessions.error();
    const std::lock_guard guard(mutex);
    scope.sessions = std::move(*sessions);
    ++scope_number;
    return {};
  }

  Result<RefreshReport> read_files();
  Result<RefreshReport> take_in_source();

  // Calls `ask` with one from the pool, or a new one.
  template <typename T, typename Ask>
  auto with(service::Pool<T, Mark>& pool, const Ask& ask) -> decltype(ask(std::declval<T&>())) {
    const config::World world = config::real_world();
    Mark mark{0, std::chrono::floor<std::chrono::hours>(world.now).time_since_epoch().count()};
    config::Scope wanted;
    {
      const std::lock_guard guard(mutex);
      mark.scope = scope_number;
      wanted = scope;
    }
    std::optional<T> one = pool.take(mark);
    if (!one) {
      auto opened = T::open(world, settings, wanted);
      if (!opened) return not_indexed(opened.error());
      one = std::move(*opened);
    }
    auto answer = ask(*one);
    pool.give(mark, std::move(*one));
    return answer;
  }
};

Result<Corpus> Corpus::open(CorpusOptions options) {
  if (Status status = check(options); !status) return status.error();
  const config::World world = config::real_world();
  auto state = std::make_shared<State>();
  if (options.source == nullptr) {
    auto settings = config::load_settings(world);
    if (!settings) return settings.error();
    state->settings = std::move(*settings);
  }
  if (!options.data_dir.empty()) {
    const std::string home = config::home_directory(world.env);
    state->settings.data_dir = absolute_path(expand_home(options.data_dir, home));
  }
  for (const std::string& text : options.sources) {
    if (const auto root = config::parse_source(text, world.env); !root) return root.error();
  }
  state->scope.sources = options.sources;
  state->options = std::move(options);
  if (Status made = make_directories(state->settings.data_dir); !made) return made.error();
  if (Status status = state->resolve_scope(); !status) return status.error();
  return Corpus(std::move(state));
}

Result<RefreshReport> Corpus::State::read_files() {
  service::FreshnessOptions wanted;
  wanted.unlimited = true;
  wanted.wait_for_writer = kPatience;
  config::Scope places;
  places.sources = options.sources;
  auto fresh = service::bring_up_to_date(config::real_world(), settings, places, wanted, {},
                                         kNeverCancelled);
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
  const std::lock_guard guard(state.mutex);
  state.sessions_known = report->sessions_known;
  state.sessions_indexed = report->sessions_known - report->sessions_behind;
  state.behind_bytes = report->behind_bytes;
  return report;
}

Result<std::uint64_t> Corpus::embed(std::size_t max_passages) {
  derive::EmbedOptions wanted;
  wanted.max_texts = max_passages;
  const auto done =
      derive::embed(config::real_world(), state_->settings, wanted, {}, kNeverCancelled);
  if (!done) return not_indexed(done.error());
  return done->waiting;
}

Result<SearchResults> Corpus::search(const SearchQuery& query) const {
  if (query.limit == 0) return Error{Errc::invalid_argument, "limit: want at least 1"};
  State& state = *state_;
  const search::SearchRequest request = library::to_request(query, state.options);
  auto answer = state.with(state.searchers, [&](search::Searcher& searcher) {
    {
      const std::lock_guard guard(state.mutex);
      searcher.set_coverage(state.sessions_known, state.sessions_indexed, state.behind_bytes);
    }
    return searcher.search(request);
  });
  if (!answer) return answer.error();
  return library::from_answer(std::move(*answer));
}

Result<SessionList> Corpus::list(const ListQuery& query) const {
  const search::ListFilter filter = library::to_filter(query);
  auto answer =
      state_->with(state_->readers, [&](search::Reader& reader) { return reader.list(filter); });
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
  auto answer =
      state_->with(state_->readers, [&](search::Reader& reader) -> Result<search::ReadAnswer> {
        const auto session = reader.find_session(session_id);
        if (!session) return session.error();
        return reader.read(*session, offset, limit);
      });
  if (!answer) return answer.error();
  return library::from_answer(std::move(*answer));
}

}  // namespace yore
