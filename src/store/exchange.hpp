// exchange.hpp — a mended store takes the place of a damaged one, in steps that a kill cannot
// spoil.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace yore::store {

// Where a new store that is complete waits, and where the damaged one is set aside.
std::string complete_path(const std::string& database_path);
std::string damaged_path(const std::string& database_path);

// Every file that mending leaves, whether it is there or not: the damaged copy and its log.
std::vector<std::string> damaged_copies(const std::string& database_path);

// Puts a new store that is complete in its place. Nothing to do: nothing done.
// REQUIRES: the process holds the WriterLock.
Status finish_exchange(const std::string& database_path);

}  // namespace yore::store
