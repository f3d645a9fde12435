#include "lexical/index_state.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/file.hpp"
#include "lexical/segment.hpp"

namespace yore::lexical {

Result<std::optional<SegmentFile>> describe(Family family, std::string_view segment) {
  const auto opened = Segment::open(segment, true);
  if (!opened) return opened.error();
  if (opened->documents() == 0) return std::optional<SegmentFile>{};
  SegmentFile file;
  file.bytes = segment.size();
  file.documents = opened->documents();
  file.first = opened->keys().front();
  file.last = opened->keys().back();
  file.family = static_cast<std::uint32_t>(family);
  return std::optional<SegmentFile>{file};
}

std::uint64_t fresh_generation(std::uint64_t at_least) {
  // Publications take longer than a nanosecond, so counting on from here never catches up.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return std::max(at_least, static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 1)));
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
