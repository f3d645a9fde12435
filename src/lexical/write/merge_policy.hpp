// merge_policy.hpp — which segments to merge next. Pure.
//
// Segments fall into classes by size, each class tier_width times the one before. When tier_width
// of a class lie in one row of neighbours that has nothing larger in it, the row becomes one
// segment: so a document is copied about once per class, and a family has few segments. Only
// neighbours in the order of keys are merged; so their key ranges stay apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lexical/write/index_writer.hpp"

namespace yore::lexical {

struct MergeCandidate {
  std::uint64_t bytes = 0;
  std::uint32_t documents = 0;
  std::uint32_t dead = 0;
};

struct MergeGroup {
  std::size_t first = 0;
  std::size_t count = 0;  // 1: rewritten because of its dead
  friend bool operator==(const MergeGroup&, const MergeGroup&) = default;
};

// Among the segments of one family in the order of keys: first those that are all dead, then too
// many dead, then the smallest class that is full. Nothing when no group fits into `max_bytes`.
std::optional<MergeGroup> choose_merge(std::span<const MergeCandidate> segments,
                                       const WriterLimits& limits, std::uint64_t max_bytes);

}  // namespace yore::lexical
