#include "turns/chunk_id.hpp"

#include "base/hash.hpp"

namespace yore::turns {

std::uint64_t chunk_number(std::string_view session_uid, std::uint32_t turn) {
  std::string name(session_uid);
  name += '#';
  name += std::to_string(turn);
  return hash64(name) >> 16;
}

std::string chunk_text(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(12, '0');
  for (std::size_t i = text.size(); i-- > 0; number >>= 4) text[i] = kDigits[number & 15];
  return text;
}

std::uint64_t chunk_of(const Turn& turn, std::string_view session_uid) {
  return turn.chunk != 0 ? turn.chunk : chunk_number(session_uid, turn.number);
}

}  // namespace yore::turns
