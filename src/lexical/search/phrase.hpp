// phrase.hpp — lists that are made for one query: words next to each other, words with a beginning.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/snapshot.hpp"

namespace yore::lexical {

struct MadeList {
  std::vector<Doc> docs;
  std::vector<std::uint32_t> tfs;
};

// Documents that hold terms[i] exactly offsets[i] positions after terms[0], as written (not by
// their stems), and how often.
Result<MadeList> find_phrase(const Segment& segment, std::span<const std::string> terms,
                             std::span<const std::uint32_t> offsets);

// Words that begin so, in the whole snapshot: which ones count must not depend on how documents are
// spread over segments. Sorted, at most kMaxExpansions.
Result<std::vector<std::string>> expand_prefix(const Snapshot& snapshot, std::string_view prefix);

// Documents with any of these words.
Result<MadeList> find_any(const Segment& segment, std::span<const std::string> words);

}  // namespace yore::lexical
