#include "transcript/registry.hpp"

#include <gtest/gtest.h>

#include <set>

namespace yore::transcript {
namespace {

TEST(Registry, FindsTheAgentsOfTheProgramByTheirNames) {
  const AgentRegistry& agents = *built_in_agents();
  ASSERT_FALSE(agents.all().empty());
  EXPECT_EQ(agents.all().front().name, "claude-code");
  for (const Adapter& agent : agents.all()) EXPECT_EQ(agents.find(agent.name), &agent);
  EXPECT_EQ(agents.find("emacs"), nullptr);
  EXPECT_EQ(agents.find(""), nullptr);
}

TEST(Registry, HasNoNameTwice) {
  std::set<std::string_view> names;
  for (const Adapter& agent : built_in_agents()->all()) {
    EXPECT_TRUE(names.insert(agent.name).second) << agent.name;
    EXPECT_FALSE(agent.from_user);
    EXPECT_NE(agent.verified, Verified::unsaid) << agent.name << ": how was it checked?";
  }
}

TEST(Registry, TakesAnAgentOfOnesOwnUnlessItsNameIsTaken) {
  AgentRegistry agents({built_in_agents()->all().begin(), built_in_agents()->all().end()});
  const std::size_t before = agents.all().size();
  Adapter own;
  own.name = "own";
  EXPECT_TRUE(agents.add(own));
  EXPECT_FALSE(agents.add(own));
  own.name = "pi";
  EXPECT_FALSE(agents.add(own));
  EXPECT_EQ(agents.all().size(), before + 1);
  EXPECT_EQ(agents.find("own"), &agents.all().back());
  EXPECT_EQ(built_in_agents()->find("own"), nullptr) << "a registry is a value";
}

}  // namespace
}  // namespace yore::transcript
