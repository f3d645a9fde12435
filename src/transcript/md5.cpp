#include "transcript/md5.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace yore::transcript {
namespace {

constexpr std::size_t kBlockBytes = 64;

using Words = std::array<std::uint32_t, 4>;

// RFC 1321: floor(2^32 * |sin(i + 1)|).
const std::array<std::uint32_t, 64>& sines() {
  static const auto table = [] {
    std::array<std::uint32_t, 64> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double sine = std::fabs(std::sin(static_cast<double>(i + 1)));
      values[i] = static_cast<std::uint32_t>(std::floor(sine * 4294967296.0));
    }
    return values;
  }();
  return table;
}

constexpr std::array<std::array<int, 4>, 4> kShifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

std::uint32_t little_endian(const char* at) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8U | static_cast<unsigned char>(at[i]);
  return word;
}

void add_block(Words& sum, const char* block) {
  auto [a, b, c, d] = sum;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t round = i / 16;
    std::uint32_t mixed = 0;
    std::uint32_t word = 0;
    switch (round) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = 5 * i + 1;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = 3 * i + 5;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = 7 * i;
        break;
    }
    const std::uint32_t turned =
        std::rotl(a + mixed + sines()[i] + little_endian(block + std::size_t{word % 16} * 4),
                  kShifts[round][i % 4]);
    a = d;
    d = c;
    c = b;
    b += turned;
  }
  sum = {sum[0] + a, sum[1] + b, sum[2] + c, sum[3] + d};
}

}  // namespace

std::string md5_hex(std::string_view bytes) {
  Words sum = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string_view rest = bytes;
  for (; rest.size() >= kBlockBytes; rest.remove_prefix(kBlockBytes)) add_block(sum, rest.data());
  // A one bit, zeros, and the number of bits in the last eight bytes of a block.
  std::string tail(rest);
  tail += '\x80';
  while (tail.size() % kBlockBytes != kBlockBytes - 8) tail += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (unsigned shift = 0; shift < 64; shift += 8) tail += static_cast<char>(bits >> shift & 0xFFU);
  for (std::size_t at = 0; at < tail.size(); at += kBlockBytes) add_block(sum, tail.data() + at);

  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint32_t word : sum) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const std::uint32_t byte = word >> shift & 0xFFU;
      hex += kDigits[byte >> 4U];
      hex += kDigits[byte & 0xFU];
    }
  }
  return hex;
}

}  // namespace yore::transcript
