#include "archive/chunker.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace yore::archive {
namespace {

constexpr std::uint64_t kCutMask = (std::uint64_t{1} << 18U) - 1;

// A number for each byte that has nothing to do with any other: SplitMix64.
constexpr std::array<std::uint64_t, 256> make_gear() {
  std::array<std::uint64_t, 256> gear{};
  std::uint64_t state = 0;
  for (std::uint64_t& number : gear) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    number = mixed ^ (mixed >> 31U);
  }
  return gear;
}
constexpr std::array<std::uint64_t, 256> kGear = make_gear();
constexpr std::size_t kHashedBytes = 64;

}  // namespace

std::size_t first_chunk(std::string_view bytes) {
  const std::size_t most = std::min(bytes.size(), kMostChunkBytes);
  if (most <= kLeastChunkBytes) return most;
  std::uint64_t hash = 0;
  for (std::size_t i = kLeastChunkBytes - kHashedBytes; i < most; ++i) {
    // Each step moves a byte one bit up: after 64 it has left the hash. The upper bits know most.
    hash = (hash << 1U) + kGear[static_cast<unsigned char>(bytes[i])];
    if (i + 1 > kLeastChunkBytes && ((hash >> 40U) & kCutMask) == 0) return i + 1;
  }
  return most;
}

}  // namespace yore::archive
