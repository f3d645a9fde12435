// random.hpp — randomness that gives the same numbers on every machine.
//
// Integers only: no std distribution and no libm, whose results differ between platforms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace yore::generator {

// xoshiro256**, seeded through splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // 0 … bound-1. REQUIRES: bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }
  // low … high, both included.
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + below(high - low + 1);
  }
  bool chance(std::uint32_t per_mille) { return below(1000) < per_mille; }

  template <typename T, std::size_t N>
  const T& pick(const std::array<T, N>& items) {
    return items[below(static_cast<std::uint32_t>(N))];
  }

  static std::uint64_t splitmix(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::array<std::uint64_t, 4> state_{};
};

// A distribution given by its quantiles: straight lines below the median, parabolas above it, which
// follow the long tails of sizes and counts well enough.
struct Spread {
  std::uint32_t least = 0;
  std::uint32_t p10 = 0;
  std::uint32_t p50 = 0;
  std::uint32_t p90 = 0;
  std::uint32_t p99 = 0;
  std::uint32_t most = 0;
};

// The value below which `share` / 2^32 of all values lie.
inline std::uint32_t quantile(const Spread& spread, std::uint32_t share) {
  constexpr std::uint64_t kOne = 1ULL << 32;
  // Per mille with 16 more bits.
  const std::uint64_t at = share * (1000ULL << 16) / kOne;
  const auto between = [at](std::uint64_t low, std::uint64_t high, std::uint64_t from,
                            std::uint64_t to, bool bent) {
    std::uint64_t weight = (at - (from << 16)) / (to - from);
    if (bent) weight = weight * weight >> 16;
    return static_cast<std::uint32_t>(low + ((high - low) * weight >> 16));
  };
  if (at < (100 << 16)) return between(spread.least, spread.p10, 0, 100, false);
  if (at < (500 << 16)) return between(spread.p10, spread.p50, 100, 500, false);
  if (at < (900 << 16)) return between(spread.p50, spread.p90, 500, 900, true);
  if (at < (990 << 16)) return between(spread.p90, spread.p99, 900, 990, true);
  return between(spread.p99, spread.most, 990, 1000, false);
}

inline std::uint32_t sample(const Spread& spread, Rng& rng) {
  return quantile(spread, static_cast<std::uint32_t>(rng.next() >> 32));
}

// Fractions that fill 0…1 evenly instead of at random: what matters most (how long turns are, which
// generation writes) then converges after tens of sessions instead of thousands.
class Evenly {
 public:
  // Each use has its own `step`, the digits of another irrational number.
  explicit Evenly(std::uint32_t step, std::uint64_t seed)
      : at_(static_cast<std::uint32_t>(Rng::splitmix(seed) >> 32) + step), step_(step) {}
  std::uint32_t next() { return at_ += step_; }
  bool chance(std::uint32_t per_mille) { return (std::uint64_t{next()} * 1000 >> 32) < per_mille; }

 private:
  std::uint32_t at_;
  std::uint32_t step_;
};

struct Draws {
  explicit Draws(std::uint64_t seed)
      : turn_lines(0x9E3779B9, seed),
        turns(0x6A09E667, seed),
        modern(0xBB67AE85, seed),
        delegates(0x3C6EF372, seed),
        file_lengths(0xA54FF53A, seed),
        images(0x510E527F, seed),
        backwards(0x9B05688C, seed) {}

  Evenly turn_lines;
  Evenly turns;
  Evenly modern;
  Evenly delegates;
  Evenly file_lengths;
  Evenly images;
  Evenly backwards;
};

}  // namespace yore::generator
