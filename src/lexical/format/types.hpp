// types.hpp — the few numbers the keyword index is made of.
//
// A document is one passage (or one session title). The index knows nothing of agents, files or
// SQLite: a document belongs to a turn, a turn to a session, and has a tag (its surface).
#pragma once

#include <array>
#include <cstdint>

namespace yore::lexical {

using Doc = std::uint32_t;  // number within one segment, from 0
using DocKey =
    std::uint32_t;  // outside name of a document, ascending within a family, never reused
using TurnOrd = std::uint32_t;  // row of a turn in the catalog
using SessionOrd = std::uint32_t;

// Documents that are scored with statistics of their own: what was said; tool output, calls and
// thinking; session titles.
enum class Family : std::uint8_t { conversation = 0, detail = 1, title = 2 };
inline constexpr int kFamilies = 3;

// Tags 0..7 are what turns::Surface numbers; title documents carry kTitleTag.
inline constexpr int kTags = 8;
inline constexpr std::uint8_t kTitleTag = 7;

// Text of this tag may be a turn's conclusion, or something said on the way.
inline constexpr std::uint8_t kAnswerTag = 1;

constexpr Family family_of(std::uint8_t tag) {
  if (tag == kTitleTag) return Family::title;
  return tag <= 1 ? Family::conversation : Family::detail;
}

// Score weights are 1/256; a tag of weight 0 is not searched.
using Weights = std::array<std::uint16_t, kTags>;
inline constexpr std::uint32_t kWeightOne = 256;

// BM25, Lucene variant: idf * tf / (tf + k1 * (1 - b + b * length / average)).
inline constexpr float kK1 = 1.5F;
inline constexpr float kB = 0.75F;
// Scores are integers (sums do not depend on their order): one BM25 point is kScoreOne.
inline constexpr std::int32_t kScoreOne = 1 << 20;
// More distinct terms than that are not scored: the rarest stay.
inline constexpr std::size_t kMaxLeaves = 64;

}  // namespace yore::lexical
