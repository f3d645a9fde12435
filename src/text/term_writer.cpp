#include "text/term_writer.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "text/quick_decode.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

constexpr std::size_t kMinStemmed = 3;
constexpr std::size_t kMaxStemmed = 32;

constexpr bool is_term_byte(char c) {
  return ascii::is_alnum(c) || c == '_';
}

// REQUIRES: is_term_byte(c).
constexpr CharClass class_of(char c) {
  if (ascii::is_digit(c)) return CharClass::digit;
  if (ascii::is_upper(c)) return CharClass::upper;
  if (c == '_') return CharClass::underscore;
  return c == 's' ? CharClass::small_s : CharClass::lower;
}

bool can_be_stemmed(std::string_view folded) {
  return folded.size() >= kMinStemmed && folded.size() <= kMaxStemmed &&
         std::all_of(folded.begin(), folded.end(), ascii::is_lower);
}

}  // namespace

void TermWriter::start(std::string_view text) {
  text_ = text;
  masks_.read(text);
  arena_.clear();
  terms_.clear();
  position_ = 0;
}

void TermWriter::word(const Word& word, Joins joins) {
  const std::size_t size = word.word.size();
  if (word.is_ascii && size <= ByteMasks::kMaxWindow) {
    if (masks_.unusual(word.word.begin, size) >> 1U == 0) {
      plain_word(word.word, joins);
      return;
    }
    if (size < kMinHexDigits || !has_hex_noise(bytes(word.word))) {
      short_word(word.word, masks_.word_bits(word.word.begin, size), joins);
      return;
    }
  }
  if (has_hex_noise(bytes(word.word))) {
    pieces(word);
  } else {
    long_word(word, joins);
  }
}

void TermWriter::plain_word(Bytes word, Joins joins) {
  const std::size_t size = word.size();
  std::string_view folded = lower(word);
  if (size >= kMinHexDigits) {
    if (is_hex_noise(folded)) {
      add(folded.substr(0, kNoiseChars), word, position_++, TermKind::word);
      return;
    }
    folded = folded.substr(0, kMaxTermBytes);
  }
  const std::uint64_t digits = masks_.digits(word.begin, size);
  add(folded, word, position_, TermKind::word,
      digits == 0 && size >= kMinStemmed && size <= kMaxStemmed);
  for (const Bytes& range : joins) join(range);
  if (size == 1 || digits == first_bits(size)) marks(word);
  ++position_;
}

// An identifier, most of the time.
void TermWriter::short_word(Bytes word, const WordBits& bits, Joins joins) {
  const std::string_view folded = lower(word);
  const std::string_view whole =
      bits.underscore == 0 ? folded.substr(0, kMaxTermBytes) : without_underscores(folded);
  const auto parts = split_parts(bits, folded);
  if (!parts || parts->size() == 1) {
    add(whole, word, position_, TermKind::word, can_be_stemmed(whole));
    for (const Bytes& range : joins) join(range);
    ++position_;
    return;
  }
  for (const WordPart& part : *parts) {
    const std::size_t size = part.end - part.begin;
    const bool has_digit = (bits.digit >> part.begin & first_bits(size)) != 0;
    const Bytes range{word.begin + static_cast<std::uint32_t>(part.begin),
                      word.begin + static_cast<std::uint32_t>(part.end)};
    add(lower(range).substr(0, kMaxTermBytes), range, position_, TermKind::part,
        !has_digit && size >= kMinStemmed && size <= kMaxStemmed);
    if (part.begin == 0) {
      add(whole, word, position_, TermKind::whole);
      for (const Bytes& joined : joins) join(joined);
    }
    ++position_;
  }
}

void TermWriter::long_word(const Word& word, Joins joins) {
  read_chars(word.word);
  if (chars_.count == 0) return;  // an accent between underscores
  const std::string_view whole = without_underscores(chars_.text({0, chars_.count}));
  std::optional<WordParts> parts;
  if (!chars_.is_plain) parts = split_parts(std::span{chars_.classes}.first(chars_.count));
  if (!parts || parts->size() == 1) {
    add(whole, word.word, position_, TermKind::word, can_be_stemmed(whole));
    for (const Bytes& range : joins) join(range);
    ++position_;
    return;
  }
  for (const WordPart& part : *parts) {
    const std::string_view text = chars_.text(part);
    add(arena_.keep(prefix_bytes(text, kMaxTermBytes)),
        {chars_.source_at[part.begin], chars_.source_at[part.end]}, position_, TermKind::part,
        can_be_stemmed(text));
    if (part.begin == 0) {
      add(whole, word.word, position_, TermKind::whole);
      for (const Bytes& joined : joins) join(joined);
    }
    ++position_;
  }
}

void TermWriter::Chars::reserve(std::size_t bytes) {
  count = 0;
  is_plain = true;
  if (classes.size() > bytes) return;
  const std::size_t size = 2 * bytes + 64;
  classes.resize(size);
  folded_at.resize(size);
  source_at.resize(size);
  folded.resize(size * FoldCache::kMaxFoldedBytes);
  folded_at[0] = 0;
}

void TermWriter::Chars::add(CharClass kind, const char* text, std::size_t size, std::uint32_t at) {
  is_plain = is_plain && kind != CharClass::underscore && (kind != CharClass::upper || count == 0);
  classes[count] = kind;
  source_at[count] = at;
  std::copy_n(text, size, folded.data() + folded_at[count]);
  ++count;
  folded_at[count] = folded_at[count - 1] + static_cast<std::uint32_t>(size);
}

void TermWriter::read_chars(Bytes word) {
  chars_.reserve(word.size());
  for (std::uint32_t at = word.begin; at < word.end;) {
    const Char c = quick_decode_at(text_, at);
    if (c.code_point < 0x80) {
      chars_.add(class_of(text_[at]), masks_.lower().data() + at, 1, at);
    } else {
      const FoldCache::Entry& entry = fold_(c.code_point);
      const std::string_view folded = entry.text();
      if (entry.kind() != CharClass::transparent) {
        chars_.add(entry.kind(), folded.data(), folded.size(), at);
      }
    }
    at += static_cast<std::uint32_t>(c.size_bytes);
  }
  chars_.source_at[chars_.count] = word.end;
}

// Cut, and kept.
std::string_view TermWriter::without_underscores(std::string_view folded) {
  if (folded.find('_') != std::string_view::npos) {
    // Underscores and one character more than a cut can need.
    scratch_.clear();
    for (const char c : folded) {
      if (c != '_') scratch_ += c;
      if (scratch_.size() == kMaxTermBytes + 4) break;
    }
    folded = scratch_;
  }
  return arena_.keep(prefix_bytes(folded, kMaxTermBytes));
}

// A word that holds a hash: each piece between underscores is a word of its own.
void TermWriter::pieces(const Word& word) {
  for (std::uint32_t at = word.word.begin; at < word.word.end; ++at) {
    const std::uint32_t begin = at;
    while (at < word.word.end && text_[at] != '_') ++at;
    if (at == begin) continue;
    const std::string_view piece = text_.substr(begin, at - begin);
    if (is_hex_noise(piece)) {
      noise({begin, at});
      continue;
    }
    const bool is_ascii = std::all_of(piece.begin(), piece.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    this->word({{begin, at}, {begin, at}, is_ascii});
  }
}

void TermWriter::noise(Bytes range) {
  scratch_.clear();
  for (const char c : lower(range)) {
    if (ascii::is_digit(c) || ascii::is_lower(c)) scratch_ += c;
    if (scratch_.size() == kNoiseChars) break;
  }
  add(arena_.keep(scratch_), range, position_++, TermKind::word);
}

void TermWriter::gram(Bytes range, std::string_view text) {
  add(text, range, position_++, TermKind::gram);
}

void TermWriter::pair(Bytes range, std::string_view first, std::string_view second) {
  scratch_.assign(first).append(second);
  add(arena_.keep(prefix_bytes(scratch_, kMaxTermBytes)), range, position_ - 1, TermKind::pair);
}

void TermWriter::join(Bytes range) {
  const std::string_view small = lower(range);
  const bool as_it_is = std::all_of(small.begin(), small.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && c != '\\';
  });
  if (as_it_is) {
    add(small.substr(0, kMaxTermBytes), range, position_, TermKind::joined);
    return;
  }
  scratch_.clear();
  for (std::size_t at = 0; at < small.size() && scratch_.size() <= kMaxTermBytes;) {
    const Char c = decode_at(small, at);
    at += c.size_bytes;
    if (c.code_point >= 0x80) {
      scratch_ += fold_(c.code_point).text();
    } else {
      scratch_ += c.code_point == U'\\' ? '/' : static_cast<char>(c.code_point);
    }
  }
  add(arena_.keep(prefix_bytes(scratch_, kMaxTermBytes)), range, position_, TermKind::joined);
}

// "#1234", and the languages that are a letter and signs: c++, c#.
void TermWriter::marks(Bytes word) {
  const std::string_view small = lower(word);
  if (word.begin > 0 && text_[word.begin - 1] == '#' &&
      std::all_of(small.begin(), small.end(), ascii::is_digit)) {
    const Bytes range{word.begin - 1, word.end};
    add(lower(range), range, position_, TermKind::mark);
    return;
  }
  if (small.size() != 1 || ascii::is_digit(small[0])) return;
  const std::string_view after = text_.substr(word.end);
  const std::uint32_t signs = after.starts_with("++") ? 2 : after.starts_with("#") ? 1 : 0;
  if (signs == 0 || (after.size() > signs && is_term_byte(after[signs]))) return;
  const Bytes range{word.begin, word.end + signs};
  add(lower(range), range, position_, TermKind::mark);
}

}  // namespace yore::text
