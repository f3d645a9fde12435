#include "base/files/mounts.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore {
namespace {

std::string line(const std::string& point, const std::string& type) {
  return "36 35 98:0 / " + point + " rw,noatime master:1 shared:2 - " + type + " server:/x rw\n";
}

TEST(Mounts, APathLiesOnTheDeepestMountThatHoldsIt) {
  const Mounts mounts =
      Mounts::parse(line("/", "ext4") + line("/home", "nfs4") + line("/home/ann/local", "ext4"));
  EXPECT_FALSE(mounts.holding("/etc/passwd")->network);
  EXPECT_TRUE(mounts.holding("/home")->network);
  EXPECT_TRUE(mounts.holding("/home/ann/.claude")->network);
  EXPECT_FALSE(mounts.holding("/home/ann/local/x")->network);
  EXPECT_FALSE(mounts.holding("/homes/ann")->network) << "another folder that begins alike";
}

TEST(Mounts, OfTwoOnOnePointTheLaterOneCounts) {
  const Mounts mounts = Mounts::parse(line("/net", "ext4") + line("/net", "fuse.sshfs"));
  EXPECT_EQ(mounts.holding("/net/a")->type, "fuse.sshfs");
  EXPECT_TRUE(mounts.holding("/net/a")->network);
}

TEST(Mounts, ASpaceInAPointIsEscaped) {
  const Mounts mounts = Mounts::parse(line("/mnt/my\\040disk", "cifs"));
  ASSERT_NE(mounts.holding("/mnt/my disk/x"), nullptr);
  EXPECT_TRUE(mounts.holding("/mnt/my disk/x")->network);
}

TEST(Mounts, WhatIsNoTableGivesNone) {
  for (const std::string& text : {std::string(), std::string("nonsense\n\n - \n"),
                                  std::string(5000, ' '), std::string("1 2 3 - nfs\n")}) {
    const Mounts mounts = Mounts::parse(text);
    EXPECT_EQ(mounts.holding("/x"), nullptr);
    EXPECT_FALSE(mounts.any_network());
  }
}

TEST(Mounts, LinksAreFollowedAsFarAsNearDisksGo) {
  const fake::TempDir home;
  const std::string far = home.path() + "/far";
  std::filesystem::create_directories(far);
  std::filesystem::create_symlink(far + "/agents", home.path() + "/direct");
  std::filesystem::create_symlink("direct/sessions", home.path() + "/twice");
  std::filesystem::create_symlink("circle", home.path() + "/circle");
  const Mounts mounts = Mounts::parse(line("/", "ext4") + line(far, "nfs"));
  EXPECT_TRUE(mounts.where_it_leads(home.path() + "/direct/x")->network);
  EXPECT_TRUE(mounts.where_it_leads(home.path() + "/twice")->network) << "nothing is there";
  EXPECT_FALSE(mounts.where_it_leads(home.path() + "/elsewhere")->network);
  EXPECT_FALSE(mounts.where_it_leads(home.path() + "/circle/x")->network);
  EXPECT_FALSE(mounts.holding(home.path() + "/direct")->network);
}

TEST(Mounts, ThisMachineHasATable) {
  EXPECT_NE(Mounts::parse(read_mountinfo()).holding("/"), nullptr);
}

}  // namespace
}  // namespace yore
