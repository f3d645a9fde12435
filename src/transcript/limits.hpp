// limits.hpp — how much of one record is kept, the same for every agent.
#pragma once

#include <cstddef>

namespace yore::transcript {

// A message of more parts is no conversation any more; the rest of them is not kept.
inline constexpr std::size_t kMaxParts = 10'000;
// The longest name of an unknown type or key that is reported.
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::size_t kMaxUnknown = 16;  // different ones in one record
// Buffers that one huge record has blown up are given back.
inline constexpr std::size_t kKeptCapacity = 1 << 20;

}  // namespace yore::transcript
