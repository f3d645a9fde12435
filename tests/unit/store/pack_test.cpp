#include "store/pack.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <zstd.h>
#include <algorithm>

#include <string>

#include "base/bytes.hpp"

namespace yore::store {
namespace {

using turns::Passage;
using turns::Surface;

std::vector<Passage> decoded(const std::vector<EncodedPack>& packs) {
  std::vector<Passage> all;
  for (const EncodedPack& pack : packs) {
    const auto passages = decode_pack(pack.bytes);
    EXPECT_TRUE(passages.ok());
    EXPECT_EQ(passages->size(), pack.count);
    all.insert(all.end(), passages->begin(), passages->end());
  }
  return all;
}

bool same(const std::vector<Passage>& a, const std::vector<Passage>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Passage& x, const Passage& y) {
    return x.turn == y.turn && x.surface == y.surface && x.block == y.block && x.text == y.text;
  });
}

std::vector<Passage> some_passages() {
  return {{3, Surface::user_prompt, 0, "how do I rotate a log"},
          {3, Surface::assistant_text, 2, std::string(900, 'r')},
          {7, Surface::thinking, 0, ""},
          {4'000'000'000U, Surface::own, 70'000, std::string("\0\xFF", 2)}};
}

std::string frame_of(std::string_view plain) {
  std::string bytes(ZSTD_compressBound(plain.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), plain.data(), plain.size(), 1));
  return bytes;
}

std::string plain_of(std::string_view frame) {
  std::string plain(1 << 20, '\0');
  plain.resize(ZSTD_decompress(plain.data(), plain.size(), frame.data(), frame.size()));
  return plain;
}

rc::Gen<Passage> any_passage() {
  return rc::gen::build<Passage>(
      rc::gen::set(&Passage::turn), rc::gen::set(&Passage::block),
      rc::gen::set(&Passage::surface,
                   rc::gen::map(rc::gen::inRange(0, turns::kSurfaces),
                                [](int value) { return static_cast<Surface>(value); })),
      rc::gen::set(&Passage::text));
}

// What was said before the rest, otherwise as it was.
std::vector<Passage> by_kind(std::vector<Passage> passages) {
  std::ranges::stable_sort(passages, {}, [](const Passage& p) { return kind_of(p.surface); });
  return passages;
}

RC_GTEST_PROP(Pack, GivesBackEveryPassageInTheOrderOfItsKind, ()) {
  const auto passages = *rc::gen::container<std::vector<Passage>>(any_passage());
  const auto packs = PackEncoder().encode(passages);
  RC_ASSERT(same(decoded(packs), by_kind(passages)));
  for (const EncodedPack& pack : packs) {
    const auto inside = decode_pack(pack.bytes);
    for (const Passage& passage : *inside) {
      RC_ASSERT(kind_of(passage.surface) == pack.kind);
    }
  }
}

RC_GTEST_PROP(Pack, AnyDamagedByteIsAnErrorOrStillWellFormed, ()) {
  const auto packs = PackEncoder().encode(some_passages());
  std::string bytes = packs.front().bytes;
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  const auto bit = *rc::gen::inRange(0, 8);
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
  const auto passages = decode_pack(bytes);
  if (passages) {
    // only bits that zstd ignores
    RC_ASSERT(same(*passages, *decode_pack(packs.front().bytes)));
  } else {
    RC_ASSERT(passages.error().code == Errc::corrupt);
  }
}

RC_GTEST_PROP(Pack, AnyBytesAreReadWithoutHarm, (const std::string& bytes)) {
  (void)decode_pack(bytes).ok();
  (void)decode_pack(frame_of(bytes)).ok();
}

TEST(Pack, EncodesNothingAsNoPack) {
  EXPECT_TRUE(PackEncoder().encode({}).empty());
}

TEST(Pack, RemembersTheRangeOfItsTurns) {
  const auto packs = PackEncoder().encode(some_passages());
  ASSERT_EQ(packs.size(), 2U);
  EXPECT_EQ(packs[0].kind, kSaid);
  EXPECT_EQ(packs[1].kind, kDetails);
  EXPECT_EQ(packs[0].count + packs[1].count, 4U);
  EXPECT_EQ(std::min(packs[0].first_turn, packs[1].first_turn), 3U);
  EXPECT_EQ(std::max(packs[0].last_turn, packs[1].last_turn), 4'000'000'000U);
}

TEST(Pack, ClosesAPackAfterItsSize) {
  std::vector<Passage> passages(10);
  for (Passage& passage : passages) passage.text = std::string(kPackBytes / 4, 'x');
  const auto packs = PackEncoder().encode(passages);
  ASSERT_EQ(packs.size(), 3U);
  EXPECT_EQ(packs[0].count, 4U);
  EXPECT_EQ(packs[2].count, 2U);
}

TEST(Pack, EveryTruncationOfTheFrameIsAnError) {
  const std::string whole = PackEncoder().encode(some_passages()).front().bytes;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(decode_pack(whole.substr(0, size)).ok()) << size;
  }
}

TEST(Pack, EveryTruncationInsideTheFrameIsAnError) {
  const std::string plain = plain_of(PackEncoder().encode(some_passages()).front().bytes);
  ASSERT_TRUE(decode_pack(frame_of(plain)).ok());
  for (std::size_t size = 0; size < plain.size(); ++size) {
    EXPECT_FALSE(decode_pack(frame_of(plain.substr(0, size))).ok()) << size;
  }
}

TEST(Pack, BytesBehindTheTextsAreAnError) {
  const std::string plain = plain_of(PackEncoder().encode(some_passages()).front().bytes);
  EXPECT_FALSE(decode_pack(frame_of(plain + "x")).ok());
}

TEST(Pack, RefusesASurfaceThatDoesNotExist) {
  ByteWriter out;
  for (const std::uint64_t value : {1, 0, turns::kSurfaces, 0, 0}) out.varint(value);
  EXPECT_FALSE(decode_pack(frame_of(out.bytes())).ok());
}

TEST(Pack, RefusesACountThatTheBytesCannotHold) {
  ByteWriter out;
  out.varint(1'000'000'000);
  EXPECT_FALSE(decode_pack(frame_of(out.bytes() + "abc")).ok());
}

TEST(Pack, RefusesAFrameThatClaimsToBeHuge) {
  EXPECT_FALSE(decode_pack(frame_of(std::string(kMaxPackBytes + 1, '\0'))).ok());
}

}  // namespace
}  // namespace yore::store
