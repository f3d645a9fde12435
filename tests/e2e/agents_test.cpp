// One memory over many agents: small stores of each, laid where the agents keep them.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files/file.hpp"
#include "cases/case_file.hpp"
#include "e2e/sandbox.hpp"
#include "transcript/registry.hpp"

namespace yore::e2e {
namespace {

struct Store {
  const char* agent;
  const char* sample;  // of tests/cases/<agent>
  const char* folder;  // in the home folder
  const char* id;
  const char* resume;
};
constexpr Store kStores[] = {
    {"codex", "a-turn", ".codex", "codex:11111111-1111-7111-8111-111111111111",
     "codex resume 11111111-1111-7111-8111-111111111111"},
    {"gemini", "a-turn", ".gemini", "gemini:33333333-3333-4333-8333-333333333333",
     "gemini --resume 33333333-3333-4333-8333-333333333333"},
    {"qwen", "a-turn", ".qwen", "qwen:77777777-7777-4777-8777-777777777777",
     "qwen -r 77777777-7777-4777-8777-777777777777"},
    {"opencode", "tree-a-turn", ".local/share/opencode", "opencode:ses_1", "opencode -s ses_1"},
    {"kimi", "code-a-turn", ".kimi-code", "kimi:session_11111111-1111-4111-8111-111111111111",
     "kimi -S session_11111111-1111-4111-8111-111111111111"},
    {"pi", "a-turn", ".pi/agent", "pi:11111111-1111-7111-8111-111111111111",
     "pi --session 11111111-1111-7111-8111-111111111111"},
};

class Agents : public testing::Test {
 protected:
  Agents() {
    for (const Store& store : kStores) {
      const auto text = read_file(std::string(YORE_SOURCE_DIR "/tests/cases/") + store.agent + "/" +
                                  store.sample + ".case");
      const std::string root = box_.in_home(store.folder);
      for (const cases::FilePart& part : cases::parse_case(*text).parts) {
        box_.write(root + "/" + part.name, cases::expand_placeholders(part.body, root));
      }
    }
    box_.write_session("blog", kFirst, conversation(kFirst, "parser", 1));
  }
  // Session ids of all hits.
  [[nodiscard]] std::set<std::string> found(std::vector<std::string> args) const {
    args.insert(args.begin(), "search");
    args.insert(args.end(), {"--json", "-n", "50"});
    std::set<std::string> ids;
    const auto answer = box_.run(args).json();
    for (const auto& hit : answer["results"]) ids.insert(hit["session_id"].get<std::string>());
    return ids;
  }

  Sandbox box_;
};

TEST_F(Agents, AreFoundByThemselvesAndSearchedAsOne) {
  const std::set<std::string> ids = found({"parser"});
  EXPECT_TRUE(ids.contains(kFirst));
  for (const char* agent : {"codex:", "opencode:", "kimi:", "pi:"}) {
    EXPECT_TRUE(std::ranges::any_of(ids, [&](const auto& id) { return id.starts_with(agent); }))
        << agent;
  }
  const auto agents = box_.run({"agents", "--json"}).json()["agents"];
  EXPECT_EQ(agents.size(), transcript::built_in_agents()->all().size());
  // Those that were laid out and Claude Code; the others have left nothing here.
  const auto found_agents = std::ranges::count_if(
      agents, [](const auto& each) { return each["sessions"].template get<int>() > 0; });
  EXPECT_EQ(found_agents, std::ssize(kStores) + 1);
  for (const Store& store : kStores) {
    const auto row = std::ranges::find_if(
        agents, [&](const auto& each) { return each["agent"] == store.agent; });
    ASSERT_NE(row, agents.end());
    EXPECT_EQ((*row)["sessions"], 1) << store.agent;
    EXPECT_EQ((*row)["turns"], 1) << store.agent;
    EXPECT_EQ((*row)["problems"], 0) << store.agent;
    EXPECT_EQ((*row)["found"], true) << store.agent;
    EXPECT_EQ((*row)["verified"], "real") << store.agent;
  }
}

TEST_F(Agents, AreToldApartByFlagFieldAndId) {
  EXPECT_EQ(found({"parser", "--agent", "codex"}), (std::set<std::string>{kStores[0].id}));
  EXPECT_EQ(found({"parser agent:opencode"}), (std::set<std::string>{"opencode:ses_1"}));
  EXPECT_EQ(found({"parser", "-a", "codex", "-a", "pi"}),
            (std::set<std::string>{kStores[0].id, kStores[5].id}));
  EXPECT_EQ(found({"parser", "--session", "pi:1111"}), (std::set<std::string>{kStores[5].id}));
  for (const Store& store : kStores) {
    const Ran shown = box_.run({"show", store.id, "--json"});
    ASSERT_EQ(shown.code, 0) << store.id << shown.err;
    EXPECT_EQ(shown.json()["total_turns"], 1) << store.id;
    EXPECT_EQ(shown.json()["project"], "app") << store.id;
  }
  // The same number in two agents: the agent's name decides, without it both are shown.
  const Ran both = box_.run({"show", "11111111"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find(kStores[0].id), std::string::npos) << both.err;
  EXPECT_NE(both.err.find(kStores[5].id), std::string::npos) << both.err;
}

TEST_F(Agents, AreResumedEachByTheirOwnCommand) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  for (const Store& store : kStores) {
    const Ran resume = box_.run({"resume", store.id});
    EXPECT_EQ(resume.code, 0) << store.id;
    EXPECT_NE(resume.out.find(store.resume), std::string::npos) << resume.out;
  }
}

TEST_F(Agents, AnUnchangedStoreIsNotReadAgain) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  const auto again = box_.run({"index", "--json"}).json();
  EXPECT_EQ(again["bytes_read"], 0) << again;
  EXPECT_EQ(again["sessions_unchanged"], 7) << again;
}

}  // namespace
}  // namespace yore::e2e
