#include "ingest/indexer.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "base/files/file.hpp"
#include "base/trace.hpp"
#include "config/whereabouts.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/bounded_queue.hpp"
#include "ingest/forget.hpp"
#include "ingest/known_prompts.hpp"
#include "ingest/mask_stored.hpp"
#include "ingest/mending.hpp"
#include "ingest/naming_run.hpp"
#include "ingest/plan.hpp"
#include "ingest/scan_cache.hpp"
#include "ingest/scan_cache_writer.hpp"
#include "ingest/session_reading.hpp"
#include "store/lock.hpp"
#include "store/mend.hpp"
#include "store/upkeep.hpp"
#include "store/writer.hpp"
#include "transcript/dialects/prompt_history.hpp"

namespace yore::ingest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kQueueDepth = 8;
// So much is read before a thread would have begun to.
constexpr std::uint64_t kLittleBytes = 256 << 10;
// A commit costs a sync: bundle, but let readers see progress.
constexpr std::chrono::milliseconds kBatchTime{500};

// What a reading thread hands to the writer.
struct ReadMessage {
  const PlannedSession* session = nullptr;  // null: the thread could not even begin
  ReadResult read;
};
using ReadingQueue = BoundedQueue<ReadMessage>;

class Run {
 public:
  Run(const config::World& world, const config::Settings& settings, const IndexOptions& options,
      const OnProgress& progress, const std::atomic<bool>& cancel)
      : world_(world),
        settings_(settings),
        options_(options),
        progress_(progress),
        cancel_(cancel) {}

  Result<IndexReport> preview() {
    auto store = store::Store::open_existing(settings_.data_dir);
    if (!store && store.error().code != Errc::not_found) return store.error();
    if (Status status = plan(store ? &*store : nullptr); !status) return status.error();
    for (const Sessions* sessions : {&to_read_, &prompts_}) {
      for (const PlannedSession* session : *sessions) {
        report_.would_read.push_back(session->ref.id);
      }
    }
    report_.bytes_to_read = progress_state_.bytes_total;
    return std::move(report_);
  }

  Result<IndexReport> run_all() {
    const auto started = Clock::now();
    if (Status made = make_directories(settings_.data_dir); !made) return made.error();
    auto lock = store::WriterLock::try_acquire(settings_.data_dir, *world_.files);
    if (!lock) return lock.error();
    if (was_emptied(settings_)) return Error{Errc::corrupt, "the record store is an empty file"};
    auto store = store::Store::open(settings_.data_dir);
    if (!store) return store.error();
    auto masked = mask_what_is_stored(world_, settings_, *store, cancel_);
    if (!masked) return masked.error();
    if (!masked->empty()) report_.notes.push_back(std::move(*masked));
    auto writer = store::Writer::create(*store);
    if (!writer) return writer.error();
    auto forgotten = store::Tombstones::load(settings_.data_dir);
    if (!forgotten) return forgotten.error();
    forgotten_ = std::move(*forgotten);
    if (forgotten_.unfinished()) {
      if (Status done = finish_forgetting(world_, settings_, cancel_); !done) return done.error();
    }
    if (Status status = plan(&*store); !status) return status.error();
    stopped_ = cancel_;  // a plan that was called off says of things that they are gone
    Status status = targeted_ || stopped_ ? Status{} : register_roots(*writer);
    if (status && !stopped_) status = read_and_write(*writer, to_read_);
    // Which prompts are news is known once the conversations are.
    if (status && !stopped_) status = read_and_write(*writer, prompts_);
    if (status && !stopped_) status = finish_run(*store, *writer);
    if (status && !stopped_ && !targeted_) status = settle_losses(*store);
    if (status && !stopped_) remember_files();
    if (status && !stopped_ && options_.keywords) status = follow(*store);
    if (!status) {
      writer->rollback();
      return status.error();
    }
    report_.cancelled = stopped_;
    report_.opened.store = std::move(*store);
    report_.seconds = std::chrono::duration<double>(Clock::now() - started).count();
    return std::move(report_);
  }

 private:
  Status plan(store::Store* store) {
    const TraceStep step("plan");
    if (store != nullptr && !options_.only.empty() && !options_.force) {
      auto some = plan_for_files(*store, *settings_.agents, options_.only);
      if (!some) return some.error();
      targeted_ = some->has_value();
      if (targeted_) plan_ = std::move(**some);
    }
    if (!targeted_) {
      PathRecorder recorder;
      const Status status = plan_all(store, FileView(recorder));
      looks_ = recorder.take();
      return status;
    }
    for (const PlannedSession& session : plan_.sessions) {
      written_.emplace(&session, session.known);
      to_read_.push_back(&session);
    }
    progress_state_.bytes_total = plan_.unread_bytes;
    progress_state_.sessions_total = to_read_.size();
    return {};
  }

  Status plan_all(store::Store* store, const FileView& files) {
    std::vector<store::RootRow> registered;
    std::vector<store::KnownSession> known;
    std::vector<std::pair<std::string, FileStamp>> containers;
    if (store != nullptr) {
      auto rows = store->roots();
      auto sessions = store->known_sessions();
      auto stamps = store->containers();
      if (!rows) return rows.error();
      if (!sessions) return sessions.error();
      if (!stamps) return stamps.error();
      registered = std::move(*rows);
      known = std::move(*sessions);
      containers = std::move(*stamps);
    }
    auto roots =
        roots_to_look_at(world_, settings_, options_.scope, registered, files, options_.reach);
    if (!roots) return roots.error();
    for (const auto& root : config::default_places(*settings_.agents, world_.env)) {
      report_.places.push_back(root.root.path);
    }
    plan_ = make_plan(std::move(*roots), settings_, known, containers, options_.force, files,
                      forgotten_, options_.time, cancel_, options_.reach);
    if (cancel_) return {};
    report_.sessions_known = plan_.sessions.size() + plan_.held;
    report_.sessions_unchanged = plan_.held;
    report_.sessions_excluded = plan_.left_out;
    report_.sessions_missing = plan_.gone.size();
    for (const PlannedRoot& root : plan_.roots) {
      for (const auto& [path, message] : root.listing.problems) {
        report_.troubles.push_back(path + ": " + message);
      }
    }
    for (PlannedSession& session : plan_.sessions) {
      const bool too_old = options_.since && session.ref.row.empty() &&
                           from_ms(session.ref.stamp.mtime_ns / 1'000'000) < *options_.since;
      if (too_old) session.read = false;
      const bool unread = session.known == store::SessionId{} || session.from_start;
      if (too_old && unread) session.update = false;
      if (!session.read) {
        ++report_.sessions_unchanged;
        continue;
      }
      if (progress_state_.bytes_total >= options_.max_bytes) {
        session.read = false;
        session.update = false;
        ++report_.sessions_behind;
        report_.bytes_behind += session.unread_bytes;
        unread_.insert(session.ref.path);
        continue;
      }
      const bool prompts = session.ref.content == transcript::SessionContent::prompts;
      (prompts ? prompts_ : to_read_).push_back(&session);
      progress_state_.bytes_total += session.unread_bytes;
    }
    if (report_.sessions_behind > 0 || options_.since) leave_prompts();
    progress_state_.sessions_total = to_read_.size() + prompts_.size();
    progress_state_.sessions_known = report_.sessions_known;
    progress_state_.sessions_behind = report_.sessions_behind;
    progress_state_.bytes_behind = report_.bytes_behind;
    return {};
  }

  // Not every conversation is read: which prompts are news cannot be told yet.
  void leave_prompts() {
    for (PlannedSession& session : plan_.sessions) {
      if (session.ref.content != transcript::SessionContent::prompts) continue;
      postponed_.insert(session.ref.path);
      session.read = false;
      session.update = false;
    }
    prompts_.clear();
  }

  // What this run has seen, for the next one. Whatever was not read to its end is made to look
  // different.
  void remember_files() {
    if (targeted_) return;
    ScanCacheWriter list;
    list.settings = places_hash(world_, settings_);
    list.sessions = plan_.sessions.size() + plan_.held;
    for (const PlannedRoot& root : plan_.roots) list.roots.push_back(root.found.root.path);
    for (ObservedPath& look : looks_) {
      if (unread_.contains(look.path)) look.stamp.mtime_ns = 0;
    }
    list.looks = std::move(looks_);
    mark_far(list);
    // Without the table the next run looks everywhere.
    Trace::failure("save the scan cache", list.save(settings_.data_dir, world_.now, *world_.files));
  }

  // Which of it lies on other disks. What those held the last time stays known when they were left.
  void mark_far(ScanCacheWriter& list) {
    const config::Whereabouts where(world_, settings_.data_dir);
    if (!where.has_far()) return;
    std::vector<std::string> far;
    for (const PlannedRoot& root : plan_.roots) {
      if (root.found.far) far.push_back(root.found.root.path + "/");
    }
    list.is_far = [where, far = std::move(far)](const std::string& path) {
      const auto holds = [&](const std::string& root) { return (path + "/").starts_with(root); };
      return std::ranges::any_of(far, holds) || !where.tell(path).empty();
    };
    if (options_.reach == Reach::everywhere) return;
    const auto before = ScanCache::load(settings_.data_dir, *world_.files);
    list.knows_far = before && before->knows_far();
    if (!before) return;
    for (ObservedPath& look : before->far_looks()) {
      if (!list.is_far(look.path)) continue;  // near by now: looked at
      if (unread_.contains(look.path)) look.stamp.mtime_ns = 0;
      list.looks.push_back(std::move(look));
    }
  }

  Status register_roots(store::Writer& writer) {
    if (Status status = writer.begin(); !status) return status;
    for (PlannedRoot& root : plan_.roots) {
      auto id =
          writer.add_root(root.found.adapter->name, root.found.root.path, root.found.root.named);
      if (!id) return id.error();
      root.id = *id;
    }
    return writer.commit();
  }

  using Sessions = std::vector<const PlannedSession*>;

  Status read_and_write(store::Writer& writer, const Sessions& sessions) {
    if (sessions.empty()) return {};
    std::atomic<std::size_t> next{0};
    if (targeted_ && plan_.unread_bytes <= kLittleBytes) {
      ReadingQueue queue(SIZE_MAX, 1);
      read_sessions(writer, sessions, queue, next);
      queue.producer_done();
      return write_messages(writer, queue);
    }
    const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int wanted = options_.threads > 0 ? options_.threads : cores;
    const int threads = std::min<int>(wanted, static_cast<int>(sessions.size()));
    ReadingQueue queue(kQueueDepth, threads);
    std::vector<std::jthread> readers;
    for (int i = 0; i < threads; ++i) {
      readers.emplace_back([this, &sessions, &queue, &next] {
        read_beside_the_writer(sessions, queue, next);
        queue.producer_done();
      });
    }
    Status status = write_messages(writer, queue);
    queue.close();  // readers that still push give up
    return status;
  }

  // With a connection of its own: states are read while the writer commits.
  void read_beside_the_writer(const Sessions& sessions, ReadingQueue& queue,
                              std::atomic<std::size_t>& next) {
    auto store = store::Store::open(settings_.data_dir);
    auto states = store ? store::Writer::create(*store) : Result<store::Writer>(store.error());
    if (!states) {
      ReadMessage message;
      message.read.failure = states.error();
      queue.push(std::move(message));
      return;
    }
    read_sessions(*states, sessions, queue, next);
  }

  void read_sessions(store::Writer& states, const Sessions& sessions, ReadingQueue& queue,
                     std::atomic<std::size_t>& next) {
    SessionReader reader(states, forgotten_, cancel_);
    while (!cancel_) {
      const std::size_t i = next++;
      if (i >= sessions.size()) return;
      const PlannedSession& planned = *sessions[i];
      TraceStep step("read", planned.ref.path);
      step.add_bytes(planned.unread_bytes);
      const bool known = planned.known != store::SessionId{};
      const auto longest = time_.for_session(planned.ref);
      if (longest.count() == 0) continue;
      auto source = source_for(states, planned);
      if (!source) {
        ReadMessage message{&planned, {}};
        message.read.failure = source.error();
        queue.push(std::move(message));
        continue;
      }
      const auto used = reader.read(
          *source, known ? std::optional{planned.known} : std::nullopt, how_to_read(planned),
          planned.ref.stamp,
          [&](ReadResult&& read) {
            return queue.push({&planned, std::move(read)});
          },
          longest);
      time_.spend(planned.ref, used);
    }
  }

  Result<SessionSource> source_for(store::Writer& states, const PlannedSession& planned) const {
    SessionSource source = source_of(*plan_.roots[planned.root].found.adapter, planned.ref);
    if (!transcript::is_of_folder(planned.ref)) return source;
    return without_known_prompts(std::move(source), states, planned.ref.directory, forgotten_);
  }

  // What a newer version reads takes the place of what an older one read: it is the same text.
  [[nodiscard]] ReadingOrder how_to_read(const PlannedSession& planned) const {
    const bool keep = settings_.keep_deleted && !planned.from_start && !planned.replaces;
    return {options_.force || planned.from_start, keep, settings_.mask == config::MaskMode::index};
  }

  Status write_messages(store::Writer& writer, ReadingQueue& queue) {
    std::size_t batch_bytes = 0;
    bool open = false;
    auto batch_start = Clock::now();
    const auto flush = [&]() -> Status {
      if (!open) return {};
      open = false;
      TraceStep step("commit");
      step.add_bytes(batch_bytes);
      batch_bytes = 0;
      return writer.commit();
    };
    while (auto message = queue.pop()) {
      if (message->session == nullptr) return *message->read.failure;
      if (!open) {
        if (Status status = writer.begin(); !status) return status;
        open = true;
        batch_start = Clock::now();
      }
      if (Status status = write(writer, *message); !status) return status;
      batch_bytes += bytes_of(message->read.step);
      const bool full = batch_bytes >= kBatchBytes || Clock::now() - batch_start >= kBatchTime;
      if (!full) continue;
      if (Status status = flush(); !status) return status;
    }
    stopped_ = cancel_;
    report_left();
    return flush();
  }

  Result<store::SessionId> id_of(store::Writer& writer, const PlannedSession& planned) {
    const auto known = written_.find(&planned);
    if (known != written_.end()) return known->second;
    const PlannedRoot& root = plan_.roots[planned.root];
    auto id =
        writer.put_session(root.id, root.found.adapter->name, planned.ref, planned.other_files);
    if (id) written_.emplace(&planned, *id);
    return id;
  }

  Status write(store::Writer& writer, const ReadMessage& message) {
    const PlannedSession& planned = *message.session;
    // What an older version read stays as it is, and of that version, until it could be read again.
    const bool keep = message.read.failure && planned.from_start && !written_.contains(&planned);
    const auto id = keep ? Result<store::SessionId>(planned.known) : id_of(writer, planned);
    if (!id) return id.error();
    if (message.read.failure) return write_failure(writer, *id, planned, message.read);
    if (message.read.is_private || message.read.is_own || kept_out_.contains(&planned)) {
      const auto why =
          message.read.is_own ? store::Excluded::made_by_yore : store::Excluded::by_its_author;
      const bool first = kept_out_.insert(&planned).second;
      return first ? writer.exclude_session(*id, why) : Status{};
    }
    const store::SessionStep& step = message.read.step;
    if (Status status = writer.apply(*id, step); !status) return status;
    report_.turns_written += step.turns.size();
    report_.problems += step.problems.size();
    report_.bytes_read += step.bytes_read;
    for (const auto& pack : step.sealed) report_.passages_written += pack.count;
    for (const auto& pack : step.open) report_.passages_written += pack.count;
    progress_state_.bytes_done += step.bytes_read;
    if (step.last) count_done(planned, message.read.resumed);
    if (progress_) progress_(progress_state_);
    return {};
  }

  void count_done(const PlannedSession& planned, bool resumed) {
    ++progress_state_.sessions_done;
    if (planned.known == store::SessionId{}) {
      ++report_.sessions_new;
    } else if (resumed) {
      ++report_.sessions_grown;
    } else {
      ++report_.sessions_reread;
    }
  }

  // What was stored before stays; the source is tried again next time, or when it has changed if it
  // took too long.
  Status write_failure(store::Writer& writer, store::SessionId id, const PlannedSession& planned,
                       const ReadResult& read) {
    ++progress_state_.sessions_done;
    add_trouble(planned.root, planned.ref.path, read.failure->message);
    if (read.late) return writer.leave_off(id, planned.ref.stamp);
    report_.try_again = true;
    unread_.insert(planned.ref.path);
    return writer.set_broken(id, true);
  }

  void add_trouble(std::size_t root, const std::string& path, const std::string& message) {
    report_.troubles.push_back(path + ": " + message);
    failures_[root].emplace_back(path, message);
  }

  // Databases that have had their time: the next run that looks everywhere goes on with them.
  void report_left() {
    for (const auto& [path, sessions] : time_.left()) {
      const auto in_it = std::ranges::find(
          plan_.sessions, path, [](const PlannedSession& session) { return session.ref.path; });
      report_.sessions_behind += sessions;
      add_trouble(in_it->root, path, transcript::left_for_another_run(sessions));
    }
  }

  // Everything that depends on all sessions: what is gone, names, containers.
  Status finish_run(store::Store& store, store::Writer& writer) {
    const TraceStep step("name and settle sessions");
    if (Status status = writer.begin(); !status) return status;
    for (const PlannedSession& session : plan_.sessions) {
      if (session.read || !session.update) continue;
      if (const auto id = id_of(writer, session); !id) return id.error();
    }
    if (Status status = settle_missing(writer); !status) return status;
    for (const store::KnownSession& session : plan_.excluded) {
      if (Status status = writer.remove_session(session.id); !status) return status;
    }
    for (std::size_t i = 0; i < plan_.roots.size() && !targeted_; ++i) {
      if (plan_.roots[i].left) continue;
      auto problems = plan_.roots[i].listing.problems;
      const auto& failures = failures_[i];
      problems.insert(problems.end(), failures.begin(), failures.end());
      if (Status status = writer.set_troubles(plan_.roots[i].id, problems); !status) return status;
      for (const transcript::Container& container : plan_.roots[i].listing.containers) {
        if (time_.left().contains(container.path) || postponed_.contains(container.path)) continue;
        const Status status =
            writer.set_container(plan_.roots[i].id, container.path, container.stamp);
        if (!status) return status;
      }
    }
    const auto names_due = names_are_due(store, settings_);
    if (!names_due) return names_due.error();
    if (*names_due) {
      const config::Whereabouts where(world_, settings_.data_dir);
      const MayLook may_look = [&](const std::string& path) {
        return options_.reach == Reach::everywhere || !where.is_far(path);
      };
      if (Status status = give_names(store, writer, settings_, may_look); !status) return status;
    }
    if (Status status = writer.commit(); !status) return status;
    return store::trim_log(store, settings_.data_dir);
  }

  // The keyword index is derived: when it cannot be written, that is said, and what was read stays.
  Status follow(store::Store& store) {
    const derive::OnInverted on_inverted = [this](std::uint64_t done, std::uint64_t total) {
      progress_state_.passages_done = done;
      progress_state_.passages_total = total;
      if (progress_) progress_(progress_state_);
    };
    auto report = derive::update_keywords(store, settings_.data_dir, on_inverted, cancel_,
                                          {.previous = options_.previous, .files = world_.files});
    if (report) {
      stopped_ = report->cancelled;
      report_.opened.keywords = std::move(report->snapshot);
    } else if (report.error().code == Errc::corrupt && store::is_damaged(settings_.data_dir)) {
      return report.error();  // it is the store that cannot be read
    } else {
      report_.try_again = true;
      const std::string directory = derive::keyword_directory(settings_.data_dir);
      report_.troubles.push_back(directory + ": " + report.error().message);
    }
    return {};
  }

  // Says what a store that was mended lacks, once everything was read that can be.
  Status settle_losses(store::Store& store) {
    if (report_.sessions_behind > 0 || options_.since) return {};
    const auto settled = store::settle_losses(store);
    if (!settled) return settled.error();
    if (!*settled) return {};
    const auto mended = store::mended(store);
    if (!mended) return mended.error();
    report_.notes.push_back(store::mended_note(**mended));
    return {};
  }

  Status settle_missing(store::Writer& writer) {
    for (const store::KnownSession& session : plan_.gone) {
      if (options_.forget_missing || !settings_.keep_deleted) {
        if (Status status = writer.remove_session(session.id); !status) return status;
        ++report_.sessions_forgotten;
        --report_.sessions_missing;
      } else if (!session.missing) {
        if (Status status = writer.set_missing(session.id, world_.now); !status) return status;
      }
    }
    return {};
  }

  const config::World& world_;
  const config::Settings& settings_;
  const IndexOptions& options_;
  const OnProgress& progress_;
  const std::atomic<bool>& cancel_;
  bool stopped_ = false;

  Plan plan_;
  bool targeted_ = false;  // by IndexOptions::only
  std::vector<ObservedPath> looks_;
  store::Tombstones forgotten_;
  std::unordered_set<const PlannedSession*> kept_out_;
  std::unordered_set<std::string> unread_;  // paths
  Sessions to_read_;
  Sessions prompts_;                           // likewise, after the others
  std::unordered_set<std::string> postponed_;  // containers
  std::unordered_map<const PlannedSession*, store::SessionId> written_;
  std::unordered_map<std::size_t, std::vector<std::pair<std::string, std::string>>> failures_;
  transcript::TimeBudget time_{options_.time};
  IndexProgress progress_state_;
  IndexReport report_;
};

}  // namespace

Result<IndexReport> run_index(const config::World& world, const config::Settings& settings,
                              const IndexOptions& options, const OnProgress& progress,
                              const std::atomic<bool>& cancel) {
  if (options.dry_run) return Run(world, settings, options, progress, cancel).preview();
  auto report = Run(world, settings, options, progress, cancel).run_all();
  if (!report && report.error().code == Errc::corrupt) {
    const auto mended = mend_if_damaged(world, settings);
    if (!mended) return mended.error();
    report = Run(world, settings, options, progress, cancel).run_all();
  }
  if (!report || report->cancelled || !options.keywords || options.merge_bytes == 0) return report;
  // The lock is free again. What cannot be merged now is merged another time.
  [[maybe_unused]] const Status merged =
      derive::merge_keywords(settings.data_dir, options.merge_bytes, cancel,
                             {.previous = report->opened.keywords, .files = world.files});
  return report;
}

}  // namespace yore::ingest
