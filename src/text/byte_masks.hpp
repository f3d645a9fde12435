// byte_masks.hpp — the first look at a text: a lower-case copy, a bit per byte for the questions
// the analyser asks of every word, and where the runs of word bytes begin and end.
//
// A word byte is an ASCII letter, digit or underscore, or any byte from 0x80 on. Encoded bytes (see
// find_encoded) are found here and taken out of the runs.
//
// Threads: belongs to one thread; keeps its buffers between texts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/word_shape.hpp"

namespace yore::text {

class ByteMasks {
 public:
  // O(n). REQUIRES: less than 4 GiB.
  void read(std::string_view text);

  // ASCII letters in lower case, all other bytes as they are. Same length as the text; two zero
  // bytes follow it.
  [[nodiscard]] std::string_view lower() const { return {lower_.data(), size_}; }
  // Begin, end, begin, end … of the runs of word bytes.
  [[nodiscard]] std::span<const std::uint32_t> edges() const {
    return {edges_.data(), edge_count_};
  }
  [[nodiscard]] const std::vector<NoiseSpan>& encoded() const { return encoded_; }

  // A bit for each of the `count` bytes from `at`, the first in the lowest.
  // REQUIRES for all: at < size, count in 1 … kMaxWindow.
  static constexpr std::size_t kMaxWindow = WordBits::kMaxBytes;
  // Capitals, underscores and bytes from 0x80 on: where there is none, a word has one part.
  [[nodiscard]] std::uint64_t unusual(std::size_t at, std::size_t count) const {
    return window(Plane::unusual, at) & first_bits(count);
  }
  [[nodiscard]] std::uint64_t digits(std::size_t at, std::size_t count) const {
    return window(Plane::digit, at) & first_bits(count);
  }
  [[nodiscard]] WordBits word_bits(std::size_t at, std::size_t count) const {
    const std::uint64_t mask = first_bits(count);
    return {window(Plane::digit, at) & mask, window(Plane::upper, at) & mask,
            window(Plane::underscore, at) & mask, count};
  }

 private:
  static constexpr std::size_t kBlock = 64;

  enum class Plane : std::uint8_t { word, encodable, digit, upper, underscore, unusual, count };

  // Blocks of 64 bits; one more than the text needs, zero.
  [[nodiscard]] std::uint64_t* plane(Plane which) {
    return bits_.data() + static_cast<std::size_t>(which) * stride_;
  }
  [[nodiscard]] const std::uint64_t* plane(Plane which) const {
    return bits_.data() + static_cast<std::size_t>(which) * stride_;
  }
  // At least 57 bits from `at`.
  [[nodiscard]] std::uint64_t window(Plane which, std::size_t at) const {
    if constexpr (std::endian::native == std::endian::little) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const char*>(plane(which)) + at / 8, sizeof bits);
      return bits >> at % 8;
    } else {
      const std::uint64_t* blocks = plane(which) + at / kBlock;
      const std::size_t shift = at % kBlock;
      return blocks[0] >> shift | (blocks[1] << 1U) << (kBlock - 1 - shift);
    }
  }

  [[nodiscard]] std::size_t blocks() const { return (size_ + kBlock - 1) / kBlock; }
  void make_room();
  void classify(const char* text, std::size_t block);
  [[nodiscard]] std::size_t run_begin(std::size_t at) const;
  [[nodiscard]] std::size_t run_end(std::size_t at) const;
  void find_noise(std::string_view text);
  void take_out(const NoiseSpan& span);
  void find_edges();

  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<char> lower_;
  std::vector<std::uint32_t> edges_;
  std::size_t edge_count_ = 0;
  std::vector<NoiseSpan> encoded_;
};

}  // namespace yore::text
