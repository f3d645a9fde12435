// chunker.hpp — cuts a file into pieces where its content says so, not its length: what was cut
// before is cut the same way after something was added, or put in somewhere else. Pure.
//
// A piece ends where a rolling hash of the last 64 bytes has its low 18 bits clear, at 64 KB at the
// earliest and at 1 MB at the latest: 256 KB and some on average. The cuts are part of no format:
// whatever was cut otherwise can still be read.
#pragma once

#include <cstddef>
#include <string_view>

namespace yore::archive {

inline constexpr std::size_t kLeastChunkBytes = 64 << 10;
inline constexpr std::size_t kMostChunkBytes = 1 << 20;

// The size of the first piece of `bytes`, which are the whole rest of the file or at least
// kMostChunkBytes of it.
std::size_t first_chunk(std::string_view bytes);

}  // namespace yore::archive
