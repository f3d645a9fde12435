// scan_cache_layout.hpp — the bytes of the file table; see docs/format.md. Used in place.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/hash.hpp"
#include "base/layout.hpp"

namespace yore::ingest::files {

struct Header {
  std::array<char, 8> magic = {'y', 'o', 'r', 'e', 'f', 'i', 'l', '4'};
  std::uint64_t hash = 0;  // of the header from here on, roots and paths; not of rows, which change
  std::uint64_t settings = 0;
  std::uint64_t sessions = 0;
  std::uint64_t rows = 0;
  std::uint64_t root_bytes = 0;
  std::uint64_t path_bytes = 0;
  std::uint64_t knows_far = 0;  // 1: other disks were looked at, by this run or one before it
};
constexpr std::size_t kIdentityBytes = 16;  // magic and hash: who sees the same has the same table

enum Kind : std::uint32_t { missing = 0, other = 1, regular = 2, directory = 3 };

struct Row {
  std::uint64_t size_bytes = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t inode = 0;
  std::uint32_t path_at = 0;  // among the paths, each of which ends with a zero
  std::uint32_t path_size = 0;
  std::uint32_t kind = missing;
  std::uint32_t leader = 0;  // a row before this one, or kAlone
  std::uint32_t far = 0;     // 1: on another disk, see config/whereabouts.hpp
  std::uint32_t check = 0;   // of the row with 0 here

  [[nodiscard]] std::uint32_t checksum(std::uint64_t table_hash) const {
    Row bare = *this;
    bare.check = 0;
    return static_cast<std::uint32_t>(hash64(raw_bytes(bare), table_hash));
  }
};
static_assert(sizeof(Row) == 48);

// Roots and paths: each text ends with a zero.
inline std::uint64_t hash_of(const Header& header, std::string_view roots, std::string_view paths) {
  const std::uint64_t head = hash64(raw_bytes(header).substr(kIdentityBytes));
  return hash64(paths, hash64(roots, head));
}

}  // namespace yore::ingest::files
