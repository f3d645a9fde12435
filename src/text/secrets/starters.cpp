#include "text/secrets/starters.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/ascii.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace yore::text {
namespace {

// As in text/byte_masks.cpp: the compiler's own vectors, sixteen bytes at once.
using Bytes16 = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t kVector = sizeof(Bytes16);
constexpr std::size_t kSecretBlock = 64;
// Bytes behind a block that are looked at together with it.
constexpr std::size_t kLookAhead = 4;

Bytes16 load16(const char* bytes) {
  Bytes16 vector;
  std::memcpy(&vector, bytes, kVector);
  return vector;
}

Bytes16 is_byte(Bytes16 vector, char c) {
  return reinterpret_cast<Bytes16>(vector == static_cast<std::uint8_t>(c));
}

Bytes16 is_between(Bytes16 vector, char first, char last) {
  return reinterpret_cast<Bytes16>((vector - static_cast<std::uint8_t>(first)) <=
                                   static_cast<std::uint8_t>(last - first));
}

std::uint64_t packed(Bytes16 flags) {
#if defined(__SSE2__)
  return static_cast<std::uint16_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(flags)));
#else
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kVector; ++i) bits |= static_cast<std::uint64_t>(flags[i] >> 7U) << i;
  return bits;
#endif
}

struct BlockBits {
  std::uint64_t run = 0;   // bytes of the alphabet of tokens
  std::uint64_t word = 0;  // two letters of a starter word stand where they should
};

// REQUIRES: kSecretBlock + kLookAhead bytes at `text`.
BlockBits look_at_block(const char* text) {
  BlockBits bits;
  for (std::size_t i = 0; i < kSecretBlock; i += kVector) {
    const Bytes16 raw = load16(text + i);
    // Small letters for great ones; ':' and '/' have this bit already.
    const Bytes16 at0 = raw | 0x20;
    const Bytes16 at1 = load16(text + i + 1) | 0x20;
    const Bytes16 at2 = load16(text + i + 2) | 0x20;
    const Bytes16 at3 = load16(text + i + 3) | 0x20;
    const Bytes16 at4 = load16(text + i + 4) | 0x20;
    // Two letters each, the pair that ordinary text has least; the rest is compared one by one.
    const Bytes16 word =
        (is_byte(at0, 'p') & (is_byte(at3, 's') | is_byte(at1, 'w'))) |
        (is_byte(at0, 's') & is_byte(at3, 'r')) | (is_byte(at2, 'k') & is_byte(at4, 'n')) |
        (is_byte(at0, 'k') & is_byte(at2, 'y')) | (is_byte(at0, 'c') & is_byte(at3, 'd')) |
        (is_byte(at1, '/') & is_byte(at2, '/')) |
        (is_byte(at0, 'b') & (is_byte(at3, 'r') | is_byte(at4, 'c')));
    const Bytes16 run = is_between(at0, 'a', 'z') | is_between(raw, '0', '9') | is_byte(raw, '_') |
                        is_byte(raw, '-');
    bits.run |= packed(run) << i;
    bits.word |= packed(word) << i;
  }
  return bits;
}

bool starts_with_word(std::string_view text) {
  for (const std::string_view word : kStarterWords) {
    if (text.size() < word.size()) continue;
    std::size_t same = 0;
    while (same < word.size() && ascii::to_lower(text[same]) == word[same]) ++same;
    if (same == word.size()) return true;
  }
  return false;
}

// Puts the runs of all blocks together.
class RunFinder {
 public:
  explicit RunFinder(std::vector<TokenRun>& out) : out_(out) {}

  void add(std::uint64_t bits, std::size_t at) {
    const auto head = static_cast<std::size_t>(std::countr_one(bits));
    if (head == kSecretBlock) {
      if (!open_) begin_ = at;
      open_ = true;
      return;
    }
    if (open_ || head > 0) end_run(open_ ? begin_ : at, at + head);
    add_inner(bits, at, head);
    const auto tail = static_cast<std::size_t>(std::countl_one(bits));
    open_ = tail > 0;
    begin_ = at + kSecretBlock - tail;
  }
  void finish(std::size_t size) {
    if (open_) end_run(begin_, size);
  }

 private:
  void end_run(std::size_t begin, std::size_t end) {
    if (end - begin >= kLeastRun) out_.push_back({begin, end});
  }
  // Those that neither begin nor end the block.
  void add_inner(std::uint64_t bits, std::size_t at, std::size_t head) {
    std::uint64_t starts = bits;
    starts &= starts >> 1U;
    starts &= starts >> 2U;
    starts &= starts >> 4U;
    starts &= starts >> 8U;
    starts &= starts >> 4U;  // twenty in a row begin here
    starts &= ~(bits << 1U);
    if (head > 0) starts &= ~std::uint64_t{1};
    for (; starts != 0; starts &= starts - 1) {
      const auto begin = static_cast<std::size_t>(std::countr_zero(starts));
      const auto size = static_cast<std::size_t>(std::countr_one(bits >> begin));
      if (begin + size < kSecretBlock) end_run(at + begin, at + begin + size);
    }
  }

  std::vector<TokenRun>& out_;
  std::size_t begin_ = 0;
  bool open_ = false;
};

}  // namespace

void find_starters(std::string_view text, Starters& out) {
  out.words.clear();
  out.runs.clear();
  RunFinder runs(out.runs);
  std::array<char, kSecretBlock + kLookAhead> last{};
  for (std::size_t at = 0; at < text.size(); at += kSecretBlock) {
    const char* block = text.data() + at;
    if (text.size() - at < last.size()) {
      last.fill(0);
      text.copy(last.data(), last.size(), at);
      block = last.data();
    }
    BlockBits bits = look_at_block(block);
    runs.add(bits.run, at);
    for (; bits.word != 0; bits.word &= bits.word - 1) {
      const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(bits.word));
      if (place < text.size() && starts_with_word(text.substr(place))) out.words.push_back(place);
    }
  }
  runs.finish(text.size());
}

}  // namespace yore::text
