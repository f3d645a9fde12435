// salvage.hpp — the rows of a damaged store, put into a new one where they make sense together.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace yore::store {

struct Salvaged {
  std::map<std::string, std::uint64_t> expected;     // turns by uid, as the sessions' rows tell
  std::map<std::int64_t, std::uint64_t> incomplete;  // turns by session id: text of them is lost
};

// REQUIRES: `into` is empty and in a transaction. Passages keep their ids, sessions theirs.
// Sessions are made to look unread, so that the next run reads those whose transcript is there.
Result<Salvaged> salvage(const std::string& damaged_path, Store& into);

}  // namespace yore::store
