// fold.hpp — what one character becomes in the index, and what it does to the word around it.
//
// Folding: canonical decomposition, accents dropped, then case folding and compatibility forms
// (full width, ligatures, mathematical letters), accents dropped again; a few letters that Unicode
// does not take apart (ø, ł, đ, æ …) become what people type for them. Marks that are part of the
// spelling, such as the vowel signs of Devanagari, stay.
//
// Characters of scripts without spaces are composed (NFKC) instead: が is not か with an accent.
//
// Threads: fold_char() and compose_grams() are pure; a FoldCache belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace yore::text {

enum class CharClass : std::uint8_t {
  separator,    // ends a word
  transparent,  // accents, soft hyphens, joiners: belongs to the word before it, adds nothing
  underscore,
  digit,    // any number
  lower,    // any letter that is not upper case, and marks that spell
  small_s,  // lower case too; told apart for plurals of upper case: URLs
  upper,    // upper or title case
  gram,     // one character of a script without spaces
};

struct FoldedChar {
  CharClass kind = CharClass::separator;
  std::string text;  // UTF-8; for a separator its compatibility form
};

FoldedChar fold_char(char32_t c);

// One character from two folded ones, where writing them apart is only a matter of encoding: kana
// with a voicing mark, Hangul from its letters. 0 when there is none.
char32_t compose_grams(char32_t first, char32_t second);

// fold_char() remembered for letters, marks and grams; texts of separators are not kept.
class FoldCache {
 public:
  static constexpr std::size_t kMaxFoldedBytes = 13;

  class Entry {
   public:
    [[nodiscard]] CharClass kind() const { return kind_; }
    [[nodiscard]] std::string_view text() const { return {bytes_.data(), size_}; }

   private:
    friend class FoldCache;
    std::array<char, kMaxFoldedBytes> bytes_{};
    std::uint8_t size_ = 0;
    CharClass kind_ = CharClass::separator;
    bool known_ = false;
  };

  // Valid as long as the cache.
  const Entry& operator()(char32_t c) {
    auto& page = pages_[c / kPageChars];
    if (!page) page = std::make_unique<Page>();
    Entry& entry = (*page)[c % kPageChars];
    if (!entry.known_) learn(c, entry);
    return entry;
  }

 private:
  static constexpr std::size_t kPageChars = 256;
  static constexpr std::size_t kAllChars = 0x110000;
  using Page = std::array<Entry, kPageChars>;

  static void learn(char32_t c, Entry& entry);

  std::vector<std::unique_ptr<Page>> pages_{kAllChars / kPageChars};
};

}  // namespace yore::text
