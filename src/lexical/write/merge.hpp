// merge.hpp — several segments become one; dead documents are left behind.
#pragma once

#include <span>
#include <string>

#include "base/result.hpp"
#include "lexical/format/dead_set.hpp"
#include "lexical/format/segment.hpp"

namespace yore::lexical {

struct MergeInput {
  const Segment* segment = nullptr;
  const DeadSet* dead = nullptr;  // may be null
};

// The bytes of a segment with the living documents of all inputs, in their order.
// REQUIRES: keys ascend from input to input. corrupt: an input is damaged.
Result<std::string> merge_segments(std::span<const MergeInput> inputs);

}  // namespace yore::lexical
