#include "config/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore::config {
namespace {

GetEnv env_of(std::map<std::string, std::string, std::less<>> values) {
  return [values = std::move(values)](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

std::vector<std::string> paths_of(std::string_view agent, const GetEnv& env) {
  std::vector<std::string> paths;
  for (const FoundRoot& root : default_roots(*transcript::built_in_agents(), env)) {
    if (root.adapter->name == agent) paths.push_back(root.root.path);
  }
  return paths;
}

using Paths = std::vector<std::string>;

TEST(Roots, ClaudeCodeIsLookedForInBothOfItsPlaces) {
  EXPECT_EQ(paths_of("claude-code", env_of({{"HOME", "/home/ann"}})),
            (Paths{"/home/ann/.claude/projects", "/home/ann/.config/claude/projects"}));
}

TEST(Roots, AVariableReplacesTheDefaultOfItsOwnRuleOnly) {
  const auto env = env_of({{"HOME", "/home/ann"}, {"CLAUDE_CONFIG_DIR", "/srv/claude"}});
  EXPECT_EQ(paths_of("claude-code", env),
            (Paths{"/srv/claude/projects", "/home/ann/.config/claude/projects"}));
}

TEST(Roots, AVariableMayBeginWithATilde) {
  const auto env = env_of({{"HOME", "/home/ann"}, {"CLAUDE_CONFIG_DIR", "~/work/.claude"}});
  EXPECT_EQ(paths_of("claude-code", env).front(), "/home/ann/work/.claude/projects");
}

TEST(Roots, TheConfigHomeMovesTheSecondPlace) {
  const auto env = env_of({{"HOME", "/home/ann"}, {"XDG_CONFIG_HOME", "/etc/ann"}});
  EXPECT_EQ(paths_of("claude-code", env).back(), "/etc/ann/claude/projects");
}

TEST(Roots, OfGeminiAndQwenFollowTheirVariables) {
  const auto plain = env_of({{"HOME", "/home/ann"}});
  EXPECT_EQ(paths_of("gemini", plain),
            (Paths{"/home/ann/.gemini/tmp", "/home/ann/.cache/.gemini/tmp"}));
  EXPECT_EQ(paths_of("qwen", plain), (Paths{"/home/ann/.qwen/projects", "/home/ann/.qwen/tmp"}));
  const auto moved = env_of({{"HOME", "/home/ann"},
                             {"GEMINI_CLI_HOME", "/srv/g"},
                             {"QWEN_RUNTIME_DIR", "/srv/q"},
                             {"QWEN_HOME", "/srv/h"}});
  EXPECT_EQ(paths_of("gemini", moved).front(), "/srv/g/.gemini/tmp");
  EXPECT_EQ(paths_of("qwen", moved), (Paths{"/srv/q/projects", "/srv/h/projects", "/srv/h/tmp"}));
}

TEST(Roots, EachPlaceIsNamedOnce) {
  const auto env =
      env_of({{"HOME", "/home/ann"}, {"CLAUDE_CONFIG_DIR", "/home/ann/.config/claude"}});
  EXPECT_EQ(paths_of("claude-code", env), (Paths{"/home/ann/.config/claude/projects"}));
}

TEST(Roots, SayWhetherTheyExist) {
  const fake::TempDir home;
  const auto env = env_of({{"HOME", home.path()}});
  const auto exists = [&env] {
    return default_roots(*transcript::built_in_agents(), env).front().exists;
  };
  EXPECT_FALSE(exists());
  ASSERT_TRUE(make_directories(path_join(home.path(), ".claude/projects")).ok());
  EXPECT_TRUE(exists());
}

TEST(Roots, OfAnAgentThatWritesAnywhereCountOnceItWasUsed) {
  const fake::TempDir home;
  const auto counts = [&] {
    const auto roots =
        default_roots(*transcript::built_in_agents(), env_of({{"HOME", home.path()}}));
    const auto aider = std::ranges::find_if(
        roots, [](const FoundRoot& root) { return root.adapter->name == "aider"; });
    return aider != roots.end() && aider->exists;
  };
  EXPECT_FALSE(counts()) << "the home folder is there, but nothing of Aider's";
  ASSERT_TRUE(make_directories(home.path() + "/.aider").ok());
  EXPECT_TRUE(counts());
}

TEST(Roots, AreNeverNamed) {
  const auto roots = default_roots(*transcript::built_in_agents(), env_of({{"HOME", "/home/ann"}}));
  EXPECT_TRUE(std::ranges::none_of(roots, [](const FoundRoot& r) { return r.root.named; }));
}

TEST(Source, IsAFormatAndAPathMadeAbsolute) {
  const auto root = parse_source("openclaw:~/a/../b/sessions", *transcript::built_in_agents(),
                                 env_of({{"HOME", "/home/ann"}}));
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root->adapter->name, "openclaw");
  EXPECT_EQ(root->root.path, "/home/ann/b/sessions");
  EXPECT_TRUE(root->root.named);
  EXPECT_FALSE(root->exists);
}

TEST(Source, MayHaveAColonInItsPath) {
  const auto root =
      parse_source("claude-code:/srv/a:b", *transcript::built_in_agents(), env_of({}));
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root->root.path, "/srv/a:b");
}

TEST(Source, WithoutFormatOrPathSaysWhatIsWanted) {
  for (const char* text : {"", "openclaw", "openclaw:", "/only/a/path"}) {
    const auto root = parse_source(text, *transcript::built_in_agents(), env_of({}));
    ASSERT_FALSE(root.ok()) << text;
    EXPECT_EQ(root.error().code, Errc::invalid_argument);
    EXPECT_NE(root.error().message.find("FORMAT:PATH"), std::string::npos) << text;
  }
}

TEST(Source, OfAnUnknownFormatListsTheKnownOnes) {
  const auto root = parse_source("vim:/x", *transcript::built_in_agents(), env_of({}));
  ASSERT_FALSE(root.ok());
  EXPECT_NE(root.error().message.find("'vim'"), std::string::npos);
  EXPECT_NE(root.error().hint.find("claude-code"), std::string::npos);
  EXPECT_NE(root.error().hint.find("openclaw"), std::string::npos);
}

}  // namespace
}  // namespace yore::config
