#include "config/whereabouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.hpp"
#include "support/fake_world.hpp"

namespace yore::config {
namespace {

using fake::FakeWorld;

std::vector<std::string> places_of(const Whereabouts& where, std::string_view agent) {
  std::vector<std::string> paths;
  for (const FoundRoot& root : where.windows_places(*transcript::built_in_agents())) {
    EXPECT_TRUE(root.exists && root.far);
    if (root.adapter->name == agent) paths.push_back(root.root.path);
  }
  return paths;
}

struct WindowsBeside : testing::Test {
  WindowsBeside() {
    world.set_drives(world.in_home("mnt"));
    for (const char* folder : {"c/Users/Public", "c/Users/Default", "c/Windows", "wsl/Users/x"}) {
      EXPECT_TRUE(make_directories(drive(folder)).ok());
    }
  }
  [[nodiscard]] std::string drive(const std::string& path) const {
    return world.in_home("mnt/" + path);
  }
  [[nodiscard]] Whereabouts where() const { return {world.world(), world.data_dir()}; }

  FakeWorld world;
};

TEST_F(WindowsBeside, AgentsAreLookedForInTheHomesOfPeople) {
  const std::string claude = drive("c/Users/ann/.claude/projects");
  const std::string roaming = drive("c/Users/ann/AppData/Roaming/Code/User");
  const std::string zed = drive("d/Users/bo/AppData/Local/zed");
  for (const std::string& folder :
       {claude, roaming, zed, drive("c/Users/Public/.claude/projects")}) {
    ASSERT_TRUE(make_directories(folder).ok());
  }
  EXPECT_EQ(places_of(where(), "claude-code"), std::vector<std::string>{claude});
  EXPECT_EQ(places_of(where(), "vscode-chat"), std::vector<std::string>{roaming});
  EXPECT_EQ(places_of(where(), "zed"), std::vector<std::string>{zed});
}

TEST_F(WindowsBeside, APathSaysWhoseItIs) {
  EXPECT_EQ(where().tell(drive("c/Users/ann/.claude/projects/x.jsonl")), "Windows (ann)");
  EXPECT_EQ(where().tell(drive("c/Users/ann")), "Windows (ann)");
  EXPECT_EQ(where().tell(drive("d/work/x")), "Windows disk " + drive("d"));
  EXPECT_EQ(where().tell(world.in_home(".claude/projects/x.jsonl")), "");
  EXPECT_EQ(where().tell(drive("wsl/Users/x")), "") << "no disk of Windows";
  EXPECT_EQ(where().tell(""), "");
  EXPECT_TRUE(where().is_far(drive("c/Users/ann/.codex")));
  EXPECT_FALSE(where().is_far(world.in_home(".codex")));
}

TEST(Whereabouts, WithoutWindowsNothingIsLookedFor) {
  const FakeWorld world;
  const Whereabouts where(world.world(), world.data_dir());
  EXPECT_FALSE(where.has_far());
  EXPECT_TRUE(where.windows_places(*transcript::built_in_agents()).empty());
  EXPECT_EQ(where.tell("/mnt/c/Users/ann/x"), "");
}

TEST(Whereabouts, ANetworkDiskIsFarUnlessItHoldsYoresOwnData) {
  FakeWorld world;
  const std::string table = FakeWorld::mount_line("/", "ext4") +
                            FakeWorld::mount_line("/net/team", "nfs4") +
                            FakeWorld::mount_line("/net/home", "cifs");
  world.set_mounts(table);
  const Whereabouts here(world.world(), world.data_dir());
  EXPECT_TRUE(here.is_far("/net/team/sessions"));
  EXPECT_EQ(here.tell("/net/team/sessions"), "network disk /net/team");
  const Whereabouts there(world.world(), "/net/team/ann/yore");
  EXPECT_FALSE(there.is_far("/net/team/sessions"));
  EXPECT_EQ(there.tell("/net/team/sessions"), "");
  EXPECT_TRUE(there.is_far("/net/home/x"));
}

}  // namespace
}  // namespace yore::config
