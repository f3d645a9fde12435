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
// thinking; session titles. Those kept beside the collection (turns that were superseded, notes)
// are found as well and scored with the statistics of the living, to which they add nothing.
enum class Family : std::uint8_t {
  conversation = 0,
  detail = 1,
  title = 2,
  kept_conversation = 3,
  kept_detail = 4,
};
inline constexpr int kFamilies = 5;

// The family whose statistics count for this one.
constexpr Family counted_as(Family family) {
  if (family == Family::kept_conversation) return Family::conversation;
  return family == Family::kept_detail ? Family::detail : family;
}

// Tags are what turns::Surface numbers; title documents carry kTitleTag.
inline constexpr int kTags = 9;
inline constexpr std::uint8_t kTitleTag = 7;
inline constexpr std::uint8_t kNoteTag = 6;
inline constexpr std::uint8_t kSynopsisTag = 8;

// Text of this tag may be a turn's conclusion, or something said on the way.
inline constexpr std::uint8_t kAnswerTag = 1;

constexpr Family family_of(std::uint8_t tag) {
  if (tag == kTitleTag) return Family::title;
  const bool said = tag <= 1 || tag == kNoteTag || tag == kSynopsisTag;
  return said ? Family::conversation : Family::detail;
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
