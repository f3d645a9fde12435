// word_shape.hpp — what the letters of a word tell: where an identifier falls into parts, and what
// is no word at all but a hash or encoded bytes. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "text/fold.hpp"

namespace yore::text {

// What is left of noise: enough to find it again when somebody pastes it.
inline constexpr std::size_t kNoiseChars = 12;

// Parts of an identifier, as ranges of its characters.
struct WordPart {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// More parts than this are no identifier.
inline constexpr std::size_t kMaxParts = 16;

class WordParts {
 public:
  // False when there are too many; what was added before stays.
  bool add(WordPart part) {
    if (size_ == kMaxParts) return false;
    parts_[size_++] = part;
    return true;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const WordPart* begin() const { return parts_.data(); }
  [[nodiscard]] const WordPart* end() const { return parts_.data() + size_; }
  const WordPart& operator[](std::size_t i) const { return parts_[i]; }

 private:
  std::array<WordPart, kMaxParts> parts_{};
  std::size_t size_ = 0;
};

// `word` in parts. Underscores separate them, and a part begins at a capital
//   after a small letter                        parseJson → parse · json
//   after a capital when a small letter follows HTTPServer → http · server
//   after a digit when a small letter follows   utf8Decode → utf8 · decode; but 2FA, E2E
// A plural keeps its capitals together: URLs, getIDsFrom → get · ids · from.
//
// Empty when it is not to be split: more than kMaxParts, or shorter than two characters on average.
// REQUIRES: no class but underscore, digit, lower, small_s, upper.
std::optional<WordParts> split_parts(std::span<const CharClass> word);

constexpr std::uint64_t first_bits(std::size_t count) {
  return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
}

// A short ASCII word as bits, the first byte lowest.
struct WordBits {
  static constexpr std::size_t kMaxBytes = 56;  // one unaligned load holds 57 bits or more
  std::uint64_t digit = 0;
  std::uint64_t upper = 0;
  std::uint64_t underscore = 0;
  std::size_t size = 0;  // 1 … kMaxBytes
};

// The same, all bytes at once. `lower` is the word in lower case.
std::optional<WordParts> split_parts(const WordBits& word, std::string_view lower);

inline constexpr std::size_t kMinHexDigits = 16;
// As many hexadecimal digits or more, at least one of them 0 to 9, after an optional 0x.
bool is_hex_noise(std::string_view piece);
// Whether any piece of `word` between underscores is.
bool has_hex_noise(std::string_view word);

// Whether `text` begins with 8-4-4-4-12 hexadecimal digits, at least one of them 0 to 9; what
// follows is not looked at.
inline constexpr std::size_t kUuidBytes = 36;
bool starts_with_uuid(std::string_view text);

// Encoded bytes in `run`, a maximal run of A–Z a–z 0–9 + / - _.
//
// The run is taken in pieces, cut at the four signs. Pieces at both ends whose characters change
// less than twice between lower case, upper case and digits are words (a path before a hash,
// "sha512-") and left out. What remains is noise when it has 40 or more characters, has all three
// kinds and changes at 45 % of its characters: random base64 does at 60 %, an identifier at 30 %.
struct NoiseSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};
inline constexpr std::size_t kMinEncodedBytes = 40;
std::optional<NoiseSpan> find_encoded(std::string_view run);

}  // namespace yore::text
