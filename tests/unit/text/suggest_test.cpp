#include "text/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace yore::text {
namespace {

constexpr std::array<std::string_view, 9> kCommands = {
    "list", "show", "projects", "resume", "index", "status", "agents", "doctor", "demo"};

TEST(EditDistance, CountsEachKindOfSlip) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("list", "list"), 0U);
  EXPECT_EQ(edit_distance("lis", "list"), 1U);
  EXPECT_EQ(edit_distance("lisst", "list"), 1U);
  EXPECT_EQ(edit_distance("lost", "list"), 1U);
  EXPECT_EQ(edit_distance("lsit", "list"), 1U);
  EXPECT_EQ(edit_distance("", "list"), 4U);
}

TEST(EditDistance, IsTheSameBothWays) {
  EXPECT_EQ(edit_distance("statsu", "status"), edit_distance("status", "statsu"));
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
}

TEST(Closest, FindsTheCommandThatWasMeant) {
  EXPECT_EQ(closest("lsit", kCommands), "list");
  EXPECT_EQ(closest("stauts", kCommands), "status");
  EXPECT_EQ(closest("project", kCommands), "projects");
  EXPECT_EQ(closest("indx", kCommands), "index");
  EXPECT_EQ(closest("ls", kCommands), "");
}

TEST(Closest, FollowsABeginningThatFitsOnlyOne) {
  EXPECT_EQ(closest("proj", kCommands), "projects");
  EXPECT_EQ(closest("doc", kCommands), "doctor");
}

TEST(Closest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(closest("frobnicate", kCommands), "");
  EXPECT_EQ(closest("", kCommands), "");
  EXPECT_EQ(closest(std::string(100'000, 'x'), kCommands), "");
}

}  // namespace
}  // namespace yore::text
