// A repository that was renamed, moved or cloned keeps one project name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file.hpp"
#include "ingest/indexer.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::ingest {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

class MovedProjects : public testing::Test {
 protected:
  std::string checkout(const std::string& name, const std::string& address) {
    const std::string folder = world_.in_home(name);
    world_.write(folder + "/.git/config", "[remote \"origin\"]\n\turl = " + address + "\n");
    return folder;
  }
  // A session in a folder, which need not be there.
  void worked(const std::string& session, const std::string& folder) {
    std::string directory = folder;
    std::ranges::replace_if(
        directory, [](char c) { return c == '/' || c == '.' || c == '_'; }, '-');
    ClaudeLines lines(session, folder);
    world_.write(world_.session_path(directory, session), lines.prompt("Q") + lines.answer("A"));
  }
  std::string project(const std::string& session) { return world_.session(session).project; }

  FakeWorld world_;
};

TEST_F(MovedProjects, ARenamedFolderKeepsItsNameByWhatWasSeenOfIt) {
  const std::string before = checkout("webshop", "git@h.org:a/webshop.git");
  worked("one", before);
  world_.index();
  EXPECT_EQ(project("one"), "webshop");
  std::filesystem::remove_all(before);
  worked("two", checkout("shop", "https://h.org/a/webshop"));
  world_.index();
  EXPECT_EQ(project("one"), "webshop");
  EXPECT_EQ(project("two"), "webshop") << "as the repository is called";
  const auto rows = world_.reader().projects({});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->front().joined.size(), 1U) << "and what was joined is told";
  // A line more changes no name.
  ClaudeLines lines("two", world_.in_home("shop"));
  lines.prompt("Q");
  lines.answer("A");
  world_.append(world_.session("two").path, lines.prompt("more") + lines.answer("more"));
  world_.index();
  EXPECT_EQ(project("two"), "webshop");
}

TEST_F(MovedProjects, WhatATranscriptRecordedJoinsFoldersThatAreGone) {
  const auto codex = [&](const std::string& id, const std::string& cwd) {
    world_.write(
        world_.in_home(".codex/sessions/2026/04/08/rollout-2026-04-08T11-00-00-" + id + ".jsonl"),
        R"({"timestamp":"2026-04-08T11:00:00.000Z","type":"session_meta","payload":{"id":")" + id +
            R"(","timestamp":"2026-04-08T11:00:00.000Z","cwd":")" + cwd +
            R"(","originator":"codex-tui","cli_version":"0.118.0","source":"cli","git":{"branch":"main","repository_url":"git@h.org:a/tool.git"}}})"
            "\n"
            R"({"timestamp":"2026-04-08T11:00:05.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Q"}]}})"
            "\n");
  };
  codex("11111111-1111-7111-8111-111111111111", "/gone/tool");
  codex("22222222-2222-7222-8222-222222222222", "/gone/tool-next");
  world_.index();
  EXPECT_EQ(project("codex:22222222-2222-7222-8222-222222222222"), "tool");
}

TEST_F(MovedProjects, WhatWasNotedOfAFolderGoesWithItsLastSession) {
  const std::string folder = checkout("webshop", "git@h.org:a/webshop.git");
  worked("one", folder);
  worked("two", folder);
  world_.index();
  const auto notes = [&] {
    auto store = world_.store();
    const auto count =
        store.database().number("SELECT count(*) FROM meta WHERE key LIKE 'repository:%'");
    return count ? *count : -1;
  };
  EXPECT_EQ(notes(), 1);
  IndexOptions forgetting;
  forgetting.forget_missing = true;
  for (const char* session : {"one", "two"}) {
    EXPECT_EQ(notes(), 1);
    world_.remove(world_.session(session).path);
    world_.index(forgetting);
  }
  EXPECT_EQ(notes(), 0);
}

TEST_F(MovedProjects, FoldersInsideARepositoryStayApart) {
  const std::string mono = checkout("mono", "h.org/a/mono");
  worked("a", mono + "/a");
  worked("b", mono + "/b");
  worked("all", mono);
  world_.index();
  EXPECT_EQ(project("a"), "a");
  EXPECT_EQ(project("b"), "b");
  EXPECT_EQ(project("all"), "mono");
}

TEST_F(MovedProjects, TheSettingsMayCallAProjectAnything) {
  worked("one", "/gone/old-shop");
  worked("two", "/gone/deep/thing");
  worked("three", "/gone/other");
  world_.index();
  EXPECT_EQ(project("one"), "old-shop");
  world_.set_config("[project]\naliases = { shop = [\"old-*\", \"/gone/deep/*\"] }\n");
  world_.index();
  EXPECT_EQ(project("one"), "shop");
  EXPECT_EQ(project("two"), "shop");
  EXPECT_EQ(project("three"), "other");
  world_.set_config("");
  world_.index();
  EXPECT_EQ(project("one"), "old-shop") << "it is only a setting";
}

TEST_F(MovedProjects, ASettingThatIsNoneIsSaid) {
  const std::string path = world_.settings().config_path;
  for (const char* text :
       {"project = 1\n", "[project]\naliases = 1\n", "[project]\naliases = { shop = 3 }\n"}) {
    world_.write(path, text);
    const auto settings = config::load_settings(world_.world());
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_NE(settings.error().message.find("project"), std::string::npos);
  }
  world_.write(path, "[project]\nalias = { shop = [\"x\"] }\n");
  EXPECT_EQ(world_.settings().warnings.size(), 1U);
}

}  // namespace
}  // namespace yore::ingest
