#include "lexical/write/merge_policy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace yore::lexical {
namespace {

constexpr std::uint64_t kKb = 1U << 10;
constexpr std::uint64_t kMb = 1U << 20;
constexpr std::uint64_t kNoLimit = UINT64_MAX;

std::vector<MergeCandidate> sized(const std::vector<std::uint64_t>& sizes) {
  std::vector<MergeCandidate> out;
  for (const std::uint64_t bytes : sizes) out.push_back({bytes, 100, 0});
  return out;
}

WriterLimits limits() {
  WriterLimits result;
  result.tier_width = 3;
  result.max_merge_bytes = 100 * kMb;
  return result;
}

TEST(MergePolicy, WaitsUntilAClassIsFull) {
  EXPECT_FALSE(choose_merge(sized({}), limits(), kNoLimit));
  EXPECT_FALSE(choose_merge(sized({kKb, kKb}), limits(), kNoLimit));
  EXPECT_EQ(choose_merge(sized({kKb, kKb, kKb}), limits(), kNoLimit), (MergeGroup{0, 3}));
}

TEST(MergePolicy, MergesTheSmallAndLeavesTheLarge) {
  EXPECT_EQ(choose_merge(sized({9 * kMb, 9 * kMb, 9 * kMb, kKb, kKb, kKb}), limits(), kNoLimit),
            (MergeGroup{3, 3}));
  EXPECT_FALSE(choose_merge(sized({9 * kMb, kKb, 9 * kMb, kKb}), limits(), kNoLimit));
}

TEST(MergePolicy, TakesInTheSmallThatLieBetween) {
  EXPECT_EQ(choose_merge(sized({9 * kMb, kKb, 9 * kMb, kKb, 9 * kMb}), limits(), kNoLimit),
            (MergeGroup{0, 5}));
}

TEST(MergePolicy, NeverMakesMoreThanTheLargest) {
  EXPECT_EQ(choose_merge(sized({40 * kMb, 40 * kMb, 40 * kMb}), limits(), kNoLimit),
            (MergeGroup{0, 2}));
  EXPECT_FALSE(choose_merge(sized({60 * kMb, 60 * kMb, 60 * kMb, kKb}), limits(), kNoLimit))
      << "a large one is not copied to take in a small one";
}

TEST(MergePolicy, DoesNotBeginWhatIsTooMuchForNow) {
  const auto segments = sized({9 * kMb, 9 * kMb, 9 * kMb});
  EXPECT_FALSE(choose_merge(segments, limits(), 27 * kMb - 1));
  EXPECT_TRUE(choose_merge(segments, limits(), 27 * kMb));
}

TEST(MergePolicy, RewritesASegmentWithManyDead) {
  auto segments = sized({9 * kMb, kMb});
  segments[1].dead = 20;
  EXPECT_FALSE(choose_merge(segments, limits(), kNoLimit));
  segments[1].dead = 21;
  EXPECT_EQ(choose_merge(segments, limits(), kNoLimit), (MergeGroup{1, 1}));
  EXPECT_FALSE(choose_merge(segments, limits(), kMb - 1));
  segments[1].dead = 0;
  segments[0] = {9 * kMb, 1'000'000, 2'001};
  EXPECT_EQ(choose_merge(segments, limits(), kNoLimit), (MergeGroup{0, 1}));
}

TEST(MergePolicy, DropsWhatIsAllDeadWhateverItsSize) {
  auto segments = sized({kKb, 90 * kMb});
  segments[1].dead = 100;
  EXPECT_EQ(choose_merge(segments, limits(), 0), (MergeGroup{1, 1}));
}

// A long life of folds: few segments at any time, and no document copied often.
RC_GTEST_PROP(MergePolicy, KeepsSegmentsFewAndCopiesRare, ()) {
  WriterLimits small = limits();
  small.tier_width = *rc::gen::inRange<std::uint32_t>(2, 8);
  std::vector<MergeCandidate> segments;
  std::uint64_t added = 0;
  std::uint64_t copied = 0;
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t bytes = *rc::gen::inRange<std::uint64_t>(kKb, 600 * kKb);
    segments.push_back({bytes, 100, 0});
    added += bytes;
    while (const auto group = choose_merge(segments, small, kNoLimit)) {
      MergeCandidate merged;
      for (std::size_t k = group->first; k < group->first + group->count; ++k) {
        merged.bytes += segments[k].bytes;
        merged.documents += segments[k].documents;
      }
      RC_ASSERT(group->count > 1U);
      RC_ASSERT(merged.bytes <= small.max_merge_bytes);
      if (merged.bytes > 64 * kKb) copied += merged.bytes;  // below all are of one class
      const auto at = segments.begin() + static_cast<std::ptrdiff_t>(group->first);
      *at = merged;
      segments.erase(at + 1, at + static_cast<std::ptrdiff_t>(group->count));
    }
  }
  // Classes from 64 KB to 100 MB: 11 of width 2, 5 of width 7.
  const std::uint64_t classes = small.tier_width == 2 ? 11 : small.tier_width == 3 ? 8 : 7;
  RC_ASSERT(segments.size() <= classes * small.tier_width + added / (small.max_merge_bytes / 2));
  RC_ASSERT(copied <= added * (classes + 1));
}

}  // namespace
}  // namespace yore::lexical
