// mending.hpp — finds out whether the record store is damaged, and mends it (store/mend.hpp).
#pragma once

#include "base/result.hpp"
#include "config/settings.hpp"

namespace yore::ingest {

// Called after something was found corrupt: reads all of the store. True: it was damaged and is
// mended now; whatever is derived from it is gone, and the next run reads the transcripts again.
// False: nothing is wrong with it, perhaps because another process was quicker.
// busy: another process has been writing for as long as we wait.
Result<bool> mend_if_damaged(const config::World& world, const config::Settings& settings);

// The store was there once and is an empty file now. Costs a stat.
bool was_emptied(const config::Settings& settings);

}  // namespace yore::ingest
