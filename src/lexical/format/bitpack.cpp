#include "lexical/format/bitpack.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace yore::lexical {
namespace {

using Lanes = std::uint32_t __attribute__((vector_size(16)));
constexpr int kRows = 32;

Lanes load(const char* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
void store(std::uint32_t* to, Lanes lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}
Lanes all(std::uint32_t value) {
  return Lanes{value, value, value, value};
}

// kRow `kRow` of numbers of `kBits` bits: within one word of the lane, or across two.
template <unsigned kBits, int kRow>
Lanes row(const char* in) {
  if constexpr (kBits == 0) {
    return Lanes{};
  } else {
    constexpr unsigned kAt = static_cast<unsigned>(kRow) * kBits;
    constexpr unsigned kWord = kAt / 32;
    constexpr unsigned kShift = kAt % 32;
    Lanes lanes = load(in + std::size_t{16} * kWord) >> kShift;
    if constexpr (kShift + kBits > 32)
      lanes |= load(in + std::size_t{16} * (kWord + 1)) << (32 - kShift);
    if constexpr (kBits < 32) lanes &= all((1U << kBits) - 1);
    return lanes;
  }
}

template <unsigned kBits>
void unpack(const char* in, std::uint32_t* values) {
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    (store(values + std::ptrdiff_t{4} * kRow, row<kBits, kRow>(in)), ...);
  }
  (std::make_integer_sequence<int, kRows>{});
}

// Adds up within the four lanes, then what came before.
Lanes running(Lanes lanes, Lanes before) {
  const Lanes zero{};
  lanes += __builtin_shufflevector(zero, lanes, 3, 4, 5, 6);
  lanes += __builtin_shufflevector(zero, lanes, 2, 3, 4, 5);
  return lanes + __builtin_shufflevector(before, before, 3, 3, 3, 3);
}

template <unsigned kBits>
void unpack_sums(const char* in, std::uint32_t base, std::uint32_t* values) {
  Lanes sum = all(base);
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    ((sum = running(row<kBits, kRow>(in), sum), store(values + std::ptrdiff_t{4} * kRow, sum)),
     ...);
  }
  (std::make_integer_sequence<int, kRows>{});
}

// kRow `kRow` into the word at hand, which is written when it is full.
template <unsigned kBits, int kRow>
void pack_row(const std::uint32_t* values, Lanes& word, char* out) {
  constexpr unsigned kAt = static_cast<unsigned>(kRow) * kBits;
  constexpr unsigned kShift = kAt % 32;
  const Lanes lanes = load(reinterpret_cast<const char*>(values + std::ptrdiff_t{4} * kRow));
  word |= lanes << kShift;
  if constexpr (kShift + kBits >= 32) {
    std::memcpy(out + std::size_t{16} * (kAt / 32), &word, sizeof word);
    word = Lanes{};
    if constexpr (kShift + kBits > 32) word = lanes >> (32 - kShift);
  }
}

template <unsigned kBits>
void pack(const std::uint32_t* values, char* out) {
  Lanes word{};
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    (pack_row<kBits, kRow>(values, word, out), ...);
  }
  (std::make_integer_sequence<int, kRows>{});
}

using Pack = void (*)(const std::uint32_t*, char*);
using Unpack = void (*)(const char*, std::uint32_t*);
using UnpackSums = void (*)(const char*, std::uint32_t, std::uint32_t*);

template <unsigned... kBits>
constexpr std::array<Pack, 33> pack_table(std::integer_sequence<unsigned, kBits...>) {
  return {&pack<kBits>...};
}
template <unsigned... kBits>
constexpr std::array<Unpack, 33> unpack_table(std::integer_sequence<unsigned, kBits...>) {
  return {&unpack<kBits>...};
}
template <unsigned... kBits>
constexpr std::array<UnpackSums, 33> sums_table(std::integer_sequence<unsigned, kBits...>) {
  return {&unpack_sums<kBits>...};
}
constexpr auto kPack = pack_table(std::make_integer_sequence<unsigned, 33>{});
constexpr auto kUnpack = unpack_table(std::make_integer_sequence<unsigned, 33>{});
constexpr auto kUnpackSums = sums_table(std::make_integer_sequence<unsigned, 33>{});

}  // namespace

void pack128(const std::uint32_t* values, unsigned bits, std::string& out) {
  const std::size_t at = out.size();
  out.resize(at + packed_bytes(bits));
  kPack[bits](values, out.data() + at);
}

void unpack128(const char* in, unsigned bits, std::uint32_t* values) {
  kUnpack[bits](in, values);
}

void unpack128_sums(const char* in, unsigned bits, std::uint32_t base, std::uint32_t* values) {
  kUnpackSums[bits](in, base, values);
}

}  // namespace yore::lexical
