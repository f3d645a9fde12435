#include "lexical/write/merge_policy.hpp"

#include <algorithm>

namespace yore::lexical {
namespace {

// Whatever is smaller than this is equally small.
constexpr std::uint64_t kSmallestClassBytes = 64U << 10;

std::uint32_t class_of(std::uint64_t bytes, std::uint32_t width) {
  std::uint32_t result = 0;
  for (; bytes > kSmallestClassBytes; bytes /= width) ++result;
  return result;
}

bool too_many_dead(const MergeCandidate& segment, const WriterLimits& limits) {
  if (segment.dead == 0) return false;
  return segment.dead > limits.max_dead_documents ||
         static_cast<double>(segment.dead) > limits.max_dead * segment.documents;
}

struct Window {
  MergeGroup group;
  std::uint32_t members = 0;  // of the class that is full
  std::uint64_t bytes = 0;
  [[nodiscard]] bool better_than(const Window& other) const {
    if (members != other.members) return members > other.members;
    if (group.count != other.group.count) return group.count > other.group.count;
    return bytes < other.bytes;
  }
};

// The largest part of a row of neighbours that fits into `limit` together. At least two must be of
// the full class: a large segment is not copied to take in a small one.
std::optional<Window> best_window(std::span<const MergeCandidate> segments, MergeGroup row,
                                  std::uint32_t tier, std::uint32_t width, std::uint64_t limit) {
  const auto is_member = [&](std::size_t i) { return class_of(segments[i].bytes, width) == tier; };
  Window best;
  Window window{{row.first, 0}};
  for (std::size_t i = row.first; i < row.first + row.count; ++i) {
    ++window.group.count;
    window.bytes += segments[i].bytes;
    if (is_member(i)) ++window.members;
    while (window.bytes > limit) {
      if (is_member(window.group.first)) --window.members;
      window.bytes -= segments[window.group.first++].bytes;
      --window.group.count;
    }
    if (window.better_than(best)) best = window;
  }
  if (best.members < 2) return std::nullopt;
  return best;
}

}  // namespace

std::optional<MergeGroup> choose_merge(std::span<const MergeCandidate> segments,
                                       const WriterLimits& limits, std::uint64_t max_bytes) {
  for (std::size_t i = 0; i < segments.size(); ++i) {
    // Nothing is read or written for it.
    if (segments[i].dead == segments[i].documents) return MergeGroup{i, 1};
  }
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool fits = segments[i].bytes <= max_bytes;
    if (fits && too_many_dead(segments[i], limits)) return MergeGroup{i, 1};
  }
  const std::uint32_t width = std::max<std::uint32_t>(limits.tier_width, 2);
  std::uint32_t largest = 0;
  for (const MergeCandidate& one : segments)
    largest = std::max(largest, class_of(one.bytes, width));
  for (std::uint32_t tier = 0; tier <= largest; ++tier) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
      MergeGroup row{i, 0};
      std::uint32_t members = 0;
      for (; i < segments.size() && class_of(segments[i].bytes, width) <= tier; ++i, ++row.count) {
        if (class_of(segments[i].bytes, width) == tier) ++members;
      }
      if (members < width) continue;
      const auto window = best_window(segments, row, tier, width, limits.max_merge_bytes);
      if (window && window->bytes <= max_bytes) return window->group;
    }
  }
  return std::nullopt;
}

}  // namespace yore::lexical
