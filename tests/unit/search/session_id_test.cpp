#include "search/session_id.hpp"

#include <gtest/gtest.h>

namespace yore::search {
namespace {

using Ids = std::vector<std::string>;

Ids shortened(const Ids& all) {
  const ShortIds ids(all);
  Ids shown;
  for (const std::string& id : all) shown.push_back(ids.of(id));
  return shown;
}

TEST(ShortIds, AreEightCharactersWhereThatIsEnough) {
  EXPECT_EQ(
      shortened({"1a2b3c4d-0000-4000-8000-000000000001", "9f8e7d6c-0000-4000-8000-000000000002"}),
      (Ids{"1a2b3c4d", "9f8e7d6c"}));
}

TEST(ShortIds, GrowUntilTheyDiffer) {
  EXPECT_EQ(shortened({"1a2b3c4d-0001-4000", "1a2b3c4d-0002-4000", "1a2b0000-0003"}),
            (Ids{"1a2b3c4d-0001", "1a2b3c4d-0002", "1a2b0000"}));
}

TEST(ShortIds, KeepTheAgentAndAreLongerWithoutItWhereAnotherAgentsIdBeginsLikewise) {
  EXPECT_EQ(shortened({"openclaw:1a2b3c4d-5e6f", "1a2b3c4d-77"}),
            (Ids{"openclaw:1a2b3c4d", "1a2b3c4d-7"}));
}

TEST(ShortIds, NameASubAgentBehindItsParent) {
  EXPECT_EQ(shortened({"1a2b3c4d-0000/agent-a1b2c3d4e5f6"}), (Ids{"1a2b3c4d/agent-a1b2c3d4"}));
  EXPECT_EQ(shortened({"kimi:session_17/agent-0", "kimi:session_25/agent-0", "kimi:session_17",
                       "kimi:session_25", "kimi:session_25/agent-0/agent-1"}),
            (Ids{"kimi:session_1/agent-0", "kimi:session_2/agent-0", "kimi:session_1",
                 "kimi:session_2", "kimi:session_2/agent-0/agent-1"}));
}

TEST(ShortIds, KeepTheNumberOfAnEdition) {
  EXPECT_EQ(shortened({"1a2b3c4d-0001", "1a2b3c4d-0001~1", "1a2b3c4d-0001~12"}),
            (Ids{"1a2b3c4d", "1a2b3c4d~1", "1a2b3c4d~12"}));
}

TEST(ShortIds, AnIdThatBeginsAnotherIsShownWhole) {
  EXPECT_EQ(shortened({"abcdefgh", "abcdefghij"}), (Ids{"abcdefgh", "abcdefghi"}));
  EXPECT_EQ(shortened({"abc", "abc"}), (Ids{"abc", "abc"}));
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
