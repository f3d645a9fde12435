// indexer.hpp — the write path: find what changed, read only that, commit.
//
//   roots → listings → plan → (readers, one per core) → queue → one writer → SQLite
//
// Readers parse, build turns and compress; the writer commits in batches. The queue is bounded, so
// memory does not grow with the size of a file. Order within one session is kept: a session is read
// by one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "derive/warm_handles.hpp"
#include "ingest/reach.hpp"
#include "transcript/reading_time.hpp"

namespace yore::ingest {

struct IndexOptions {
  bool force = false;           // read everything again
  bool dry_run = false;         // only say what would be read
  bool forget_missing = false;  // remove sessions whose source is gone
  std::optional<Time> since;    // leave sources unread that were last written before
  config::Scope scope;          // its sources are registered; its roots come first
  int threads = 0;              // 0: one per core
  bool keywords = true;         // bring the keyword index up to date as well
  // Read no more than about this, the newest first; the rest is left for the next run.
  std::uint64_t max_bytes = UINT64_MAX;
  // Afterwards, without the lock, merge segments of the keyword index of up to this together.
  std::uint64_t merge_bytes = UINT64_MAX;
  // Only these files have changed: nothing is listed. Falls back to looking everywhere when one of
  // them is not simply the file of one session.
  std::vector<std::string> only;
  std::shared_ptr<const lexical::Snapshot> previous;  // of the keywords, if the caller knows one
  transcript::ReadingTime time;
  // Reach::near: other disks are left as they are known (config/whereabouts.hpp).
  Reach reach = Reach::everywhere;
};

struct IndexProgress {
  std::uint64_t sessions_done = 0;
  std::uint64_t sessions_total = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
  // Then everything new is put into the keyword index.
  std::uint64_t passages_done = 0;
  std::uint64_t passages_total = 0;
  bool embedding = false;  // or, after that, gets its vector
  // How many sessions there are, and how many of them are left for another run because of
  // IndexOptions::max_bytes.
  std::uint64_t sessions_known = 0;
  std::uint64_t sessions_behind = 0;
  std::uint64_t bytes_behind = 0;
};

struct IndexReport {
  std::uint64_t sessions_known = 0;
  std::uint64_t sessions_new = 0;
  std::uint64_t sessions_grown = 0;   // only new bytes were read
  std::uint64_t sessions_reread = 0;  // read again from the start
  std::uint64_t sessions_unchanged = 0;
  std::uint64_t sessions_missing = 0;  // kept although their source is gone
  std::uint64_t sessions_forgotten = 0;
  std::uint64_t sessions_excluded = 0;
  std::uint64_t turns_written = 0;
  std::uint64_t passages_written = 0;
  std::uint64_t bytes_read = 0;       // raw bytes parsed
  std::uint64_t bytes_to_read = 0;    // dry run: what would be parsed
  std::uint64_t sessions_behind = 0;  // left unread, because of max_bytes
  std::uint64_t bytes_behind = 0;
  std::uint64_t problems = 0;           // records lost or repaired, this run
  std::vector<std::string> troubles;    // "path: sentence"
  std::vector<std::string> would_read;  // dry run: session ids
  std::vector<std::string> places;      // roots looked at
  std::vector<std::string> notes;       // sentences for people: the store was mended
  bool try_again = false;               // something failed that may not fail the next time
  bool cancelled = false;
  double seconds = 0;
  derive::WarmHandles opened;
};

using OnProgress = std::function<void(const IndexProgress&)>;

// busy: another process holds the writer lock. Stops soon after `cancel` becomes true; what was
// committed stays.
Result<IndexReport> run_index(const config::World& world, const config::Settings& settings,
                              const IndexOptions& options, const OnProgress& progress,
                              const std::atomic<bool>& cancel);

}  // namespace yore::ingest
