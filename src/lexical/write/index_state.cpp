#include "lexical/write/index_state.hpp"

#include <algorithm>
#include <tuple>

#include "base/files/file.hpp"
#include "lexical/format/segment.hpp"

namespace yore::lexical {

RowCounts RowCounts::after(const Catalog& catalog, const CatalogChange& change) {
  const auto count = [](std::size_t now, const auto& rows) {
    for (const auto& [ord, row] : rows) now = std::max(now, std::size_t{ord} + 1);
    return now;
  };
  return {count(catalog.turns().size(), change.turns),
          count(catalog.sessions().size(), change.sessions)};
}

Result<std::optional<SegmentFile>> describe(Family family, std::string_view segment,
                                            const RowCounts& rows) {
  const auto opened = Segment::open(segment, true);
  if (!opened) return opened.error();
  if (opened->documents() == 0) return std::optional<SegmentFile>{};
  // Runs are sorted by owner.
  if (opened->turn_runs().back().turn >= rows.turns ||
      opened->session_runs().back().session >= rows.sessions) {
    return Error{Errc::invalid_argument, "documents of a turn or session that is not there"};
  }
  SegmentFile file;
  file.bytes = segment.size();
  file.documents = opened->documents();
  file.first = opened->keys().front();
  file.last = opened->keys().back();
  file.family = static_cast<std::uint32_t>(family);
  return std::optional<SegmentFile>{file};
}

void sort_segments(Manifest& manifest) {
  std::ranges::sort(manifest.segments, [](const SegmentFile& a, const SegmentFile& b) {
    return std::tie(a.family, a.first) < std::tie(b.family, b.first);
  });
}

std::string merge_output_path(const std::string& directory) {
  return path_join(directory, "merge.tmp");
}

std::string merge_lock_path(const std::string& directory) {
  return path_join(directory, "merge.lock");
}

}  // namespace yore::lexical
