// zstd_text.hpp — a compressed value in memory, as databases hold them.
//
// Never holds more than `max_bytes` of text, whatever a frame claims, and looks back 64 MB at most.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yore::transcript {

inline constexpr std::size_t kMaxDecodedBytes = 64 << 20;

struct Decoded {
  enum class State : std::uint8_t { whole, damaged, oversized };
  std::string text;  // as far as it could be read
  State state = State::whole;
};
Decoded decompress(std::string_view bytes, std::size_t max_bytes = kMaxDecodedBytes);

// Does it begin as every zstd frame does?
bool is_compressed(std::string_view bytes);

}  // namespace yore::transcript
