// passages.hpp — all that can be searched, straight from the record store.
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.hpp"
#include "store/store.hpp"
#include "turns/turn_types.hpp"

namespace yore::bench {

// Of passages that are searched at all, in order of their ids. The passage is valid during the
// call.
using VisitPassage = std::function<void(std::int64_t id, const turns::Passage& passage)>;
Status each_passage(store::Store& store, const VisitPassage& visit);

bool is_searched(turns::Surface surface);
bool is_conversation(turns::Surface surface);

}  // namespace yore::bench
