// freshness.hpp — brings both the record store and the keyword index up to date, within a budget.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "ingest/indexer.hpp"
#include "store/coverage.hpp"

namespace yore::service {

struct FreshnessOptions {
  // What may be read before the answer. When more is waiting, the newest files are read up to here
  // and the rest is reported.
  std::uint64_t max_bytes = 32ULL << 20;
  std::chrono::milliseconds wait_for_writer{50};  // another process is publishing
  // Another process builds the first index and has published nothing yet.
  std::chrono::milliseconds wait_for_first{10'000};
  bool unlimited = false;  // no index yet: build all of it
  // The same of a first build; a part can be searched while the rest is read.
  std::uint64_t max_first_bytes = UINT64_MAX;
  std::chrono::microseconds look_budget{25'000};  // two microseconds a file
  // Somebody who waits for an answer waits for no other disk.
  ingest::Reach reach = ingest::Reach::near;
  // Only these paths have changed; null: anything may have.
  const std::vector<std::string>* changed = nullptr;
  std::shared_ptr<const lexical::Snapshot> previous;  // of the keywords, if the caller knows one
};

struct Freshness : store::FileCoverage {
  bool first_build = false;
  std::uint64_t sessions_read = 0;  // anew or further
  std::vector<std::string> notes;   // sentences for people
  bool busy = false;                // another process was writing: not up to date
  bool listed = false;              // everything was listed again
  bool nothing_there = false;       // neither a transcript nor a kept session
  bool cancelled = false;
  derive::WarmHandles opened;
  std::optional<ingest::IndexReport> report;  // of the run that read something, or looked for it
};

// Never fails because something could not be brought up to date: that is in the notes. Fails for
// wrong scopes and when there is no index and none can be built.
Result<Freshness> bring_up_to_date(const config::World& world, const config::Settings& settings,
                                   const config::Scope& scope, const FreshnessOptions& options,
                                   const ingest::OnProgress& progress,
                                   const std::atomic<bool>& cancel);

}  // namespace yore::service
