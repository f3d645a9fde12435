#include "service/freshness.hpp"

#include <algorithm>
#include <thread>

#include "base/files/file.hpp"
#include "base/trace.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/scan_cache.hpp"
#include "lexical/format/manifest.hpp"
#include "service/index_notes.hpp"
#include "store/lock.hpp"
#include "store/store.hpp"

namespace yore::service {
namespace {

constexpr std::chrono::milliseconds kPoll{2};

bool knows_sources(const ingest::ScanCache& table, const config::World& world,
                   const config::Settings& settings, const config::Scope& scope) {
  return std::ranges::all_of(scope.sources, [&](const std::string& text) {
    const auto root = config::parse_source(text, *settings.agents, world.env);
    return root && std::ranges::find(table.roots(), root->root.path) != table.roots().end();
  });
}

class Refresher {
 public:
  Refresher(const config::World& world, const config::Settings& settings,
            const config::Scope& scope, const FreshnessOptions& options,
            const ingest::OnProgress& progress, const std::atomic<bool>& cancel)
      : world_(world),
        settings_(settings),
        options_(options),
        progress_(progress),
        cancel_(cancel) {
    index_.scope = scope;
    index_.merge_bytes = 0;  // an answer is waiting
    index_.max_bytes = options.unlimited ? UINT64_MAX : options.max_bytes;
    index_.previous = options.previous;
    index_.reach = options.reach;
  }

  Result<Freshness> run() {
    TraceStep step("bring up to date", settings_.data_dir);
    freshness_.first_build =
        !is_regular_file(store::Store::database_path(settings_.data_dir)) || !has_keywords();
    if (freshness_.first_build) index_.max_bytes = options_.max_first_bytes;
    auto table = ingest::ScanCache::load(settings_.data_dir, *world_.files);
    const bool usable = table && !freshness_.first_build &&
                        table->settings() == ingest::places_hash(world_, settings_) &&
                        (options_.reach == ingest::Reach::near || table->knows_far()) &&
                        knows_sources(*table, world_, settings_, index_.scope);
    if (!usable) return look_everywhere();
    const ingest::ScanCache::Difference difference =
        options_.changed != nullptr ? table->compare(*options_.changed)
                                    : table->compare(options_.look_budget, options_.reach);
    freshness_.files_known = table->sessions();
    freshness_.files_indexed =
        table->sessions() - std::min(table->sessions(), difference.files.size());
    freshness_.behind_bytes = difference.new_bytes;
    step.add_bytes(difference.new_bytes);
    if (difference.unchecked > 0) {
      freshness_.notes.push_back(std::to_string(difference.unchecked) +
                                 " files and folders were not looked at, to answer quickly; yore "
                                 "index looks at all of them.");
    }
    if (difference.none() && keywords_are_current()) {
      freshness_.files_indexed = table->sessions();
      return std::move(freshness_);
    }
    if (difference.other || difference.files.empty()) return look_everywhere();
    if (difference.new_bytes > index_.max_bytes) return look_everywhere();
    return read_grown(*table, difference);
  }

 private:
  // Does the keyword index cover everything that was committed? A process may have been killed
  // between the two.
  bool keywords_are_current() {
    auto store = store::Store::open_existing(settings_.data_dir);
    if (!store) return false;
    const auto manifest = read_manifest<lexical::Manifest>(
        derive::keyword_directory(settings_.data_dir), *world_.files);
    const auto commit = store->last_commit();
    freshness_.opened.store = std::move(*store);
    if (!manifest || !commit) return false;
    const lexical::StoreState& covers = manifest->covers;
    return covers.details_complete && covers.seq == commit->seq && covers.nonce == commit->nonce;
  }

  [[nodiscard]] bool has_keywords() const {
    return read_manifest<lexical::Manifest>(derive::keyword_directory(settings_.data_dir),
                                            *world_.files)
        .ok();
  }

  Result<Freshness> look_everywhere() {
    freshness_.listed = true;
    auto report = index_with_patience();
    if (!report) return without(report.error());
    freshness_.files_known = report->sessions_known;
    freshness_.files_indexed = report->sessions_known - report->sessions_behind;
    freshness_.behind_bytes = report->bytes_behind;
    return taken(*report);
  }

  Result<Freshness> read_grown(const ingest::ScanCache& table,
                               const ingest::ScanCache::Difference& difference) {
    std::vector<ObservedPath> before;
    for (const std::size_t i : difference.files) {
      index_.only.emplace_back(table.path_of(i));
      before.push_back(look_at(index_.only.back()));
    }
    auto report = index_with_patience();
    if (!report) return without(report.error());
    const bool simple = report->sessions_known == 0;  // else it looked everywhere after all
    if (simple && !report->try_again) {               // what could not be read stays different
      for (std::size_t i = 0; i < before.size(); ++i) {
        // What could not be written is looked at once more.
        Trace::failure("renew the scan cache", table.renew(settings_.data_dir, difference.files[i],
                                                           before[i], *world_.files));
      }
      freshness_.files_indexed = freshness_.files_known;
    } else if (!simple) {
      freshness_.files_known = report->sessions_known;
      freshness_.files_indexed = report->sessions_known - report->sessions_behind;
    }
    freshness_.behind_bytes = report->bytes_behind;
    return taken(*report);
  }

  // Another process may be publishing what we want to see: give it a moment.
  Result<ingest::IndexReport> index_with_patience() {
    const auto begun = std::chrono::steady_clock::now();
    while (true) {
      auto report = ingest::run_index(world_, settings_, index_, progress_, cancel_);
      const bool busy = !report && report.error().code == Errc::busy;
      if (!busy || cancel_) return report;
      // Whoever builds the first index publishes what was said long before it is done.
      if (freshness_.first_build && has_keywords()) {
        freshness_.first_build = false;
        freshness_.notes.emplace_back(kBuiltElsewhere);
        return report;
      }
      const auto waited = std::chrono::steady_clock::now() - begun;
      if (!freshness_.first_build && waited >= options_.wait_for_writer) return report;
      if (freshness_.first_build && waited >= options_.wait_for_first) {
        return Error{Errc::busy, report.error().message + " and has published nothing yet",
                     "try again when it is done; end it if it hangs"};
      }
      std::this_thread::sleep_for(freshness_.first_build ? 20 * kPoll : kPoll);
    }
  }

  Result<Freshness> taken(ingest::IndexReport& report) {
    freshness_.opened = std::move(report.opened);
    freshness_.cancelled = report.cancelled;
    freshness_.notes.insert(freshness_.notes.end(), report.notes.begin(), report.notes.end());
    freshness_.sessions_read = report.sessions_new + report.sessions_grown + report.sessions_reread;
    freshness_.nothing_there = report.sessions_known == 0 && report.sessions_missing == 0 &&
                               report.sessions_grown + report.sessions_reread == 0;
    freshness_.report = std::move(report);
    return std::move(freshness_);
  }

  // Answers come from what is there; when there is nothing, that is an error.
  Result<Freshness> without(const Error& error) {
    if (error.code == Errc::invalid_argument || freshness_.first_build) return error;
    if (error.code == Errc::busy) {
      freshness_.busy = true;
      if (freshness_.behind_bytes > 0) {
        freshness_.notes.emplace_back(
            "Another yore process is indexing; the latest may be missing.");
      }
    } else {
      freshness_.notes.push_back("The index could not be brought up to date: " + error.message);
    }
    return std::move(freshness_);
  }

  const config::World& world_;
  const config::Settings& settings_;
  const FreshnessOptions& options_;
  const ingest::OnProgress& progress_;
  const std::atomic<bool>& cancel_;
  ingest::IndexOptions index_;
  Freshness freshness_;
};

}  // namespace

Result<Freshness> bring_up_to_date(const config::World& world, const config::Settings& settings,
                                   const config::Scope& scope, const FreshnessOptions& options,
                                   const ingest::OnProgress& progress,
                                   const std::atomic<bool>& cancel) {
  return Refresher(world, settings, scope, options, progress, cancel).run();
}

}  // namespace yore::service
