// quick_decode.hpp — decode_at() with the common sequences of two and three bytes in line.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/utf8.hpp"

namespace yore::text {

// As decode_at(). REQUIRES: at < text.size()
inline Char quick_decode_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t left = text.size() - at;
  if (lead >= 0xC2 && lead < 0xE0 && left >= 2 && continues(1)) {
    return {(lead & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
  }
  // 0xE0 may be too long for what it says, 0xED half a pair.
  if (lead > 0xE0 && lead < 0xED && left >= 3 && continues(1) && continues(2)) {
    return {(lead & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
  }
  return decode_at(text, at);
}

}  // namespace yore::text
