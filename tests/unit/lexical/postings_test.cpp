#include "lexical/format/postings.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "lexical/format/bitpack.hpp"
#include "lexical/format/segment_format.hpp"
#include "lexical/write/builder.hpp"
#include "lexical/write/merge.hpp"

namespace yore::lexical {
namespace {

TEST(Bitpack, GivesBackWhatWasPackedAtEveryWidth) {
  for (unsigned bits = 0; bits <= 32; ++bits) {
    std::array<std::uint32_t, kPacked> values;
    std::uint32_t state = 7 + bits;
    for (std::uint32_t& value : values) {
      state = state * 1664525U + 1013904223U;
      value = bits == 0 ? 0 : state >> (32 - bits);
    }
    std::string bytes;
    pack128(values.data(), bits, bytes);
    ASSERT_EQ(bytes.size(), packed_bytes(bits));
    std::array<std::uint32_t, kPacked> back;
    unpack128(bytes.data(), bits, back.data());
    EXPECT_EQ(back, values) << bits;
    std::array<std::uint32_t, kPacked> sums;
    unpack128_sums(bytes.data(), bits, 5, sums.data());
    std::uint32_t sum = 5;
    for (std::size_t i = 0; i < kPacked; ++i) {
      sum += values[i];
      EXPECT_EQ(sums[i], sum) << bits << " " << i;
    }
  }
}

// A list as plain data.
struct Plain {
  std::map<Doc, std::vector<std::uint32_t>> positions;
};

Plain read_list(const Segment& segment, std::string_view term) {
  Plain plain;
  const auto entry = segment.find(term);
  if (!entry.ok() || *entry == nullptr) return plain;
  PostingList list(segment, **entry);
  for (std::uint32_t i = 0; i < list.blocks(); ++i) {
    const PostingList::Block block = list.decode(i);
    for (std::uint32_t n = 0; n < block.size; ++n) {
      std::vector<std::uint32_t>& places = plain.positions[block.docs[n]];
      list.exact_positions(n, places);
      EXPECT_LE(places.size(), block.tfs[n]);
    }
  }
  return plain;
}

RC_GTEST_PROP(Segments, KeepEveryWordOfEveryDocument, ()) {
  const std::vector<std::string> words = {"alpha", "beta", "gamma", "delta", "omega"};
  const auto documents = *rc::gen::inRange<std::size_t>(1, 400);
  const std::size_t split = *rc::gen::inRange<std::size_t>(0, documents);
  std::map<std::string, std::map<Doc, std::vector<std::uint32_t>>> wanted;
  std::set<Doc> dead_docs;
  SegmentBuilder first;
  SegmentBuilder second;
  DeadSet dead_first(static_cast<std::uint32_t>(split));
  Doc living = 0;
  for (std::size_t i = 0; i < documents; ++i) {
    std::string text;
    std::map<std::string, std::vector<std::uint32_t>> places;
    const auto length = *rc::gen::inRange<std::uint32_t>(0, 6);
    for (std::uint32_t at = 0; at < length; ++at) {
      const std::string word = *rc::gen::elementOf(words);
      text += word + " ";
      places[word].push_back(at);
    }
    DocInfo info;
    info.key = static_cast<DocKey>(10 + i);
    info.turn = static_cast<TurnOrd>(i / 3);
    info.session = static_cast<SessionOrd>(i / 9);
    (i < split ? first : second).add(info, text);
    const bool dies = i < split && *rc::gen::inRange(0, 10) == 0;
    if (dies) {
      dead_first.add(static_cast<Doc>(i));
      continue;
    }
    for (const auto& [word, list] : places) wanted[word][living] = list;
    ++living;
  }
  const std::string a = first.finish();
  const std::string b = second.finish();
  const auto one = Segment::open(a, false);
  const auto two = Segment::open(b, false);
  RC_ASSERT(one.ok());
  RC_ASSERT(two.ok());
  const MergeInput inputs[] = {{&*one, &dead_first}, {&*two, nullptr}};
  const auto bytes = merge_segments(inputs);
  RC_ASSERT(bytes.ok());
  const auto merged = Segment::open(*bytes, false);
  RC_ASSERT(merged.ok());
  RC_ASSERT(merged->documents() == living);
  for (const std::string& word : words) {
    RC_ASSERT(read_list(*merged, word).positions == wanted[word]);
  }
  // Every document is in exactly one run of its turn and of its session.
  std::vector<int> seen(living, 0);
  for (const TurnRun& run : merged->turn_runs()) {
    for (Doc doc = run.first; doc < run.first + run.count; ++doc) {
      RC_ASSERT(merged->turns()[doc] == run.turn);
      ++seen[doc];
    }
  }
  RC_ASSERT(std::ranges::all_of(seen, [](int count) { return count == 1; }));
}

TEST(Segments, SayWhenAnyByteIsDamaged) {
  SegmentBuilder builder;
  for (DocKey key = 1; key < 300; ++key) {
    DocInfo info;
    info.key = key;
    builder.add(info, "some words of a document number" + std::to_string(key % 17));
  }
  const std::string good = builder.finish();
  ASSERT_TRUE(Segment::open(good, false)->check_all().ok());
  for (std::size_t at = 0; at < good.size(); at += 41) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    const auto segment = Segment::open(bad, false);
    EXPECT_TRUE(!segment.ok() || !segment->check_all().ok()) << at;
  }
  for (const std::size_t size : {0U, 7U, 100U, 4000U}) {
    EXPECT_FALSE(Segment::open(good.substr(0, size), false).ok());
  }
}

// A header with a hash that holds says where the sections are; it is believed where they are
// written, and only as far as the lists fit into them.
TEST(Segments, BelieveNoHeaderThatMovesTheirSections) {
  SegmentBuilder builder;
  for (DocKey key = 1; key < 40; ++key) {
    DocInfo info;
    info.key = key;
    builder.add(info, "a few words in document number" + std::to_string(key));
  }
  const std::string good = builder.finish();
  const auto with = [&](auto&& change) {
    std::string bytes = good;
    SegmentHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    change(header.sections);
    header.hash = hash64({reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, hash)});
    std::memcpy(bytes.data(), &header, sizeof header);
    const auto opened = Segment::open(bytes, false);
    return opened.ok() && opened->check_all().ok();
  };
  using Sections = std::array<SectionPlace, kSections>;
  const auto at = [](Section section) { return static_cast<std::size_t>(section); };
  EXPECT_TRUE(with([](Sections&) {}));
  EXPECT_FALSE(with([&](Sections& all) { all[at(Section::lengths)].offset = 56; }));
  EXPECT_FALSE(with([&](Sections& all) { all[at(Section::positions)].size = 0; }));
  EXPECT_FALSE(with([&](Sections& all) {
    all[at(Section::postings)].size = kListPadding;
    all[at(Section::positions)].size +=
        all[at(Section::positions)].offset - all[at(Section::postings)].offset - kListPadding;
    all[at(Section::positions)].offset = all[at(Section::postings)].offset + kListPadding;
  }));
}

// Everything that is read has a check of its own, and it looks no further than it has to.
TEST(Segments, VerifyWhatIsAskedOfThemAndNoMore) {
  constexpr DocKey kDocuments = 20'000;  // ten blocks of keys
  SegmentBuilder builder;
  for (DocKey key = 1; key <= kDocuments; ++key) {
    DocInfo info;
    info.key = key;
    info.turn = static_cast<TurnOrd>(key);
    builder.add(info, "one common word and number" + std::to_string(key % 997));
  }
  std::string bytes = builder.finish();
  const auto whole = Segment::open(bytes, false);
  const auto flip = [&](const void* at) {
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(at) - bytes.data());
    bytes[offset] = static_cast<char>(bytes[offset] ^ 0x10);
  };
  const TermEntry entry = **whole->find("common");
  const auto check = [&](Status (*checks)(const Segment&, const TermEntry&), const void* at) {
    flip(at);
    const auto segment = Segment::open(bytes, false);
    const auto term = segment->find("common");  // may lie in the same block
    const bool found = !term.ok() || !checks(*segment, **term).ok();
    flip(at);
    return found;
  };
  const auto columns = [](const Segment& s, const TermEntry&) { return s.check_columns(); };
  const auto first_key = [](const Segment& s, const TermEntry&) { return s.check_key(0); };
  const auto last_key = [](const Segment& s, const TermEntry&) {
    return s.check_key(s.documents() - 1);
  };
  const auto last_length = [](const Segment& s, const TermEntry&) {
    return s.check_length(s.documents() - 1);
  };
  const auto list = [](const Segment& s, const TermEntry& e) { return s.check_list(e); };
  const auto places = [](const Segment& s, const TermEntry& e) { return s.check_positions(e); };

  const void* const key = whole->keys().data();
  EXPECT_TRUE(check(first_key, key));
  EXPECT_FALSE(check(last_key, key));
  EXPECT_FALSE(check(columns, key));
  EXPECT_TRUE(check(columns, &whole->turns()[kDocuments / 2]));
  EXPECT_TRUE(check(columns, &whole->lengths()[kDocuments / 2]));
  EXPECT_TRUE(check(columns, &whole->blocks()[kDocuments / 2]));
  EXPECT_TRUE(check(columns, &whole->tags()[kDocuments - 1]));
  EXPECT_TRUE(check(columns, &whole->turn_runs()[kDocuments / 2]));
  EXPECT_TRUE(check(columns, &whole->session_runs().back()));
  EXPECT_FALSE(check(last_key, &whole->turns()[kDocuments / 2]));
  EXPECT_TRUE(check(last_length, &whole->lengths().back()));
  EXPECT_FALSE(check(last_length, &whole->lengths().front()));
  EXPECT_TRUE(check(list, whole->postings().data() + entry.postings));
  EXPECT_FALSE(check(places, whole->postings().data() + entry.postings));
  EXPECT_TRUE(check(places, whole->positions().data() + entry.positions + 5000));
  EXPECT_FALSE(check(list, whole->positions().data() + entry.positions + 5000));
}

TEST(Segments, FindWordsByTheirBeginning) {
  SegmentBuilder builder;
  DocInfo info;
  info.key = 1;
  builder.add(info, "parse parser parsing park");
  const std::string bytes = builder.finish();
  const auto segment = Segment::open(bytes, false);
  ASSERT_TRUE(segment.ok());
  std::vector<std::string> found;
  const auto entries = segment->find_prefix("pars");
  ASSERT_TRUE(entries.ok());
  for (const TermEntry& entry : *entries) found.emplace_back(segment->text(entry));
  EXPECT_EQ(found, (std::vector<std::string>{"pars", "parse", "parser", "parsing"}));
  EXPECT_EQ(*segment->find("parsec"), nullptr);
}

}  // namespace
}  // namespace yore::lexical
