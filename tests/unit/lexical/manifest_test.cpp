#include "lexical/format/manifest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore::lexical {
namespace {

Manifest some_manifest() {
  Manifest manifest;
  manifest.generation = 77;
  manifest.birth = 70;
  manifest.covers = {"00112233445566778899aabbccddeeff", 1234, 0xFEDCBA9876543210U, false};
  manifest.next_file = 20;
  manifest.catalog = 12;
  manifest.catalog_bytes = 4'000;
  manifest.log = 13;
  manifest.log_bytes = 900;
  manifest.log_frames = 3;
  manifest.segments = {{3, 1'000, 10, 1, 90, 0}, {4, 2'000, 20, 91, 200, 0}, {7, 50, 1, 5, 5, 2}};
  return manifest;
}

TEST(Manifest, SaysTheSameAfterEncodingAndDecoding) {
  const Manifest manifest = some_manifest();
  const auto decoded = decode_manifest<Manifest>(encode_manifest(manifest));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, manifest);
  EXPECT_EQ(*decode_manifest<Manifest>(encode_manifest(Manifest{})), Manifest{});
}

TEST(Manifest, EveryFlippedByteIsFound) {
  const std::string whole = encode_manifest(some_manifest());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    EXPECT_EQ(decode_manifest<Manifest>(bytes).error().code, Errc::corrupt) << at;
    EXPECT_EQ(decode_manifest<Manifest>(whole.substr(0, at)).error().code, Errc::corrupt) << at;
  }
  EXPECT_EQ(decode_manifest<Manifest>(whole + std::string(8, '\0')).error().code, Errc::corrupt);
}

TEST(Manifest, IsNotSoundWhenSegmentsOverlapOrNumbersAreTooLarge) {
  EXPECT_TRUE(some_manifest().is_sound());
  Manifest manifest = some_manifest();
  manifest.segments[1].first = 90;
  EXPECT_FALSE(manifest.is_sound()) << "two have key 90";
  manifest = some_manifest();
  std::swap(manifest.segments[0], manifest.segments[1]);
  EXPECT_FALSE(manifest.is_sound()) << "not in order";
  manifest = some_manifest();
  manifest.next_file = 13;
  EXPECT_FALSE(manifest.is_sound()) << "the log has number 13";
  manifest = some_manifest();
  manifest.segments[2].family = kFamilies;
  EXPECT_FALSE(manifest.is_sound()) << "no such family";
}

TEST(Manifest, APublicationIsCurrentUntilTheNext) {
  const fake::TempDir directory;
  EXPECT_EQ(read_manifest<Manifest>(directory.path()).error().code, Errc::not_found);
  EXPECT_FALSE(is_current(directory.path(), 77));
  Manifest manifest = some_manifest();
  ASSERT_TRUE(publish_manifest(directory.path(), manifest).ok());
  EXPECT_TRUE(is_current(directory.path(), 77));
  ++manifest.generation;
  ASSERT_TRUE(publish_manifest(directory.path(), manifest).ok());
  EXPECT_FALSE(is_current(directory.path(), 77));
  EXPECT_TRUE(is_current(directory.path(), 78));
  EXPECT_EQ(*read_manifest<Manifest>(directory.path()), manifest);
}

TEST(Manifest, OnlyFilesOfTheIndexThatNobodyNamesAreRemoved) {
  const fake::TempDir directory;
  const std::string& path = directory.path();
  const std::set<std::string> stay = {"0003.seg",  "0004.seg", "0007.seg", "0012.cat",
                                      "0013.log",  "manifest", "x.seg",    "0005.seg.bak",
                                      "merge.tmp", "5"};
  const std::set<std::string> go = {"0005.seg", "0012.seg", "0003.cat", "12345.log",
                                    "manifest.tmp-7-0"};
  for (const auto& names : {stay, go}) {
    for (const std::string& name : names) {
      ASSERT_TRUE(write_new_file(path_join(path, name), "").ok());
    }
  }
  EXPECT_EQ(largest_number(path, Manifest::kKind), 12345U);
  remove_unnamed(path, some_manifest());
  std::set<std::string> left;
  const auto entries = list_directory(path);
  for (const DirEntry& entry : *entries) left.insert(entry.name);
  EXPECT_EQ(left, stay);
}

}  // namespace
}  // namespace yore::lexical
