#include "service/keeper.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "base/publication.hpp"
#include "base/trace.hpp"
#include "base/watch/watch.hpp"
#include "derive/background_embedder.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/archiving.hpp"
#include "ingest/scan_cache.hpp"
#include "service/freshness.hpp"
#include "service/keeper_report.hpp"

namespace yore::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The first build goes by parts, each of which can be searched: a small one, then larger ones.
constexpr std::uint64_t kFirstPartBytes = 16U << 20;
constexpr std::uint64_t kPartGrowth = 4;
// How often a keeper with nothing to do looks whether others have changed the table of files.
constexpr milliseconds kHeartbeat{2000};
// And whether something changed that nobody told it.
constexpr std::chrono::minutes kSweep{10};
constexpr milliseconds kFirstRetry{250};
constexpr milliseconds kLongestRetry{60'000};
// After work the keeper rests three times as long, so that a file written all day costs a quarter
// of one core at most.
constexpr int kRestPerWork = 3;
constexpr milliseconds kLongestRest{2000};
constexpr milliseconds kProgressEvery{200};
constexpr std::uint64_t kMergeBytes = 256U << 20;

}  // namespace

struct Keeper::State {
  config::World world;
  config::Settings settings;
  config::Scope scope;
  KeeperOptions options;
  const Clock::time_point started = Clock::now();
  const Time start_time;

  std::atomic<bool> cancel{false};
  std::atomic<bool> keeping{false};
  std::mutex mutex;  // over `watcher` while stop() may wake it
  std::condition_variable_any rested;
  std::optional<Watcher> watcher;
  std::jthread thread;

  // Used by the keeper's thread alone.
  std::optional<derive::BackgroundEmbedder> embedder;
  KeeperReport report;
  Clock::time_point last_progress;
  std::set<std::string, std::less<>> watched;
  FileStamp table_stamp;
  Clock::time_point next_sweep;
  bool merge_due = false;
  std::shared_ptr<const lexical::Snapshot> keywords;  // while lines keep coming: opens quicker
  milliseconds backoff{0};                            // after failures; 0: all is well
  Clock::time_point retry_at = Clock::time_point::max();

  State(config::World w, config::Settings s, config::Scope sc, KeeperOptions o)
      : world(std::move(w)),
        settings(std::move(s)),
        scope(std::move(sc)),
        options(o),
        start_time(world.now) {}

  [[nodiscard]] Time time_now() const {
    return start_time + std::chrono::duration_cast<milliseconds>(Clock::now() - started);
  }
  void run(const std::stop_token& stop);
  void keep(const std::stop_token& stop);
  void build(const std::stop_token& stop);
  void work(const Changes& changes);
  Result<Freshness> refresh(FreshnessOptions how);
  bool watch_more();
  bool table_changed() const;
  bool keywords_lost() const;
  void merge();
  void archive();
  void fail(const Error& error);
  void rest(const std::stop_token& stop, Clock::duration worked);
  void publish() { write_keeper_report(settings.data_dir, report, *world.files); }
};

Keeper::Keeper(config::World world, config::Settings settings, config::Scope scope,
               KeeperOptions options)
    : state_(std::make_unique<State>(std::move(world), std::move(settings), std::move(scope),
                                     options)) {}

Keeper::~Keeper() {
  State& state = *state_;
  state.cancel = true;
  if (!state.thread.joinable()) return;
  state.thread.request_stop();  // ends a wait for the lock and a rest
  {
    const std::lock_guard lock(state.mutex);
    if (state.watcher) state.watcher->wake();
  }
  state.thread.join();
}

void Keeper::start() {
  state_->thread =
      std::jthread([state = state_.get()](const std::stop_token& stop) { state->run(stop); });
}

bool Keeper::keeps() const {
  return state_->keeping;
}

void Keeper::State::run(const std::stop_token& stop) {
  if (!make_directories(settings.data_dir)) return;
  // Sources that only this process was told of become known to whoever keeps.
  if (!scope.sources.empty()) {
    if (const auto registered = refresh({}); !registered) {
      Trace::failure("register the sources", registered.error());
    }
  }
  while (!stop.stop_requested()) {
    const auto lock = FileLock::wait(keeper_lock_path(settings.data_dir), stop);
    if (lock) return keep(stop);
    // The data directory may have been removed under us; nothing is lost by trying later.
    Trace::failure("make the data directory", make_directories(settings.data_dir));
    rest(stop, kLongestRest / kRestPerWork);
  }
}

void Keeper::State::keep(const std::stop_token& stop) {
  report.pid = static_cast<int>(::getpid());
  keeping = true;
  auto made = Watcher::start();
  {
    const std::lock_guard lock(mutex);
    if (made) watcher = std::move(*made);
  }
  if (!watcher) report.remark = made.error().message;
  publish();
  build(stop);
  embedder.emplace(world, settings, [this] { return time_now(); });
  embedder->look();
  while (!stop.stop_requested()) {
    Changes changes;
    const milliseconds longest = backoff.count() > 0 ? std::min(backoff, kHeartbeat) : kHeartbeat;
    auto heard = watcher ? watcher->wait(longest, options.debounce) : Result<Changes>(Changes{});
    if (heard) changes = std::move(*heard);
    if (!watcher || !heard) rest(stop, kHeartbeat / kRestPerWork);
    if (!watcher || !heard) changes.overflow = true;  // deaf: look at everything now and then
    if (stop.stop_requested()) break;
    const auto begun = Clock::now();
    work(changes);
    rest(stop, Clock::now() - begun);
  }
  embedder.reset();
  remove_keeper_report(settings.data_dir, *world.files);
  keeping = false;
}

// Watching comes before looking, so everything is looked at again until nothing new is watched.
void Keeper::State::build(const std::stop_token& stop) {
  const TraceStep step("keeper: first look");
  FreshnessOptions how;
  how.max_first_bytes = kFirstPartBytes;
  how.max_bytes = kFirstPartBytes;
  report.building = true;
  while (!stop.stop_requested()) {
    const auto fresh = refresh(how);
    if (!fresh || fresh->busy) break;  // tried again later
    how.max_bytes = how.max_first_bytes =
        how.max_bytes > UINT64_MAX / kPartGrowth ? UINT64_MAX : how.max_bytes * kPartGrowth;
    const bool grew = watch_more();
    if (fresh->behind_bytes == 0 && !grew) break;
    publish();
  }
  report.building = false;
  archive();
  next_sweep = Clock::now() + kSweep;
  merge_due = true;
  publish();
}

void Keeper::State::work(const Changes& changes) {
  const TraceStep step("keeper: work");
  const bool sweep = Clock::now() >= next_sweep;
  const bool others = table_changed() || keywords_lost();
  const bool again = Clock::now() >= retry_at;
  if (changes.none() && !sweep && !others && !again) {
    if (merge_due) merge();
    return;
  }
  FreshnessOptions how;
  how.max_bytes = UINT64_MAX;
  std::vector<std::string> paths = changes.files;
  paths.insert(paths.end(), changes.directories.begin(), changes.directories.end());
  const bool told = !changes.overflow && !sweep && !others && !again;
  if (told) how.changed = &paths;
  if (sweep) next_sweep = Clock::now() + kSweep;
  for (const std::string& directory : changes.directories) watched.erase(directory);
  auto fresh = refresh(how);
  // New directories are watched, then looked at: what came in between is found here.
  while (fresh && !fresh->busy && !cancel && (fresh->listed || !changes.directories.empty()) &&
         watch_more()) {
    how.changed = nullptr;
    fresh = refresh(how);
  }
  if (sweep) archive();
  publish();
}

Result<Freshness> Keeper::State::refresh(FreshnessOptions how) {
  how.look_budget = std::chrono::minutes{1};
  how.reach = ingest::Reach::everywhere;
  world.now = time_now();
  const ingest::OnProgress progress = [this](const ingest::IndexProgress& now) {
    if (!keeping || Clock::now() - last_progress < kProgressEvery) return;
    last_progress = Clock::now();
    if (now.sessions_known == 0) return;  // a run over a few files
    const std::uint64_t waiting =
        now.sessions_total - std::min(now.sessions_total, now.sessions_done);
    report.building = true;
    report.files_known = now.sessions_known;
    report.files_indexed =
        now.sessions_known - std::min(now.sessions_known, now.sessions_behind + waiting);
    report.behind_bytes =
        now.bytes_behind + now.bytes_total - std::min(now.bytes_total, now.bytes_done);
    publish();
  };
  how.previous = keywords;
  auto fresh = bring_up_to_date(world, settings, scope, how, progress, cancel);
  if (!fresh) {
    if (!cancel) fail(fresh.error());
    return fresh;
  }
  if (fresh->busy) {
    retry_at = Clock::now() + kFirstRetry;
    backoff = kFirstRetry;
    return fresh;
  }
  retry_at = Clock::time_point::max();
  backoff = milliseconds{0};
  if (fresh->opened.keywords) keywords = std::move(fresh->opened.keywords);
  merge_due = merge_due || fresh->sessions_read > 0;
  if (embedder && fresh->sessions_read > 0) embedder->look();
  report.building = fresh->behind_bytes > 0;
  static_cast<store::FileCoverage&>(report) = *fresh;
  report.remark.clear();
  if (const auto stamp = stat_file(ingest::ScanCache::path(settings.data_dir)))
    table_stamp = *stamp;
  return fresh;
}

// Has another process looked everywhere, or registered a root?
bool Keeper::State::table_changed() const {
  const auto stamp = stat_file(ingest::ScanCache::path(settings.data_dir));
  return stamp && *stamp != table_stamp;
}

// A damaged index is given up by whoever finds it so; see discard_keywords().
bool Keeper::State::keywords_lost() const {
  return !is_regular_file(manifest_path(derive::keyword_directory(settings.data_dir)));
}

// False: everything was watched already.
bool Keeper::State::watch_more() {
  if (!watcher) return false;
  const auto table = ingest::ScanCache::load(settings.data_dir);
  if (!table) return false;
  const std::vector<std::string> wanted = table->directories();
  bool more = false;
  for (const std::string& directory : wanted) {
    if (watched.contains(directory)) continue;
    if (!watcher->watch(directory)) continue;  // gone again
    watched.insert(directory);
    more = true;
  }
  std::erase_if(watched, [&](const std::string& directory) {
    const bool needed = std::ranges::binary_search(wanted, directory);
    if (!needed) watcher->forget(directory);
    return !needed;
  });
  const WatchState state = watcher->describe();
  report.watched = state.watched;
  report.polled = state.polled;
  if (state.polled > 0) report.remark = state.reason;
  return more;
}

void Keeper::State::merge() {
  merge_due = false;
  // What is not merged now is merged after the next change.
  [[maybe_unused]] const Status merged = derive::merge_keywords(
      settings.data_dir, kMergeBytes, cancel, {.previous = keywords, .files = world.files});
  keywords.reset();  // it is quiet: nobody needs the memory and the files that were replaced
}

// Keeps the originals of what its agent is about to delete.
void Keeper::State::archive() {
  if (!settings.archive_auto || cancel) return;
  auto store = store::Store::open_existing(settings.data_dir);
  if (!store) return;
  const auto expiring = ingest::expiring_sessions(world, settings, *store, ingest::kWarnBefore);
  if (!expiring) return Trace::failure("look what expires", expiring.error());
  std::vector<store::SessionRow> sessions;
  for (const ingest::Expiring& each : *expiring) {
    if (!each.kept) sessions.push_back(each.session);
  }
  if (sessions.empty()) return;
  const auto kept = ingest::archive_sessions(world, settings, *store, sessions, cancel);
  if (!kept) Trace::failure("archive", kept.error());
}

void Keeper::State::fail(const Error& error) {
  Trace::failure("keep the index fresh", error);
  report.remark = error.message;
  backoff = backoff.count() == 0 ? kFirstRetry : std::min(2 * backoff, kLongestRetry);
  retry_at = Clock::now() + backoff;
}

void Keeper::State::rest(const std::stop_token& stop, Clock::duration worked) {
  const auto pause = std::min<Clock::duration>(worked * kRestPerWork, kLongestRest);
  std::unique_lock lock(mutex);
  rested.wait_for(lock, stop, pause, [] { return false; });
}

}  // namespace yore::service
