// keyword_index.hpp — keeps the keyword index in step with the record store.
//
// Follows the change feed: what was added since the last publication is inverted and appended, what
// was removed is marked dead. Without an index, or when it does not fit the database, everything is
// built anew: first the conversation, which can be searched at once, then tool output and thinking.
//
// REQUIRES: the process holds the writer lock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "lexical/write/index_writer.hpp"
#include "store/store.hpp"

namespace yore::derive {

// Where it lies; the number is the format's version.
std::string keyword_directory(const std::string& data_dir);

struct KeywordReport {
  bool rebuilt = false;
  std::uint64_t documents = 0;  // inverted by this call
  bool cancelled = false;
  std::shared_ptr<const lexical::Snapshot> snapshot;  // what is published now
};

// Passages inverted so far, of how many.
using OnInverted = std::function<void(std::uint64_t done, std::uint64_t total)>;

// How many new passages are taken in at once; a part ends with a commit, so it may reach 50,000.
inline constexpr std::int64_t kPassagesAtOnce = 20'000;

// How the index is written.
struct KeywordOptions {
  lexical::WriterLimits limits{};
  std::int64_t passages_at_once = kPassagesAtOnce;
  std::shared_ptr<const lexical::Snapshot> previous{};  // an earlier state: opens quicker
  const FileSystem* files = &real_file_system();
};

Result<KeywordReport> update_keywords(store::Store& store, const std::string& data_dir,
                                      const OnInverted& progress, const std::atomic<bool>& cancel,
                                      const KeywordOptions& options = {});

// Gives a damaged index up: the next run builds it from the store. busy: another process is
// writing.
Status discard_keywords(const std::string& data_dir, const FileSystem& files = real_file_system());

// Builds an index that was discarded again from the store, or brings one up to date that is there.
// Takes the writer lock: busy when another process has held it for `patience`.
Status build_discarded_keywords(const std::string& data_dir, std::chrono::milliseconds patience,
                                const std::atomic<bool>& cancel,
                                const FileSystem& files = real_file_system());

// Merges until nothing is left to merge or `max_bytes` of input are used up. Needs no lock: takes
// the writer lock for moments only, and gives up when somebody else holds it.
Status merge_keywords(const std::string& data_dir, std::uint64_t max_bytes,
                      const std::atomic<bool>& cancel, const KeywordOptions& options = {});

}  // namespace yore::derive
