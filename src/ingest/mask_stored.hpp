// mask_stored.hpp — [privacy] mask = "index": no secret stays in what yore keeps.
//
// What is read is masked before it is stored (turns/session_builder.hpp). What was stored before is
// rewritten once: records in place, the indexes and vectors made again, free pages and logs
// emptied. Originals in the archive are copies of the agent's files and stay what they are.
#pragma once

#include <atomic>

#include "config/settings.hpp"
#include "store/store.hpp"

namespace yore::ingest {

// Brings what is stored in step with the settings; a look at one row when it is. The sentence that
// says what was done is "" when nothing was. REQUIRES: the process holds the writer lock.
Result<std::string> mask_what_is_stored(const config::World& world,
                                        const config::Settings& settings, store::Store& store,
                                        const std::atomic<bool>& cancel);

}  // namespace yore::ingest
