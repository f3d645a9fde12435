#include "lexical/format/log.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <vector>

namespace yore::lexical {
namespace {

// Frames lie at multiples of 8.
std::vector<std::uint64_t> aligned(std::string_view bytes) {
  std::vector<std::uint64_t> words(bytes.size() / 8 + 1);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}
std::string_view view(const std::vector<std::uint64_t>& words, std::size_t size) {
  return {reinterpret_cast<const char*>(words.data()), size};
}

Update some_update() {
  Update update;
  update.segments = {"conversation", "", "title bytes"};
  update.removed = {{10, 3}, {50, 1}};
  update.removed_titles = {{7, 1}};
  update.rows.names = {"", "uid"};
  CatalogSession row;
  row.uid = 1;
  update.rows.sessions.emplace_back(0, row);
  return update;
}

RC_GTEST_PROP(Frame, HoldsWhatWasPutIn, ()) {
  Update update;
  for (std::string& segment : update.segments) segment = *rc::gen::arbitrary<std::string>();
  for (auto* ranges : {&update.removed, &update.removed_titles}) {
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      ranges->push_back({*rc::gen::arbitrary<DocKey>(), *rc::gen::arbitrary<std::uint32_t>()});
    }
  }
  const std::string bytes = encode_frame(update);
  RC_ASSERT(bytes.size() % 8 == 0U);
  const auto words = aligned(bytes + "the next frame");
  const auto frame = read_frame(view(words, bytes.size() + 8));
  RC_ASSERT(frame.ok());
  RC_ASSERT(frame->size == bytes.size());
  for (std::size_t i = 0; i < kFamilies; ++i) {
    RC_ASSERT(frame->segments[i] == update.segments[i]);
    RC_ASSERT(reinterpret_cast<std::uintptr_t>(frame->segments[i].data()) % 8 == 0U);
  }
  RC_ASSERT(std::vector(frame->removed.begin(), frame->removed.end()) == update.removed);
  RC_ASSERT(std::vector(frame->removed_titles.begin(), frame->removed_titles.end()) ==
            update.removed_titles);
  RC_ASSERT(frame->rows.empty());
}

TEST(Frame, HoldsRows) {
  const std::string bytes = encode_frame(some_update());
  const auto words = aligned(bytes);
  const auto frame = read_frame(view(words, bytes.size()));
  ASSERT_TRUE(frame.ok());
  const auto rows = CatalogChange::decode(frame->rows);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->names, some_update().rows.names);
  EXPECT_EQ(rows->sessions, some_update().rows.sessions);
}

TEST(Frame, EveryFlippedOrMissingByteIsFound) {
  const std::string whole = encode_frame(some_update());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x08);
    const auto words = aligned(bytes);
    EXPECT_EQ(read_frame(view(words, bytes.size())).error().code, Errc::corrupt) << at;
    EXPECT_EQ(read_frame(view(words, at)).error().code, Errc::corrupt) << at;
  }
}

TEST(Log, SaysWhichItIs) {
  EXPECT_EQ(log_header(1, 2).size(), 32U);
  EXPECT_EQ(log_header(1, 2), log_header(1, 2));
  EXPECT_NE(log_header(1, 2), log_header(1, 3));
  EXPECT_NE(log_header(1, 2), log_header(2, 2));
}

RC_GTEST_PROP(KeyRanges, NormalisedHoldTheSameKeysApart, ()) {
  std::vector<KeyRange> ranges;
  const DocKey base = *rc::gen::element<DocKey>(0, 1000, UINT32_MAX - 60);
  std::vector<bool> expected(70);
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
    const auto at = *rc::gen::inRange<std::uint32_t>(0, 50);
    const auto count = *rc::gen::inRange<std::uint32_t>(0, 9);
    ranges.push_back({base + at, count});
    for (std::uint32_t k = at; k < at + count; ++k) expected[k] = true;
  }
  std::vector<bool> found(70);
  DocKey before = 0;
  for (const KeyRange& range : normalised(ranges)) {
    RC_ASSERT(range.count > 0U);
    RC_ASSERT(before == 0 || range.first > before + 1);
    for (std::uint32_t k = 0; k < range.count; ++k) found[range.first - base + k] = true;
    before = range.last();
  }
  RC_ASSERT(found == expected);
}

TEST(KeyRanges, ReachTheLastKeyThereIs) {
  const KeyRange range{10, UINT32_MAX};
  EXPECT_EQ(range.last(), UINT32_MAX);
  const auto all = normalised({{0, 20}, {10, UINT32_MAX}});
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().first, 0U);
  EXPECT_EQ(all.back().last(), UINT32_MAX);
}

}  // namespace
}  // namespace yore::lexical
