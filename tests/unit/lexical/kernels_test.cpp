// The fast loops against the obvious ones, on whatever this processor has.
#include "lexical/search/kernels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace yore::lexical {
namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_()) % end; }

 private:
  std::mt19937 engine_;
};

TEST(Kernels, ScoresAreThoseOfOnePostingAtATime) {
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint16_t> lengths(5000);
    for (auto& length : lengths) length = static_cast<std::uint16_t>(random.below(65536));
    std::vector<Doc> docs;
    std::vector<std::uint32_t> tfs;
    const std::uint32_t size = round % 3 == 0 ? kBlock : 1 + random.below(kBlock);
    for (std::uint32_t i = 0; i < size; ++i) {
      docs.push_back(random.below(5000));
      tfs.push_back(1 + random.below(round % 2 == 0 ? 4 : 70'000));
    }
    const LengthNorm norm = LengthNorm::of(1.0F + static_cast<float>(random.below(1000)));
    const float weight = static_cast<float>(random.below(20'000)) / 7.0F;
    std::vector<std::int32_t> fast(kBlock), plain(kBlock);
    const PostingList::Block block{docs.data(), tfs.data(), size};
    score_postings(block, lengths.data(), norm, weight, fast.data());
    score_postings_plain(block, lengths.data(), norm, weight, plain.data());
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::int32_t obvious = contribution(weight, norm.impact(tfs[i], lengths[docs[i]]));
      ASSERT_EQ(fast[i], obvious);
      ASSERT_EQ(plain[i], obvious);
    }
  }
}

TEST(Kernels, FindsExactlyTheSumsThatReach) {
  Random random(8);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int32_t> sums(32 * (1 + random.below(128)));
    for (auto& sum : sums) {
      sum = random.below(5) == 0 ? static_cast<std::int32_t>(random.below(1000)) : 0;
    }
    sums.back() = 999;  // the last place counts
    const auto least = static_cast<std::int32_t>(1 + random.below(1000));
    std::vector<std::uint32_t> obvious;
    for (std::uint32_t i = 0; i < sums.size(); ++i) {
      if (sums[i] >= least) obvious.push_back(i);
    }
    const auto count = static_cast<std::uint32_t>(sums.size());
    std::vector<std::uint32_t> places(sums.size());
    places.resize(find_reaching(sums.data(), count, least, places.data()));
    EXPECT_EQ(places, obvious);
    places.resize(sums.size());
    places.resize(find_reaching_plain(sums.data(), count, least, places.data()));
    EXPECT_EQ(places, obvious);
  }
}

TEST(Kernels, PlaceInABlockIsTheLowerBound) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t size = round % 2 == 0 ? kBlock : 1 + random.below(kBlock);
    std::vector<Doc> docs;
    Doc doc = random.below(10);
    for (std::uint32_t i = 0; i < size; ++i) docs.push_back(doc += 1 + random.below(5));
    const PostingList::Block block{docs.data(), nullptr, size};
    for (Doc wanted = 0; wanted < docs.back() + 3; ++wanted) {
      const auto expected = std::lower_bound(docs.begin(), docs.end(), wanted) - docs.begin();
      ASSERT_EQ(block.place_of(wanted), expected) << wanted;
    }
  }
}

}  // namespace
}  // namespace yore::lexical
