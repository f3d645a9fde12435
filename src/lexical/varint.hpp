// varint.hpp — 1 to 5 bytes, 7 bits each, low bits first. Unchecked reading: for bytes behind a
// checksum only.
#pragma once

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

}  // namespace yore::lexical
