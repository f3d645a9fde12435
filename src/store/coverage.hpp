// coverage.hpp — how much of what lies on the machine has been read.
#pragma once

#include <cstdint>

namespace yore::store {

struct FileCoverage {
  std::uint64_t files_known = 0;
  std::uint64_t files_indexed = 0;
  std::uint64_t behind_bytes = 0;  // known to be there and not yet searchable
};

}  // namespace yore::store
