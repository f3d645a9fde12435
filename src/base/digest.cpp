#include "base/digest.hpp"

#include <sys/types.h>
// These need sys/types.h before them.
#include <md5.h>
#include <sha2.h>

#include <array>
#include <cstdint>

namespace yore {

std::string md5_hex(std::string_view bytes) {
  std::array<char, MD5_DIGEST_STRING_LENGTH> hex{};
  MD5Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), hex.data());
  return hex.data();
}

std::string sha256_hex(std::string_view bytes) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> hex{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), hex.data());
  return hex.data();
}

}  // namespace yore
