// index_state.hpp — what the parts of the index writer share: segments on their way into files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "lexical/format/catalog.hpp"
#include "lexical/format/manifest.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// How many rows a catalog has, or will have.
struct RowCounts {
  std::size_t turns = SIZE_MAX;
  std::size_t sessions = SIZE_MAX;
  static RowCounts after(const Catalog& catalog, const CatalogChange& change);
};

// How a manifest will name the segment, except for its number; nothing for one without documents.
// invalid_argument: a document names a row that is not there.
Result<std::optional<SegmentFile>> describe(Family family, std::string_view segment,
                                            const RowCounts& rows = {});

// Puts them in the order a manifest needs.
void sort_segments(Manifest& manifest);

// Where a merge puts its result until it is published, and what keeps two merges apart.
std::string merge_output_path(const std::string& directory);
std::string merge_lock_path(const std::string& directory);

}  // namespace yore::lexical
