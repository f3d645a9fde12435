// varint.hpp — 7 bits a byte, low bits first; the last byte is below 0x80. Up to 5 bytes for 32
// bits, up to 10 for 64. Checked reading is ByteReader's, in bytes.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace yore {

inline constexpr std::size_t kMaxVarint = 5;  // of 32 bits

// REQUIRES: room for the bytes.
template <std::unsigned_integral Number>
char* put_varint(char* out, Number value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

template <std::unsigned_integral Number>
void put_varint(std::string& out, Number value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

inline std::size_t varint_bytes(std::uint64_t value) {
  std::size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

// At most 32 bits, unchecked. REQUIRES: a checksum over the bytes has been verified.
inline std::uint32_t get_varint(const char*& from) {
  auto byte = static_cast<unsigned char>(*from++);
  if (byte < 0x80) return byte;
  std::uint32_t value = byte & 0x7FU;
  for (unsigned shift = 7;; shift += 7) {
    byte = static_cast<unsigned char>(*from++);
    value |= (byte & 0x7FU) << shift;
    if (byte < 0x80 || shift >= 28) return value;
  }
}

inline void skip_varints(const char*& from, std::uint32_t count) {
  while (count > 0) count -= static_cast<unsigned char>(*from++) < 0x80 ? 1 : 0;
}

}  // namespace yore
