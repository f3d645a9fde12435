#include "transcript/registry.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "support/temp_dir.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::transcript {
namespace {

constexpr const char* kOwnThread = "11111111-1111-7111-8111-111111111111";

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

AgentSpec like(const std::string& other) {
  auto spec = parse_agent(
      "name = \"own\"\nlike = \"" + other + "\"\nresume = [\"own\", \"{id}\"]\n", "x.toml");
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  return *spec;
}

TEST(Registry, ReadsTheFilesOfAnAgentThatIsLikeAnotherUnderItsOwnName) {
  const fake::TempDir home;
  const std::string file =
      home.path() + "/sessions/2026/05/02/rollout-2026-05-02T10-00-00-" + kOwnThread + ".jsonl";
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file) << R"({"timestamp":"2026-05-02T10:00:00.000Z","type":"session_meta",)"
                      << R"("payload":{"id":")" << kOwnThread << R"(","cwd":"/w/app"}})"
                      << "\n";
  const auto own = make_agent(like("codex"), *built_in_agents());
  ASSERT_TRUE(own.ok()) << own.error().message;
  EXPECT_EQ(own->name, "own");
  EXPECT_EQ(own->resume("1"), (std::vector<std::string>{"own", "1"}));
  auto listing = own->sessions({home.path(), false}, {});
  ASSERT_TRUE(listing.ok());
  ASSERT_EQ(listing->sessions.size(), 1U);
  EXPECT_EQ(listing->sessions[0].id, std::string("own:") + kOwnThread);
  // What is known from the last time comes back under the same name.
  PreviousListing known;
  const SessionRef before = listing->sessions[0];
  known.session = [&](std::string_view agent, const auto&, const auto&) {
    return agent == "own" ? &before : nullptr;
  };
  listing = own->sessions({home.path(), false}, known);
  ASSERT_TRUE(listing.ok());
  EXPECT_EQ(listing->sessions[0].id, before.id);
}

TEST(Registry, FollowsNoAgentThatIsNotThere) {
  const auto own = make_agent(like("emacs"), *built_in_agents());
  ASSERT_FALSE(own.ok());
  EXPECT_NE(own.error().message.find("there is no agent 'emacs'"), std::string::npos);
  const auto more = parse_agent(
      "name = \"own\"\nlike = \"codex\"\nplaces = [{ pattern = \"{id}.jsonl\" }]\n", "x.toml");
  ASSERT_FALSE(more.ok());
  EXPECT_NE(more.error().message.find("x.toml: line 2: 'codex' has no description to add to"),
            std::string::npos)
      << more.error().message;
}

}  // namespace
}  // namespace yore::transcript
