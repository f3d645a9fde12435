// kernels.hpp — the two loops in which a search spends its time, in the best form this processor
// has. Every form gives the same bits.
#pragma once

#include <cstdint>

#include "lexical/format/postings.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// Contributions of `count` postings, at most kBlock, to their documents.
void score_postings(const PostingList::Block& block, const std::uint16_t* lengths, LengthNorm norm,
                    float weight, std::int32_t* scores);

// Where sums[i] >= least: fills `places` and returns how many there are.
// REQUIRES: count is a multiple of 32; least >= 1; room for `count` places.
std::uint32_t find_reaching(const std::int32_t* sums, std::uint32_t count, std::int32_t least,
                            std::uint32_t* places);

// The plain forms, for processors without more and for tests.
void score_postings_plain(const PostingList::Block& block, const std::uint16_t* lengths,
                          LengthNorm norm, float weight, std::int32_t* scores);
std::uint32_t find_reaching_plain(const std::int32_t* sums, std::uint32_t count, std::int32_t least,
                                  std::uint32_t* places);

}  // namespace yore::lexical
