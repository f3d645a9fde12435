#include "search/session_id.hpp"

#include <gtest/gtest.h>

namespace yore::search {
namespace {

using Ids = std::vector<std::string>;

TEST(ShortIds, AreEightCharactersWhereThatIsEnough) {
  EXPECT_EQ(
      short_ids({"1a2b3c4d-0000-4000-8000-000000000001", "9f8e7d6c-0000-4000-8000-000000000002"}),
      (Ids{"1a2b3c4d", "9f8e7d6c"}));
}

TEST(ShortIds, GrowUntilTheyDiffer) {
  EXPECT_EQ(short_ids({"1a2b3c4d-0001-4000", "1a2b3c4d-0002-4000", "1a2b0000-0003"}),
            (Ids{"1a2b3c4d-0001", "1a2b3c4d-0002", "1a2b0000"}));
}

TEST(ShortIds, KeepTheAgent) {
  EXPECT_EQ(short_ids({"openclaw:1a2b3c4d-5e6f", "1a2b3c4d-5e6f"}),
            (Ids{"openclaw:1a2b3c4d", "1a2b3c4d"}));
}

TEST(ShortIds, NameASubAgentByItsOwnId) {
  EXPECT_EQ(short_ids({"1a2b3c4d-0000/agent-a1b2c3d4e5f6"}), (Ids{"agent-a1b2c3d4"}));
}

TEST(ShortIds, AnIdThatBeginsAnotherIsShownWhole) {
  EXPECT_EQ(short_ids({"abcdefgh", "abcdefghij"}), (Ids{"abcdefgh", "abcdefghi"}));
  EXPECT_EQ(short_ids({"abc", "abc"}), (Ids{"abc", "abc"}));
  EXPECT_EQ(short_ids({}), Ids{});
}

TEST(SessionIds, AreTheAgentsOwnBehindItsName) {
  EXPECT_EQ(native_id("openclaw:1a2b", "openclaw"), "1a2b");
  EXPECT_EQ(native_id("1a2b", "claude-code"), "1a2b");
  EXPECT_EQ(native_id("openclaws:1a2b", "openclaw"), "openclaws:1a2b");
  EXPECT_EQ(native_id("openclaw", "openclaw"), "openclaw");
}

TEST(SessionIds, AreKnownWithAndWithoutTheAgent) {
  EXPECT_TRUE(is_id_of("openclaw:1a2b", "1a2b"));
  EXPECT_TRUE(is_id_of("openclaw:1a2b", "openclaw:1a2b"));
  EXPECT_FALSE(is_id_of("openclaw:1a2b", "2b"));
  EXPECT_FALSE(is_id_of("1a2b", "1a2"));
}

}  // namespace
}  // namespace yore::search
