#include "lexical/search/kernels.hpp"

#include <algorithm>
#include <array>

namespace yore::lexical {
namespace {

// One body for all forms: inlined into functions that are compiled for different processors.
[[gnu::always_inline]] inline void score_body(const PostingList::Block& block,
                                              const std::uint16_t* lengths, LengthNorm norm,
                                              float weight, std::int32_t* scores) {
  // Gathered first, and whole blocks in a loop of known length, so that the rest is vectors.
  std::array<std::uint32_t, kBlock> length;
  for (std::uint32_t i = 0; i < block.size; ++i) length[i] = lengths[block.docs[i]];
  if (block.size == kBlock) {
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      scores[i] = contribution(weight, norm.impact(block.tfs[i], length[i]));
    }
    return;
  }
  for (std::uint32_t i = 0; i < block.size; ++i) {
    scores[i] = contribution(weight, norm.impact(block.tfs[i], length[i]));
  }
}

[[gnu::always_inline]] inline std::uint32_t find_body(const std::int32_t* sums, std::uint32_t count,
                                                      std::int32_t least, std::uint32_t* places) {
  constexpr std::uint32_t kStep = 32;
  std::uint32_t found = 0;
  for (std::uint32_t at = 0; at < count; at += kStep) {
    std::int32_t largest = 0;
    for (std::uint32_t i = 0; i < kStep; ++i) largest = std::max(largest, sums[at + i]);
    if (largest < least) continue;
    for (std::uint32_t i = at; i < at + kStep; ++i) {
      places[found] = i;
      found += static_cast<std::uint32_t>(sums[i] >= least);
    }
  }
  return found;
}

#if defined(__x86_64__) && defined(__GNUC__)
#define YORE_HAS_AVX2_FORMS
[[gnu::target("avx2")]] void score_avx2(const PostingList::Block& block,
                                        const std::uint16_t* lengths, LengthNorm norm, float weight,
                                        std::int32_t* scores) {
  score_body(block, lengths, norm, weight, scores);
}
[[gnu::target("avx2")]] std::uint32_t find_avx2(const std::int32_t* sums, std::uint32_t count,
                                                std::int32_t least, std::uint32_t* places) {
  return find_body(sums, count, least, places);
}
#endif

}  // namespace

void score_postings_plain(const PostingList::Block& block, const std::uint16_t* lengths,
                          LengthNorm norm, float weight, std::int32_t* scores) {
  score_body(block, lengths, norm, weight, scores);
}

std::uint32_t find_reaching_plain(const std::int32_t* sums, std::uint32_t count, std::int32_t least,
                                  std::uint32_t* places) {
  return find_body(sums, count, least, places);
}

#ifdef YORE_HAS_AVX2_FORMS
namespace {
const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
}

void score_postings(const PostingList::Block& block, const std::uint16_t* lengths, LengthNorm norm,
                    float weight, std::int32_t* scores) {
  if (kHasAvx2) return score_avx2(block, lengths, norm, weight, scores);
  score_body(block, lengths, norm, weight, scores);
}
std::uint32_t find_reaching(const std::int32_t* sums, std::uint32_t count, std::int32_t least,
                            std::uint32_t* places) {
  return kHasAvx2 ? find_avx2(sums, count, least, places) : find_body(sums, count, least, places);
}
#else
void score_postings(const PostingList::Block& block, const std::uint16_t* lengths, LengthNorm norm,
                    float weight, std::int32_t* scores) {
  score_body(block, lengths, norm, weight, scores);
}
std::uint32_t find_reaching(const std::int32_t* sums, std::uint32_t count, std::int32_t least,
                            std::uint32_t* places) {
  return find_body(sums, count, least, places);
}
#endif

}  // namespace yore::lexical
