// varint.hpp — 1 to 5 bytes, 7 bits each, low bits first. Unchecked reading: for bytes behind a
// checksum only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace yore::lexical {

inline void put_varint(std::string& out, std::uint32_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// REQUIRES: room for kMaxVarint bytes.
inline constexpr std::size_t kMaxVarint = 5;
inline char* put_varint(char* out, std::uint32_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

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

}  // namespace yore::lexical
