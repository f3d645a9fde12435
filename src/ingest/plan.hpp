// plan.hpp — compares what is there with what is known. Looks at names and stamps only, through the
// view it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/work_limit.hpp"
#include "config/roots.hpp"
#include "config/settings.hpp"
#include "ingest/reach.hpp"
#include "store/store.hpp"
#include "store/tombstones.hpp"
#include "transcript/reading_time.hpp"

namespace yore::ingest {

struct PlannedSession {
  std::size_t root = 0;  // index into Plan::roots
  transcript::SessionRef ref;
  std::string other_files;   // places that hold it as well and are not read, one a line
  store::SessionId known{};  // 0: new
  std::uint64_t unread_bytes = 0;
  bool read = false;        // something to read
  bool update = false;      // where it was found has changed: title, place, parent …
  bool from_start = false;  // read by an older version of the reading: not to be gone on with
  bool replaces = false;    // what was known is no part of a conversation: nothing of it is kept
};

struct PlannedRoot {
  config::FoundRoot found;
  store::RootId id{};           // once it is registered
  transcript::Listing listing;  // its sessions were moved into the plan
  bool listed = false;
  bool left = false;  // far, and not to be looked at now
};

struct Plan {
  std::vector<PlannedRoot> roots;
  std::vector<PlannedSession> sessions;
  std::vector<store::KnownSession> gone;      // known, root looked at, source not there
  std::vector<store::KnownSession> excluded;  // known, but the settings now exclude them
  std::uint64_t left_out = 0;                 // found, but excluded
  std::uint64_t held = 0;  // known from containers that were left closed: nothing new in them
  std::uint64_t unread_bytes = 0;
};

// Roots to look at: those of the scope first, then the settings, the machine's own, and everything
// ever registered; each once. With Reach::near those on other disks are named, as far as they are
// known, and not looked at.
Result<std::vector<config::FoundRoot>> roots_to_look_at(
    const config::World& world, const config::Settings& settings, const config::Scope& scope,
    const std::vector<store::RootRow>& registered, const FileView& files = {},
    Reach reach = Reach::everywhere);

// For files that are known to have changed: nothing is listed. nullopt: one of them is not simply
// the file of one session, or its agent's reading has changed since it was read.
Result<std::optional<Plan>> plan_for_files(store::Store& store,
                                           const transcript::AgentRegistry& agents,
                                           const std::vector<std::string>& paths);

// `force` reads everything. Sessions are ordered newest first. A source that takes longer to list
// than `longest` is left as it is known. Once `cancel` is true the plan is worth nothing.
Plan make_plan(std::vector<config::FoundRoot> roots, const config::Settings& settings,
               const std::vector<store::KnownSession>& known,
               const std::vector<std::pair<std::string, FileStamp>>& containers, bool force,
               const FileView& files = {}, const store::Tombstones& forgotten = {},
               const transcript::ReadingTime& time = {},
               const std::atomic<bool>& cancel = kNeverCancelled, Reach reach = Reach::everywhere);

}  // namespace yore::ingest
