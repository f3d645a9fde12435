#include "semantic/bert_words.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "text/utf8.hpp"

namespace yore::semantic {
namespace {

enum class Role : std::uint8_t {
  nothing,
  space,   // between words
  letter,  // of a word
  alone,   // a word by itself
};

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t kCount>
constexpr bool lies_in(char32_t c, const std::array<Range, kCount>& ranges) {
  const auto it = std::partition_point(ranges.begin(), ranges.end(),
                                       [c](const Range& range) { return range.last < c; });
  return it != ranges.end() && it->first <= c;
}

// One range begins at 2B920, not at 2B820 where the block does: so does the reference.
constexpr std::array kChinese = {
    Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},   Range{0xF900, 0xFAFF},
    Range{0x20000, 0x2A6DF}, Range{0x2A700, 0x2B81F}, Range{0x2B920, 0x2CEAF},
    Range{0x2F800, 0x2FA1F},
};

constexpr std::array kSpaces = {
    Range{0x09, 0x0D},     Range{0x20, 0x20},     Range{0x85, 0x85},     Range{0xA0, 0xA0},
    Range{0x1680, 0x1680}, Range{0x2000, 0x200A}, Range{0x2028, 0x2029}, Range{0x202F, 0x202F},
    Range{0x205F, 0x205F}, Range{0x3000, 0x3000},
};

// Marks, punctuation and format characters of later Unicode versions: still unknown to the
// reference, therefore letters. Between them lies nothing that is anything else.
constexpr std::array kYounger = {
    Range{0x61D, 0x61D},     Range{0x7FD, 0x7FD},     Range{0x890, 0x8E2},
    Range{0x9FD, 0x9FE},     Range{0xA76, 0xA76},     Range{0xAFA, 0xAFF},
    Range{0xB55, 0xB55},     Range{0xC04, 0xC3C},     Range{0xC77, 0xC77},
    Range{0xC84, 0xC84},     Range{0xD00, 0xD00},     Range{0xD3B, 0xD3C},
    Range{0xD81, 0xD81},     Range{0xEBA, 0xEBA},     Range{0xECE, 0xECE},
    Range{0x180F, 0x1886},   Range{0x1ABF, 0x1ACE},   Range{0x1B7D, 0x1B7E},
    Range{0x1DF6, 0x1DFB},   Range{0x2E43, 0x2E5D},   Range{0xA82C, 0xA82C},
    Range{0xA8C5, 0xA8C5},   Range{0xA8FF, 0xA8FF},   Range{0xA9BD, 0xA9BD},
    Range{0x10D24, 0x10F89}, Range{0x11070, 0x11074}, Range{0x110C2, 0x110CD},
    Range{0x111CF, 0x111CF}, Range{0x1123E, 0x11241}, Range{0x1133B, 0x1133B},
    Range{0x11438, 0x1145E}, Range{0x11660, 0x1166C}, Range{0x116B9, 0x116B9},
    Range{0x1182F, 0x11FFF}, Range{0x12FF1, 0x13455}, Range{0x16E97, 0x16F4F},
    Range{0x16FE2, 0x16FE4}, Range{0x1CF00, 0x1CF46}, Range{0x1E000, 0x1E4EF},
    Range{0x1E944, 0x1E95F},
};

// Characters whose category was another one in Unicode 8.
constexpr char32_t kWasMark = 0x1734;
constexpr std::array<char32_t, 2> kWasPunctuation = {0x166D, 0x111C9};

// Role of a character that is neither dropped, nor space, nor Chinese.
Role role_of(char32_t c) {
  if (c == kWasMark) return Role::nothing;
  if (std::ranges::find(kWasPunctuation, c) != kWasPunctuation.end()) return Role::alone;
  if (lies_in(c, kYounger)) return Role::letter;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_MN:
      return Role::nothing;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
      return Role::alone;
    default:
      return Role::letter;
  }
}

struct AsciiChar {
  Role role = Role::nothing;
  char lower = 0;
};
constexpr std::array<AsciiChar, 128> kAscii = [] {
  std::array<AsciiChar, 128> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    table[i].lower = ascii::to_lower(c);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      table[i].role = Role::space;
    } else if (ascii::is_alnum(c)) {
      table[i].role = Role::letter;
    } else if (c > ' ' && c < 127) {
      table[i].role = Role::alone;
    }
  }
  return table;
}();

// What one character becomes.
struct Folded {
  Role role = Role::nothing;
  std::uint8_t chars = 0;
  std::uint8_t size = 0;
  std::array<char, 16> bytes{};
};

Folded fold(char32_t c) {
  Folded folded;
  if (c == text::kReplacement) return folded;
  const bool control = !lies_in(c, kYounger) && [c] {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CO;
  }();
  if (control) return folded;
  if (lies_in(c, kSpaces)) {
    folded.role = Role::space;
    return folded;
  }
  std::array<utf8proc_int32_t, 4> parts{};
  int last_boundclass = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                             parts.size(), UTF8PROC_DECOMPOSE, &last_boundclass);
  for (utf8proc_ssize_t i = 0; i < count && i < static_cast<utf8proc_ssize_t>(parts.size()); ++i) {
    // What was punctuation before it was made small still is: there are no capitals among it.
    const char32_t part = static_cast<char32_t>(parts[static_cast<std::size_t>(i)]);
    const Role role = part < kAscii.size() ? kAscii[part].role : role_of(part);
    if (role == Role::nothing) continue;
    folded.role = role;
    std::array<utf8proc_uint8_t, 4> encoded{};
    const auto size =
        utf8proc_encode_char(utf8proc_tolower(static_cast<utf8proc_int32_t>(part)), encoded.data());
    std::copy_n(encoded.begin(), size, folded.bytes.begin() + folded.size);
    folded.size = static_cast<std::uint8_t>(folded.size + size);
    ++folded.chars;
  }
  if (lies_in(c, kChinese)) folded.role = Role::alone;
  return folded;
}

}  // namespace

void BertWords::begin(std::string_view text) {
  rest_ = text;
}

void BertWords::append(std::string_view bytes, std::size_t chars) {
  if (!too_long()) word_.append(bytes);
  chars_ += chars;
}

bool BertWords::next() {
  word_.clear();
  chars_ = 0;
  while (!rest_.empty()) {
    const auto first = static_cast<unsigned char>(rest_.front());
    std::size_t size = 1;
    Folded folded;
    if (first < kAscii.size()) {
      folded.role = kAscii[first].role;
      folded.bytes[0] = kAscii[first].lower;
      folded.chars = folded.size = 1;
    } else {
      const text::Char c = text::decode_at(rest_, 0);
      size = c.size_bytes;
      folded = fold(c.code_point);
    }
    const bool ends_word = folded.role == Role::space || folded.role == Role::alone;
    if (ends_word && chars_ > 0) {
      if (folded.role == Role::space) rest_.remove_prefix(size);
      return true;
    }
    rest_.remove_prefix(size);
    if (folded.role == Role::letter || folded.role == Role::alone) {
      append({folded.bytes.data(), folded.size}, folded.chars);
    }
    if (folded.role == Role::alone) return true;
  }
  return chars_ > 0;
}

}  // namespace yore::semantic
