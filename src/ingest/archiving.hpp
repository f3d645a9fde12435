// archiving.hpp — puts originals of sessions into the archive (archive/archive.hpp), before their
// agent deletes them.
//
// Of a session in files everything is kept that its reader opens: the transcript, the files beside
// it, outputs that were spilled. Of one in a database its rows alone, as a database of its own with
// the same tables. What has not changed since it was kept costs a look at its entry.
//
// A session with a turn that was forgotten is not kept: its file still has what nobody is to know.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "base/result.hpp"
#include "config/settings.hpp"
#include "store/store.hpp"
#include "store/tombstones.hpp"

namespace yore::ingest {

struct ArchiveReport {
  std::uint64_t kept = 0;             // new, or changed since they were kept
  std::uint64_t unchanged = 0;        // kept before, and as they were
  std::uint64_t gone = 0;             // their source is not there any more
  std::uint64_t left_out = 0;         // they hold what was forgotten
  std::uint64_t bytes = 0;            // of the originals that were kept now
  std::uint64_t stored_bytes = 0;     // what that took on disk
  std::vector<std::string> troubles;  // "session: sentence"
  bool cancelled = false;
};

// busy: another process is writing to the archive.
Result<ArchiveReport> archive_sessions(const config::World& world, const config::Settings& settings,
                                       store::Store& store,
                                       const std::vector<store::SessionRow>& sessions,
                                       const std::atomic<bool>& cancel);

// When its agent will delete the file of a session; nullopt: never, or it is not known.
class DeletionDates {
 public:
  DeletionDates(const transcript::AgentRegistry& agents, const std::vector<store::RootRow>& roots);
  [[nodiscard]] std::optional<Time> of(const store::SessionRow& session) const;

 private:
  struct Rule {
    store::RootId root{};
    int days = 0;
  };
  std::vector<Rule> rules_;
};

// Sessions that their agent will delete within this time, the first to go first; those that are
// kept as they are have `kept` set.
struct Expiring {
  store::SessionRow session;
  Time date = kNoTime;
  bool kept = false;
};
Result<std::vector<Expiring>> expiring_sessions(const config::World& world,
                                                const config::Settings& settings,
                                                store::Store& store, std::chrono::days within);
inline constexpr std::chrono::days kWarnBefore{7};

// A holder of text (ingest/forget.hpp).
Status forget_archived(const config::World& world, const config::Settings& settings,
                       const store::Tombstones& forgotten, const std::atomic<bool>& cancel);

}  // namespace yore::ingest
