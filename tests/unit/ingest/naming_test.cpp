#include "ingest/naming.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::ingest {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

// Titles --------------------------------------------------------------------------------------

TEST(Title, IsTheFirstOfTheChain) {
  store::SessionRow row;
  const auto kind = [&row](std::string_view summary) {
    return std::string(title_of(row, summary).kind);
  };
  EXPECT_EQ(kind(""), "");
  row.facts.first_prompt = "prompt";
  EXPECT_EQ(kind(""), "prompt");
  row.facts.slug = "slug";
  EXPECT_EQ(kind(""), "slug");
  row.facts.compaction_title = "compaction";
  EXPECT_EQ(kind(""), "compaction");
  row.ref_title = "index";
  EXPECT_EQ(kind(""), "index");
  row.facts.ai_title = "ai";
  EXPECT_EQ(kind(""), "ai");
  EXPECT_EQ(kind("summary"), "summary");
  row.facts.name_title = "name";
  EXPECT_EQ(kind("summary"), "custom");
  EXPECT_EQ(title_of(row, "summary").text, "name");
  row.facts.custom_title = "custom";
  EXPECT_EQ(title_of(row, "summary").text, "custom");
}

TEST(Title, IsCutTo200Characters) {
  store::SessionRow row;
  for (int i = 0; i < 300; ++i) row.facts.ai_title += "ä";
  EXPECT_EQ(title_of(row, "").text.size(), 400U) << "two bytes each";
}

// Titles of a whole store, whatever the order in which the files were read.
class Titles : public testing::TestWithParam<int> {
 protected:
  // Files are read newest first: the order of writing is the reverse order of reading.
  void write_in_order(std::vector<std::pair<std::string, std::string>> files) {
    if (GetParam() == 1) std::ranges::reverse(files);
    for (const auto& [session, text] : files) {
      world_.write(world_.session_path("-home-ann-code-blog", session), text);
      if (GetParam() == 2) world_.index();
    }
    world_.index();
  }
  [[nodiscard]] std::pair<std::string, std::string> title(std::string_view uid) const {
    const store::SessionRow row = world_.session(uid);
    return {row.title_kind, row.title};
  }

  FakeWorld world_;
};

using Named = std::pair<std::string, std::string>;

TEST_P(Titles, ASummaryNamesTheSessionThatHoldsItsLeaf) {
  ClaudeLines one("one");
  ClaudeLines two("two");
  const std::string said = one.prompt("First?") + one.answer("Yes");
  write_in_order({{"one", said},
                  {"two", ClaudeLines::summary("About one", one.last_key()) + two.prompt("2nd?")}});
  EXPECT_EQ(title("one"), (Named{"summary", "About one"}));
  EXPECT_EQ(title("two"), (Named{"prompt", "2nd?"}));
}

TEST_P(Titles, ASummaryWhoseLeafIsKnownNowhereNamesItsOwnFile) {
  ClaudeLines one("one");
  ClaudeLines two("two");
  write_in_order({{"one", one.prompt("1st?") + ClaudeLines::summary("About itself", "nobody-1")},
                  {"two", two.prompt("2nd?")}});
  EXPECT_EQ(title("one"), (Named{"summary", "About itself"}));
  EXPECT_EQ(title("two"), (Named{"prompt", "2nd?"}));
}

TEST_P(Titles, ASummaryBeforeTheFirstMessageIsTheTitleOfASessionThatIsLost) {
  ClaudeLines one("one");
  ClaudeLines two("two");
  const std::string before = ClaudeLines::summary("Of a lost one", "nobody-1") +
                             ClaudeLines::summary("Of another", "nobody-2");
  write_in_order(
      {{"one", before + one.prompt("1st?")},
       {"two", before + two.prompt("2nd?") + ClaudeLines::summary("About itself", "nobody-3")}});
  EXPECT_EQ(title("one"), (Named{"prompt", "1st?"}));
  EXPECT_EQ(title("two"), (Named{"summary", "About itself"}));
  // Growing changes nothing of it.
  world_.append(world_.session_path("-home-ann-code-blog", "one"), one.answer("Yes"));
  world_.index();
  EXPECT_EQ(title("one"), (Named{"prompt", "1st?"}));
}

TEST_P(Titles, ASummaryMovesToTheSessionThatComesToHoldItsLeaf) {
  ClaudeLines one("one");
  ClaudeLines two("two");
  const std::string begun = one.prompt("First?") + one.answer("Yes");
  const std::string between = one.prompt("And?");
  const std::string grown = one.prompt("More?") + one.answer("No");
  write_in_order({{"one", begun},
                  {"two", ClaudeLines::summary("About one", one.last_key()) + two.prompt("2nd?")}});
  EXPECT_EQ(title("one"), (Named{"prompt", "First?"}));
  EXPECT_EQ(title("two"), (Named{"prompt", "2nd?"})) << "it came before its first message";
  const std::string path = world_.session_path("-home-ann-code-blog", "one");
  // Where no name changed before and only this file is known to have grown, only it is looked at.
  IndexOptions only_it;
  only_it.only = {path};
  for (const std::string& more : {between, grown}) {
    world_.append(path, more);
    world_.index(only_it);
  }
  EXPECT_EQ(title("one"), (Named{"summary", "About one"}));
  EXPECT_EQ(title("two"), (Named{"prompt", "2nd?"}));
  // It holds the leaf already when it grows again, and keeps its name.
  world_.append(path, one.prompt("Still more?"));
  world_.index();
  EXPECT_EQ(title("one"), (Named{"summary", "About one"}));
  EXPECT_EQ(title("two"), (Named{"prompt", "2nd?"}));
}

TEST_P(Titles, OfTwoFilesThatNameOneSessionTheSameWinsAlways) {
  ClaudeLines one("one");
  const std::string said = one.prompt("First?");
  const std::string leaf = one.last_key();
  write_in_order({{"b", ClaudeLines::summary("from b", leaf)},
                  {"one", said},
                  {"a", ClaudeLines::summary("from a", leaf)}});
  EXPECT_EQ(title("one"), (Named{"summary", "from b"})) << "the last by id";
}

TEST_P(Titles, RecordsOfTheFileItselfFollowTheChain) {
  ClaudeLines custom("custom");
  ClaudeLines named("named");
  ClaudeLines ai("ai");
  ClaudeLines slug("slug");
  slug.set_slug("calm-blue-fox");
  write_in_order({{"custom", custom.prompt("p") + custom.custom_title("Mine") +
                                 custom.ai_title("Made") + custom.agent_name("Given")},
                  {"named", named.prompt("p") + named.ai_title("Made") + named.agent_name("Given")},
                  {"ai", ai.prompt("p") + ai.ai_title("Made")},
                  {"slug", slug.prompt("p")}});
  EXPECT_EQ(title("custom"), (Named{"custom", "Mine"}));
  EXPECT_EQ(title("named"), (Named{"custom", "Given"}));
  EXPECT_EQ(title("ai"), (Named{"ai", "Made"}));
  EXPECT_EQ(title("slug"), (Named{"slug", "calm-blue-fox"}));
}

TEST_P(Titles, TheAgentsOwnIndexComesBeforeTheSlug) {
  ClaudeLines lines("one");
  lines.set_slug("calm-blue-fox");
  world_.write(world_.in_home(".claude/projects/-home-ann-code-blog/sessions-index.json"),
               R"({"version":1,"entries":[{"sessionId":"one","summary":"From the index"}]})");
  write_in_order({{"one", lines.prompt("p")}});
  EXPECT_EQ(title("one"), (Named{"index", "From the index"}));
}

TEST_P(Titles, ALaterTitleTakesThePlaceOfAnEarlierOne) {
  ClaudeLines lines("one");
  const std::string text = lines.prompt("p") + lines.custom_title("Old");
  write_in_order({{"one", text}});
  EXPECT_EQ(title("one").second, "Old");
  world_.append(world_.session_path("-home-ann-code-blog", "one"), lines.custom_title("New"));
  world_.index();
  EXPECT_EQ(title("one").second, "New");
}

INSTANTIATE_TEST_SUITE_P(InAnyOrder, Titles, testing::Values(0, 1, 2));

// Projects ------------------------------------------------------------------------------------

TEST(SharedPrefix, IsCutBehindADash) {
  EXPECT_EQ(shared_prefix({"-home-ann-code-blog", "-home-ann-code-bank"}), "-home-ann-code-");
  EXPECT_EQ(shared_prefix({"-home-ann", "-home-ann-code"}), "-home-");
  EXPECT_EQ(shared_prefix({"alpha", "beta"}), "");
  EXPECT_EQ(shared_prefix({"-home-ann-code-blog"}), "") << "a lone one shares nothing";
  EXPECT_EQ(shared_prefix({}), "");
}

TEST(Worktree, IsKnownByItsPath) {
  EXPECT_EQ(worktree_root_by_name("/w/app/.worktrees/fix-1"), "/w/app");
  EXPECT_EQ(worktree_root_by_name("/w/app/.claude/worktrees/fix/src"), "/w/app");
  EXPECT_EQ(worktree_root_by_name("/w/app/.qwen/worktrees/fix"), "/w/app");
  EXPECT_EQ(worktree_root_by_name("/w/app"), "");
  EXPECT_EQ(worktree_root_by_name("/.worktrees/x"), "");
}

TEST(Worktree, IsKnownByItsGitFile) {
  EXPECT_EQ(worktree_root_in("gitdir: /w/app/.git/worktrees/x\n"), "/w/app");
  EXPECT_EQ(worktree_root_in("gitdir: ../.git/modules/x\n"), "") << "a submodule";
  EXPECT_EQ(worktree_root_in("nonsense"), "");
  EXPECT_EQ(worktree_root_in(""), "");
}

TEST(ProjectByPath, IsTheWorkingDirectoryWhereFoldersTellNothing) {
  store::SessionRow session;
  session.directory = "-x";
  session.facts.first_cwd = "/w/app";
  transcript::Adapter adapter;
  EXPECT_EQ(project_by_path(session, &adapter, ""), "app");
  adapter.directory_name = [](std::string_view) { return std::string("another"); };
  EXPECT_EQ(project_by_path(session, &adapter, ""), std::nullopt) << "the folder is of another";
  EXPECT_EQ(project_by_path(session, nullptr, ""), std::nullopt);
}

TEST(SourceProject, IsTheAgentAndTheFolderThatTells) {
  EXPECT_EQ(source_project("openclaw", "/x/agents/clawd/sessions"), "openclaw-clawd");
  EXPECT_EQ(source_project("openclaw", "/x/archive"), "openclaw-archive");
}

class Projects : public testing::Test {
 protected:
  void write(std::string_view directory, std::string_view session, const std::string& cwd) {
    ClaudeLines lines{std::string(session), cwd};
    world_.write(world_.session_path(directory, session), lines.prompt("p"));
  }
  std::string project(std::string_view uid) {
    world_.index();
    return world_.session(uid).project;
  }
  FakeWorld world_;
};

TEST_F(Projects, AreCalledLikeTheLastComponentOfTheirDirectory) {
  write("-home-ann-code-my-blog", "one", "/home/ann/code/my-blog");
  EXPECT_EQ(project("one"), "my-blog");
  EXPECT_EQ(world_.session("one").project_path, "/home/ann/code/my-blog");
}

TEST_F(Projects, KeepTheNameOfTheFirstDirectoryOfASession) {
  ClaudeLines lines("one", "/home/ann/code/blog");
  std::string text = lines.prompt("p");
  lines.set_cwd("/home/ann/code/blog/themes");
  text += lines.prompt("q");
  world_.write(world_.session_path("-home-ann-code-blog", "one"), text);
  EXPECT_EQ(project("one"), "blog");
  EXPECT_EQ(world_.session("one").facts.cwd, "/home/ann/code/blog/themes");
}

TEST_F(Projects, OfAWorktreeAreThoseOfItsRepository) {
  write("-w-app--worktrees-fix-1", "one", "/w/app/.worktrees/fix-1");
  EXPECT_EQ(project("one"), "app");
}

TEST_F(Projects, OfAWorktreeElsewhereAreFoundByItsGitFile) {
  const std::string tree = world_.in_home("trees/fix1");
  world_.write(path_join(tree, ".git"), "gitdir: /w/shop/.git/worktrees/fix1\n");
  std::string directory = tree;
  std::ranges::replace_if(
      directory, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  write(directory, "one", tree);
  EXPECT_EQ(project("one"), "shop");
  EXPECT_EQ(world_.session("one").project_path, "/w/shop");
}

TEST_F(Projects, WhoseDirectoryIsNotEncodedLoseTheSharedPrefix) {
  write("team-work-alpha", "one", "/somewhere/else");
  write("team-work-beta", "two", "/somewhere/else");
  EXPECT_EQ(project("one"), "alpha");
  EXPECT_EQ(project("two"), "beta");
}

TEST_F(Projects, OfALoneDirectoryKeepItsLastTwoParts) {
  write("-home-ann-blog-engine", "one", "/somewhere/else");
  EXPECT_EQ(project("one"), "blog-engine");
}

TEST_F(Projects, ChangeTheirNameWhenTheirNeighboursDo) {
  write("team-work-alpha", "one", "/somewhere/else");
  EXPECT_EQ(project("one"), "work-alpha");
  write("team-beta", "two", "/somewhere/else");
  EXPECT_EQ(project("one"), "work-alpha");
  EXPECT_EQ(project("two"), "beta");
  world_.remove(world_.session_path("team-beta", "two"));
  write("team-work-gamma", "three", "/somewhere/else");
  IndexOptions forget;
  forget.forget_missing = true;
  world_.index(forget);
  EXPECT_EQ(world_.session("one").project, "alpha");
}

TEST_F(Projects, AreNamedAgainWhenANeighbourIsForgotten) {
  write("team-work-alpha", "one", "/somewhere/else");
  write("team-beta", "two", "/somewhere/else");
  world_.index();
  EXPECT_EQ(world_.session("two").project, "beta");
  world_.remove(world_.session_path("team-work-alpha", "one"));
  IndexOptions forget;
  forget.forget_missing = true;
  world_.index(forget);
  EXPECT_EQ(world_.session("two").project, "team-beta") << "it is alone now";
}

}  // namespace
}  // namespace yore::ingest
