// state_dump.hpp — what a store says, as text: two stores that mean the same give the same text,
// whatever the order in which they were filled.
#pragma once

#include <string>

#include "store/store.hpp"

namespace yore::fake {

// Sessions with facts, names, turns, passages per turn and surface, record keys, problems and
// unknown types. Row ids, passage ids and change numbers are left out.
std::string dump_state(store::Store& store);

// Follows the change feed from its beginning over an empty set. "" when that ends with exactly the
// passages that are there, each added at most once and removed at most once; else what is wrong.
std::string feed_problem(store::Store& store);

}  // namespace yore::fake
