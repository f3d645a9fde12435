#include "text/word_shape.hpp"

#include <algorithm>
#include <bit>

#include "base/ascii.hpp"

namespace yore::text {
namespace {

constexpr bool is_small(CharClass c) {
  return c == CharClass::lower || c == CharClass::small_s;
}

// Bits, so that kinds can be collected; 0 for the signs between pieces.
constexpr unsigned kLowerKind = 1;
constexpr unsigned kUpperKind = 2;
constexpr unsigned kDigitKind = 4;
constexpr unsigned kAllKinds = kLowerKind | kUpperKind | kDigitKind;

constexpr unsigned kind_of(char c) {
  if (ascii::is_lower(c)) return kLowerKind;
  if (ascii::is_upper(c)) return kUpperKind;
  return ascii::is_digit(c) ? kDigitKind : 0;
}

// REQUIRES: word[at] is upper, at > 0.
bool begins_part(std::span<const CharClass> word, std::size_t at) {
  const CharClass before = word[at - 1];
  if (is_small(before)) return true;
  if (at + 1 == word.size() || !is_small(word[at + 1])) return false;
  if (before == CharClass::digit) return true;
  const bool is_plural =
      word[at + 1] == CharClass::small_s && (at + 2 == word.size() || !is_small(word[at + 2]));
  return before == CharClass::upper && !is_plural;
}

}  // namespace

std::optional<WordParts> split_parts(std::span<const CharClass> word) {
  WordParts parts;
  std::size_t chars = 0;
  for (std::size_t at = 0; at < word.size();) {
    if (word[at] == CharClass::underscore) {
      ++at;
      continue;
    }
    const std::size_t begin = at++;
    while (at < word.size() && word[at] != CharClass::underscore &&
           !(word[at] == CharClass::upper && begins_part(word, at))) {
      ++at;
    }
    if (!parts.add({begin, at})) return std::nullopt;
    chars += at - begin;
  }
  if (chars < 2 * parts.size()) return std::nullopt;
  return parts;
}

std::optional<WordParts> split_parts(const WordBits& word, std::string_view lower) {
  const std::uint64_t all = first_bits(word.size);
  const std::uint64_t small = ~(word.digit | word.upper | word.underscore) & all;
  // In `x << 1` a byte sees the one before it, in `x >> 1` the one after it.
  std::uint64_t capitals = word.upper & (word.upper << 1U) & (small >> 1U);
  for (auto plurals = capitals & ~(small >> 2U); plurals != 0; plurals &= plurals - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(plurals));
    if (lower[at + 1] == 's') capitals &= ~(std::uint64_t{1} << at);
  }
  const std::uint64_t humps =
      capitals | (word.upper & (small << 1U | (word.digit << 1U & small >> 1U)));
  std::uint64_t starts = (humps | word.underscore << 1U | 1U) & ~word.underscore & all;
  const std::uint64_t stops = humps | word.underscore | ~all;

  WordParts parts;
  std::size_t chars = 0;
  for (; starts != 0; starts &= starts - 1) {
    const auto begin = static_cast<std::size_t>(std::countr_zero(starts));
    const std::uint64_t later = stops & ~first_bits(begin + 1);
    const auto end =
        static_cast<std::size_t>(std::countr_zero(later));  // `all` has a gap behind the word
    if (!parts.add({begin, end})) return std::nullopt;
    chars += end - begin;
  }
  if (chars < 2 * parts.size()) return std::nullopt;
  return parts;
}

bool is_hex_noise(std::string_view piece) {
  if (piece.starts_with("0x") || piece.starts_with("0X")) piece.remove_prefix(2);
  return piece.size() >= kMinHexDigits && std::all_of(piece.begin(), piece.end(), ascii::is_hex) &&
         std::any_of(piece.begin(), piece.end(), ascii::is_digit);
}

bool has_hex_noise(std::string_view word) {
  while (word.size() >= kMinHexDigits) {
    const std::size_t end = std::min(word.find('_'), word.size());
    if (is_hex_noise(word.substr(0, end))) return true;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return false;
}

bool starts_with_uuid(std::string_view text) {
  if (text.size() < kUuidBytes) return false;
  bool has_digit = false;
  for (std::size_t i = 0; i < kUuidBytes; ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : !ascii::is_hex(text[i])) return false;
    has_digit = has_digit || ascii::is_digit(text[i]);
  }
  return has_digit;
}

std::optional<NoiseSpan> find_encoded(std::string_view run) {
  std::optional<NoiseSpan> span;
  std::size_t changes = 0;
  unsigned kinds = 0;
  // Including the quiet pieces since the end of `span`: they count when a lively one follows.
  std::size_t all_changes = 0;
  unsigned all_kinds = 0;
  for (std::size_t at = 0; at < run.size(); ++at) {
    const std::size_t begin = at;
    const std::size_t changes_before = all_changes;
    unsigned piece_kinds = 0;
    for (unsigned last = 0; at < run.size(); ++at) {
      const unsigned kind = kind_of(run[at]);
      if (kind == 0) break;
      if (last != 0 && kind != last) ++all_changes;
      piece_kinds |= kind;
      last = kind;
    }
    all_kinds |= piece_kinds;
    if (all_changes - changes_before < 2) {
      if (!span) all_changes = all_kinds = 0;
      continue;
    }
    span = NoiseSpan{span ? span->begin : begin, at};
    changes = all_changes;
    kinds = all_kinds;
  }
  if (!span || kinds != kAllKinds) return std::nullopt;
  const std::size_t size = span->end - span->begin;
  if (size < kMinEncodedBytes || changes * 20 < size * 9) return std::nullopt;
  return span;
}

}  // namespace yore::text
