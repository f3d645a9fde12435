#include "cli/session_id.hpp"

#include <gtest/gtest.h>

namespace yore::cli {
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

}  // namespace
}  // namespace yore::cli
