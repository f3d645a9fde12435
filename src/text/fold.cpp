#include "text/fold.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "text/analyzer.hpp"
#include "text/char_range.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

constexpr char32_t kZeroWidthSpace = 0x200B;

// Where the scripts without spaces live; punctuation among them is told by its category.
constexpr std::array kGramRanges = {
    CharRange{0x0E00, 0x0EFF},    // Thai, Lao
    CharRange{0x1000, 0x109F},    // Myanmar
    CharRange{0x1100, 0x11FF},    // Hangul letters
    CharRange{0x1780, 0x17FF},    // Khmer
    CharRange{0x3005, 0x3007},    // iteration mark, closing mark, zero
    CharRange{0x3021, 0x3029},    // Hangzhou numerals
    CharRange{0x3031, 0x3035},    // kana repeat marks
    CharRange{0x3038, 0x303C},    // Hangzhou numerals, masu
    CharRange{0x3041, 0x318F},    // Hiragana, Katakana, Bopomofo, Hangul letters
    CharRange{0x31A0, 0x31FF},    // Bopomofo, strokes, small Katakana
    CharRange{0x3400, 0x4DBF},    // Han
    CharRange{0x4E00, 0x9FFF},    // Han
    CharRange{0xA960, 0xA97F},    // Hangul letters
    CharRange{0xA9E0, 0xA9FF},    // Myanmar
    CharRange{0xAA60, 0xAA7F},    // Myanmar
    CharRange{0xAC00, 0xD7FF},    // Hangul
    CharRange{0xF900, 0xFAFF},    // Han, compatibility
    CharRange{0xFF66, 0xFFDC},    // half-width Katakana and Hangul
    CharRange{0x1AFF0, 0x1B16F},  // Kana
    CharRange{0x20000, 0x3FFFF},  // Han
};

constexpr bool is_gram(char32_t c) {
  return any_contains(kGramRanges, c);
}

struct Replacement {
  char32_t letter;
  std::string_view typed;
};

// Letters that carry their accent inside, after case folding.
constexpr std::array kReplacements = {
    Replacement{U'æ', "ae"}, Replacement{U'ð', "d"}, Replacement{U'ø', "o"},
    Replacement{U'þ', "th"}, Replacement{U'đ', "d"}, Replacement{U'ħ', "h"},
    Replacement{U'ı', "i"},  Replacement{U'ł', "l"}, Replacement{U'ŋ', "n"},
    Replacement{U'œ', "oe"}, Replacement{U'ŧ', "t"},
};

const utf8proc_property_t& property_of(char32_t c) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}

enum class Category : std::uint8_t { letter, mark, number, other };

Category category_of(char32_t c) {
  switch (property_of(c).category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return Category::letter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return Category::mark;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return Category::number;
    default:
      return Category::other;
  }
}

bool is_upper(char32_t c) {
  const auto category = property_of(c).category;
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

bool is_ignorable(char32_t c) {
  return property_of(c).ignorable != 0 && c != kZeroWidthSpace;
}

// Combining class 0 spells a vowel, 9 kills one; the others sit on a letter. Enclosing marks (the
// key around a digit) sit around it.
bool is_accent(char32_t c) {
  if (category_of(c) != Category::mark) return false;
  const utf8proc_property_t& property = property_of(c);
  if (property.category == UTF8PROC_CATEGORY_ME) return true;
  return property.combining_class != 0 && property.combining_class != 9;
}

void append_utf8(std::string& out, char32_t c) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
}

// Longer than any decomposition (U+FDFA has 18 characters).
using Buffer = std::array<utf8proc_int32_t, 64>;

std::span<utf8proc_int32_t> decompose(char32_t c, unsigned options, Buffer& buffer) {
  int boundary = 0;
  const auto size = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), buffer.data(),
                                            static_cast<utf8proc_ssize_t>(buffer.size()),
                                            static_cast<utf8proc_option_t>(options), &boundary);
  if (size < 0 || static_cast<std::size_t>(size) > buffer.size()) return {};
  return std::span{buffer}.first(static_cast<std::size_t>(size));
}

void append_folded_letter(std::string& out, char32_t c) {
  const auto* found = std::find_if(kReplacements.begin(), kReplacements.end(),
                                   [c](const Replacement& r) { return r.letter == c; });
  if (found != kReplacements.end()) {
    out += found->typed;
  } else {
    append_utf8(out, c);
  }
}

// Appends the folded form; false when it holds what is no letter, number or mark ("½": 1⁄2).
bool append_folded(std::string& out, char32_t c) {
  Buffer outer;
  Buffer inner;
  bool is_word = true;
  for (const auto base : decompose(c, UTF8PROC_DECOMPOSE, outer)) {
    if (is_accent(static_cast<char32_t>(base))) continue;
    constexpr unsigned kFold = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD;
    for (const auto letter : decompose(static_cast<char32_t>(base), kFold, inner)) {
      const auto folded = static_cast<char32_t>(letter);
      if (is_accent(folded)) continue;
      if (category_of(folded) == Category::other) is_word = false;
      append_folded_letter(out, folded);
    }
  }
  return is_word;
}

FoldedChar fold_gram(char32_t c) {
  Buffer buffer;
  const auto parts = decompose(c, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, buffer);
  const auto size =
      utf8proc_normalize_utf32(parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  FoldedChar folded{CharClass::gram, {}};
  for (const auto part : parts.first(static_cast<std::size_t>(std::max<std::int64_t>(size, 0)))) {
    const auto composed = static_cast<char32_t>(part);
    if (category_of(composed) == Category::other) folded.kind = CharClass::separator;
    append_utf8(folded.text, composed);
  }
  return folded;
}

// `text` is folded.
bool has_gram(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    if (is_gram(c.code_point)) return true;
    at += c.size_bytes;
  }
  return false;
}

// Appends what a character was folded to; what stands at `last` in `out` and the next character
// become one where they are one. Folded once more, the same comes out.
void append_composed(std::string& out, std::string_view folded, std::size_t& last) {
  for (std::size_t at = 0; at < folded.size();) {
    const Char c = decode_at(folded, at);
    char32_t both = 0;
    if (last < out.size()) both = compose_grams(decode_at(out, last).code_point, c.code_point);
    if (both != 0) out.resize(last);
    last = out.size();
    append_utf8(out, both != 0 ? both : c.code_point);
    at += c.size_bytes;
  }
}

CharClass class_of(char32_t c, const std::string& folded) {
  if (category_of(c) == Category::number) return CharClass::digit;
  if (is_upper(c)) return CharClass::upper;
  return folded == "s" ? CharClass::small_s : CharClass::lower;
}

}  // namespace

FoldedChar fold_char(char32_t c) {
  if (c == U'_') return {CharClass::underscore, "_"};
  if (is_ignorable(c)) return {CharClass::transparent, {}};
  const Category group = category_of(c);
  if (group != Category::other && is_gram(c)) return fold_gram(c);
  if (is_accent(c)) return {CharClass::transparent, {}};

  FoldedChar folded;
  const bool is_word = append_folded(folded.text, c) && group != Category::other;
  // Circled and other dressed-up forms of Han, kana and Hangul; most of them are symbols.
  if (has_gram(folded.text)) {
    folded = fold_gram(c);
    if (!is_word) folded.kind = CharClass::separator;
    return folded;
  }
  if (!is_word) return folded;
  if (folded.text.empty()) return {CharClass::transparent, {}};
  folded.kind = class_of(c, folded.text);
  return folded;
}

char32_t compose_grams(char32_t first, char32_t second) {
  const bool is_voicing = second == 0x3099 || second == 0x309A;
  const bool is_vowel_or_final = second >= 0x1161 && second <= 0x11C2;
  if (!is_voicing && !is_vowel_or_final) return 0;
  std::array pair = {static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second)};
  const auto size =
      utf8proc_normalize_utf32(pair.data(), static_cast<utf8proc_ssize_t>(pair.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  return size == 1 ? static_cast<char32_t>(pair[0]) : 0;
}

void FoldCache::learn(char32_t c, Entry& entry) {
  const FoldedChar folded = fold_char(c);
  entry.known_ = true;
  entry.kind_ = folded.kind;
  if (folded.kind == CharClass::separator) return;
  const std::string_view text = prefix_bytes(folded.text, entry.bytes_.size());
  std::copy(text.begin(), text.end(), entry.bytes_.begin());
  entry.size_ = static_cast<std::uint8_t>(text.size());
}

std::string fold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t last = std::string::npos;  // where in `out` a character may take a voicing mark
  for (std::size_t at = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    at += c.size_bytes;
    if (c.code_point < 0x80) {
      out += ascii::to_lower(static_cast<char>(c.code_point));
      last = std::string::npos;
      continue;
    }
    append_composed(out, fold_char(c.code_point).text, last);
  }
  return out;
}

}  // namespace yore::text
