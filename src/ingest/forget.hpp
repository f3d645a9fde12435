// forget.hpp — removing conversations on purpose and for good: from the store, the indexes and
// everything else that was made of them. The agent's own files are not touched.
//
// Begun by tombstones (store/tombstones.hpp), so that neither another reading nor a resumed session
// brings anything back; then everything that holds text is walked, a row of kHolders each. A kill
// in between is made up for by the next run that writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "store/store.hpp"
#include "store/tombstones.hpp"

namespace yore::ingest {

struct TurnPlace {
  store::SessionId session{};
  turns::TurnNumber number = 0;
};

// What to forget: whole sessions, with their editions, and single turns.
struct ForgetRequest {
  std::vector<store::SessionId> sessions;
  std::vector<TurnPlace> turns;
};

// What goes, and where else it stands.
struct ForgetPlan {
  std::vector<store::SessionRow> sessions;
  std::uint64_t turns = 0;             // in those, editions included, and of those named
  std::uint64_t copies = 0;            // of them in other sessions: they go as well
  std::vector<std::string> files;      // of the agents, which stay
  std::vector<std::string> uids;       // for the tombstones
  std::vector<std::uint64_t> origins;  // likewise
};
Result<ForgetPlan> plan_forgetting(store::Store& store, const ForgetRequest& request);

// Something that holds text of conversations, or what was made of it. Whoever adds one adds a row.
struct Holder {
  std::string_view name;
  bool derived = false;  // made of the records, so that it can be made again
  // Removes what the tombstones name. May be called again after a kill.
  Status (*remove)(const config::World& world, const config::Settings& settings,
                   const store::Tombstones& forgotten, const std::atomic<bool>& cancel);
};
std::span<const Holder> holders_of_text();

// busy: another process is writing. Takes the writer lock.
Status forget(const config::World& world, const config::Settings& settings, const ForgetPlan& plan,
              const std::atomic<bool>& cancel);

// Goes on with what was begun. REQUIRES: the process holds the writer lock.
Status finish_forgetting(const config::World& world, const config::Settings& settings,
                         const std::atomic<bool>& cancel);

}  // namespace yore::ingest
