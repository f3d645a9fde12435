#include "text/byte_masks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace yore::text {
namespace {

// Sixteen bytes at once, in the compiler's own vectors: every processor it knows has them or gets
// plain code.
using Lane = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t kLane = sizeof(Lane);

Lane load(const char* bytes) {
  Lane lane;
  std::memcpy(&lane, bytes, kLane);
  return lane;
}

// Comparisons give 0xFF for yes, 0 for no.
Lane in_range(Lane lane, char first, char last) {
  return reinterpret_cast<Lane>((lane - static_cast<std::uint8_t>(first)) <=
                                static_cast<std::uint8_t>(last - first));
}
Lane is_char(Lane lane, char c) {
  return reinterpret_cast<Lane>(lane == static_cast<std::uint8_t>(c));
}

// The highest bit of each byte.
std::uint64_t pack(Lane flags) {
#if defined(__SSE2__)
  return static_cast<std::uint16_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(flags)));
#else
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kLane; ++i) bits |= static_cast<std::uint64_t>(flags[i] >> 7U) << i;
  return bits;
#endif
}

// A bit where 20 set bits begin: a run of kMinEncodedBytes has as many in one of its blocks.
std::uint64_t long_runs(std::uint64_t bits) {
  bits &= bits >> 1U;
  bits &= bits >> 2U;
  bits &= bits >> 4U;
  bits &= bits >> 8U;
  return bits & bits >> 4U;
}

}  // namespace

void ByteMasks::classify(const char* text, std::size_t block) {
  std::array<std::uint64_t, static_cast<std::size_t>(Plane::count)> bits{};
  const auto collect = [&bits](Plane which, Lane flags, std::size_t at) {
    bits[static_cast<std::size_t>(which)] |= pack(flags) << at;
  };
  char* lower = lower_.data() + block * kBlock;
  for (std::size_t i = 0; i < kBlock; i += kLane) {
    const Lane bytes = load(text + i);
    const Lane upper = in_range(bytes, 'A', 'Z');
    const Lane digit = in_range(bytes, '0', '9');
    const Lane underscore = is_char(bytes, '_');
    const Lane small = bytes | (upper & 0x20);
    const Lane word = in_range(small, 'a', 'z') | digit | underscore;
    const Lane sign = is_char(bytes, '+') | is_char(bytes, '-') | is_char(bytes, '/');
    std::memcpy(lower + i, &small, kLane);
    // Only the highest bit counts, and bytes from 0x80 on have it set.
    collect(Plane::word, word | bytes, i);
    collect(Plane::encodable, word | sign, i);
    collect(Plane::digit, digit, i);
    collect(Plane::upper, upper, i);
    collect(Plane::underscore, underscore, i);
    collect(Plane::unusual, upper | underscore | bytes, i);
  }
  for (std::size_t i = 0; i < bits.size(); ++i) bits_[i * stride_ + block] = bits[i];
}

void ByteMasks::make_room() {
  if (stride_ > blocks()) return;
  // Twice as much, so that texts of growing length do not fill it again and again.
  stride_ = 2 * (blocks() + 1);
  bits_.resize(stride_ * static_cast<std::size_t>(Plane::count));
  lower_.resize(stride_ * kBlock);
  edges_.resize(stride_ * kBlock + 1);
}

void ByteMasks::read(std::string_view text) {
  size_ = text.size();
  make_room();
  encoded_.clear();

  const std::size_t whole = size_ / kBlock;
  for (std::size_t i = 0; i < whole; ++i) classify(text.data() + i * kBlock, i);
  std::array<char, kBlock> tail{};
  std::copy(text.begin() + static_cast<std::ptrdiff_t>(whole * kBlock), text.end(), tail.begin());
  for (std::size_t i = whole; i <= blocks(); ++i) {
    classify(tail.data(), i);
    tail.fill(0);
  }
  find_noise(text);
  find_edges();
}

// Where the run of encodable bytes that `at` belongs to begins.
std::size_t ByteMasks::run_begin(std::size_t at) const {
  const std::uint64_t* encodable = plane(Plane::encodable);
  std::size_t block = at / kBlock;
  std::uint64_t gaps = ~encodable[block] & first_bits(at % kBlock);
  while (gaps == 0 && block > 0) gaps = ~encodable[--block];
  return gaps == 0 ? 0 : block * kBlock + static_cast<std::size_t>(std::bit_width(gaps));
}

// Where it ends; the block behind the text has only gaps.
std::size_t ByteMasks::run_end(std::size_t at) const {
  const std::uint64_t* encodable = plane(Plane::encodable);
  std::size_t block = at / kBlock;
  std::uint64_t gaps = ~encodable[block] & ~first_bits(at % kBlock);
  while (gaps == 0) gaps = ~encodable[++block];
  return block * kBlock + static_cast<std::size_t>(std::countr_zero(gaps));
}

void ByteMasks::find_noise(std::string_view text) {
  const std::uint64_t* encodable = plane(Plane::encodable);
  std::size_t done = 0;
  for (std::size_t i = 0; i < blocks(); ++i) {
    std::uint64_t runs = long_runs(encodable[i]);
    while (runs != 0) {
      const std::size_t at = i * kBlock + static_cast<std::size_t>(std::countr_zero(runs));
      if (at >= done) {
        const std::size_t begin = run_begin(at);
        done = run_end(at);
        if (const auto span = find_encoded(text.substr(begin, done - begin))) {
          take_out({begin + span->begin, begin + span->end});
        }
      }
      if (done >= (i + 1) * kBlock) break;
      runs &= ~first_bits(done % kBlock);
    }
  }
}

void ByteMasks::take_out(const NoiseSpan& span) {
  encoded_.push_back(span);
  std::uint64_t* word = plane(Plane::word);
  for (std::size_t at = span.begin; at < span.end; ++at) {
    word[at / kBlock] &= ~(std::uint64_t{1} << at % kBlock);
  }
}

void ByteMasks::find_edges() {
  const std::uint64_t* words = plane(Plane::word);
  const std::size_t count = blocks();
  std::uint32_t* out = edges_.data();
  std::uint64_t last = 0;  // whether the byte before the block belongs to a run
  for (std::size_t i = 0; i <= count; ++i) {
    const std::uint64_t word = words[i];
    std::uint64_t changes = word ^ (word << 1U | last);
    last = word >> (kBlock - 1);
    for (const auto base = static_cast<std::uint32_t>(i * kBlock); changes != 0;
         changes &= changes - 1) {
      *out++ = base + static_cast<std::uint32_t>(std::countr_zero(changes));
    }
  }
  edge_count_ = static_cast<std::size_t>(out - edges_.data());
}

}  // namespace yore::text
