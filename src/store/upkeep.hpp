// upkeep.hpp — what keeps a database small and sound between two runs.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace yore::store {

// Whoever opens the database first reads its log from end to end: a long one is emptied, unless
// somebody is reading right now; a short one costs less than emptying it.
Status trim_log(Store& store, const std::string& data_dir);

// Rows whose session is gone. They cannot come from yore itself; a tool may have edited the
// database.
Result<std::uint64_t> count_orphans(Store& store);
// Those who follow the change feed hear of it. REQUIRES: the process holds the WriterLock.
Status remove_orphans(Store& store);

// From now on, what this connection removes is overwritten.
Status overwrite_removed(Store& store);
// Rewrites the database without its free pages and empties the log, so that nothing of what was
// removed is left in either. busy: somebody has been reading an older state all the while.
Status squeeze_out(Store& store);

}  // namespace yore::store
