// hash.hpp — the one 64-bit hash of the project (XXH3). Stored on disk, so it never changes.
#pragma once

#include <cstdint>
#include <string_view>

namespace yore {

// Hash of bytes; `seed` chains hashes: hash64(b, hash64(a)) depends on both and on their order.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace yore
