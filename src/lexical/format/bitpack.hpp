// bitpack.hpp — 128 numbers in as many bits each as the largest needs.
//
// Number i lies in lane i % 4 of four parallel streams of 32-bit words, so that one vector
// instruction moves four numbers. Compilers turn the vectors into SSE2, NEON or plain code.
#pragma once

#include <cstdint>
#include <string>

namespace yore::lexical {

inline constexpr std::size_t kPacked = 128;

constexpr std::size_t packed_bytes(unsigned bits) {
  return std::size_t{16} * bits;
}

// Appends packed_bytes(bits) bytes. REQUIRES: every value < 2^bits.
void pack128(const std::uint32_t* values, unsigned bits, std::string& out);
void unpack128(const char* in, unsigned bits, std::uint32_t* values);
// The same for ascending numbers, packed as differences: values[i] = base + in[0] + … + in[i].
void unpack128_sums(const char* in, unsigned bits, std::uint32_t base, std::uint32_t* values);

// How many bits the largest needs, of the OR of all values.
constexpr unsigned bits_for(std::uint32_t all) {
  return all == 0 ? 0 : 32U - static_cast<unsigned>(__builtin_clz(all));
}

}  // namespace yore::lexical
