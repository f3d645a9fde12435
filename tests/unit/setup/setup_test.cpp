// Setting up all agents in a home that is full of the user's own files, and taking it back.
#include <gtest/gtest.h>

#include "setup/diff.hpp"
#include "unit/setup/setup_home.hpp"

namespace yore::setup {
namespace {

class Setup : public SetupHome {};

TEST_F(Setup, OfAllAgentsIsTakenBackByteForByte) {
  for (const Look look : kLooks) {
    SCOPED_TRACE(static_cast<int>(look));
    fs::remove_all(home());
    program_ = place("bin/yore", "x");
    ::chmod(program_.c_str(), 0755);
    fill(look);
    const auto before = picture();
    const Plan plan = set_up();
    EXPECT_GE(plan.steps.size(), agents().size());
    EXPECT_EQ(deeds(plan, Deed::refused), "");
    EXPECT_NE(picture(), before);
    const auto ledger = load_ledger(data(), real_file_system());
    ASSERT_TRUE(ledger);
    for (const Wired& each : look_at_wiring(world(), *ledger, {})) {
      EXPECT_EQ(each.wiring, Wiring::ours) << each.path;
      EXPECT_EQ(each.command, (std::vector<std::string>{program_, "mcp"})) << each.path;
    }
    EXPECT_EQ(deeds(undo(), Deed::refused), "");
    EXPECT_EQ(picture(), before);
    EXPECT_FALSE(fs::exists(data())) << "nothing is left of it";
  }
}

TEST_F(Setup, WritesNothingTheSecondTime) {
  fill(Look::plain);
  set_up();
  const std::string path = resolve(agents()[0].file, env());
  const auto written = stat_file(path);
  const auto noted = stat_file(ledger_path(data()));
  const Plan again = set_up();
  EXPECT_FALSE(again.writes());
  EXPECT_EQ(*stat_file(path), *written);
  EXPECT_EQ(*stat_file(ledger_path(data())), *noted);
}

TEST_F(Setup, FollowsLinksAndKeepsModes) {
  const std::string real = place("dot files/cursor.json", "{\n  \"a\": 1\n}\n");
  ::chmod(real.c_str(), 0640);
  fs::create_directories(home() + "/.cursor");
  fs::create_symlink(real, home() + "/.cursor/mcp.json");
  const auto before = picture();
  set_up();
  EXPECT_TRUE(fs::is_symlink(home() + "/.cursor/mcp.json"));
  EXPECT_NE(read_file(real)->find("yore"), std::string::npos);
  EXPECT_EQ(static_cast<unsigned>(fs::status(real).permissions()), 0640U);
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(Setup, RefusesWhatItCannotEditAndGoesOnWithTheOthers) {
  const std::string broken = place(".cursor/mcp.json", "{ \"a\": ");
  const std::string foreign =
      place(".kiro/settings/mcp.json", R"({"mcpServers":{"yore":{"command":"other"}}})");
  const std::string locked = place(".junie/mcp/mcp.json", "{}");
  ::chmod(locked.c_str(), 0444);
  fs::create_directories(home() + "/.warp");
  fs::create_symlink("nowhere", home() + "/.warp/.mcp.json");
  place(".codex/config.toml", "model = \"x\"\n");
  const auto before = picture();
  const Plan plan = set_up();
  std::size_t refused = 0;
  for (const Step& step : plan.steps) {
    if (step.deed != Deed::refused) continue;
    ++refused;
    EXPECT_FALSE(step.why.empty()) << step.path;
    EXPECT_NE(step.paste.find(program_), std::string::npos) << step.path;
  }
  EXPECT_EQ(refused, 4U);
  EXPECT_NE(read_file(home() + "/.codex/config.toml")->find("[mcp_servers.yore]"),
            std::string::npos);
  EXPECT_EQ(*read_file(broken), "{ \"a\": ");
  EXPECT_NE(read_file(foreign)->find("other"), std::string::npos);
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(Setup, TakesOnlyItsEntryOutOfAFileThatWasChangedSince) {
  const std::string path = place(".cursor/mcp.json", "{\n  \"a\": 1\n}\n");
  const std::string made = home() + "/.kiro/settings/mcp.json";
  fs::create_directories(home() + "/.kiro");
  set_up();
  // The agents wrote them anew, one with something of its own.
  Json json = Json::parse(*read_file(path));
  json["mine"] = {1, 2};
  put(path, json.dump(4));
  put(made, Json::parse(*read_file(made)).dump());
  EXPECT_EQ(deeds(undo(), Deed::refused), "");
  EXPECT_EQ(Json::parse(*read_file(path)), Json::parse(R"({"a":1,"mine":[1,2]})"));
  EXPECT_FALSE(fs::exists(home() + "/.kiro/settings")) << "it held nothing but the entry";
}

TEST_F(Setup, MendsEntriesOfAProgramThatMoved) {
  for (const bool edited : {false, true}) {
    fs::remove_all(home());
    program_ = place("bin/yore", "x");
    ::chmod(program_.c_str(), 0755);
    fill(Look::comments);
    const auto before = picture();
    set_up();
    const std::string old = program_;
    program_ = home() + "/else where/yore";
    fs::create_directories(home() + "/else where");
    fs::rename(old, program_);
    if (edited) {
      for (const Agent& agent : agents()) {
        const std::string path = resolve(agent.file, env());
        put(path, *read_file(path) + "\n");
      }
    }
    auto ledger = load_ledger(data(), real_file_system());
    for (const Wired& each : look_at_wiring(world(), *ledger, {})) {
      EXPECT_EQ(each.wiring, Wiring::moved) << each.path;
    }
    EXPECT_EQ(deeds(set_up(), Deed::refused), "");
    ledger = load_ledger(data(), real_file_system());
    for (const Wired& each : look_at_wiring(world(), *ledger, {})) {
      EXPECT_EQ(each.wiring, Wiring::ours) << each.path;
      EXPECT_EQ(each.command[0], program_) << each.path;
    }
    undo();
    fs::rename(program_, old);
    fs::remove(home() + "/else where");
    if (!edited) {
      EXPECT_EQ(picture(), before);
    }
  }
}

TEST_F(Setup, LeavesWhatPeopleWiredThemselves) {
  const std::string text = R"({"mcpServers":{"yore":{"command":"yore","args":["mcp"]}}})";
  const std::string path = place(".cursor/mcp.json", text);
  const Plan plan = set_up({{"cursor"}, ""});
  EXPECT_EQ(plan.steps[0].deed, Deed::unchanged);
  undo();
  EXPECT_EQ(*read_file(path), text);
}

TEST_F(Setup, OfOneAgentIsTakenBackAlone) {
  fill(Look::plain);
  set_up({{"cursor", "gemini"}, ""});
  undo({{"cursor"}, ""});
  const std::string skill = home() + "/.agents/skills/yore/SKILL.md";
  EXPECT_EQ(read_file(home() + "/.cursor/mcp.json")->find("yore"), std::string::npos);
  EXPECT_NE(read_file(home() + "/.gemini/settings.json")->find("yore"), std::string::npos);
  EXPECT_TRUE(fs::exists(skill)) << "Gemini CLI reads it, too";
  undo({{"gemini"}, ""});
  EXPECT_FALSE(fs::exists(home() + "/.agents"));
}

TEST_F(Setup, WritesFilesOfAProjectOnlyWhenAsked) {
  fs::create_directories(home() + "/.claude");
  fs::create_directories(home() + "/.copilot");
  const std::string project = home() + "/code/app";
  fs::create_directories(project);
  const auto before = picture();
  const Plan plan = set_up({{}, project});
  ASSERT_EQ(plan.steps.size(), 1U) << "one file for both";
  EXPECT_EQ(plan.steps[0].path, project + "/.mcp.json");
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(Setup, NamesTheAgentThatWasMeant) {
  const auto plan = plan_setup(world(), {}, {{"cursr"}, ""});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::invalid_argument);
  EXPECT_NE(plan.error().hint.find("cursor"), std::string::npos);
}

TEST_F(Setup, KilledAtAnyCallIsFinishedOrTakenBackByTheNext) {
  const auto prepare = [&] {
    fs::remove_all(home());
    fs::remove_all(data());
    program_ = place("bin/yore", "x");
    ::chmod(program_.c_str(), 0755);
    place(".cursor/mcp.json", "{\n  \"a\": 1\n}\n");
    place(".codex/config.toml", "model = \"x\"\n");
    fs::create_directories(home() + "/.kiro");
    place(".config/goose/config.yaml", "a: 1\n");
  };
  prepare();
  const auto before = picture();
  const fake::FaultyFileSystem counting;
  set_up({}, counting);
  const std::size_t calls = counting.calls();
  const auto complete = picture();
  const fake::FaultyFileSystem counting_undo;
  undo({}, counting_undo);
  const std::size_t undo_calls = counting_undo.calls();
  ASSERT_EQ(picture(), before);
  ASSERT_GT(calls, 20U);
  for (std::size_t at = 0; at < calls; ++at) {
    SCOPED_TRACE("setup killed at call " + std::to_string(at));
    for (const bool go_on : {false, true}) {
      prepare();
      set_up({}, fake::FaultyFileSystem(fake::Fault::crash, at));
      if (go_on) {
        set_up();
        ASSERT_EQ(picture(), complete);
      }
      undo();
      ASSERT_EQ(picture(), before);
    }
  }
  for (std::size_t at = 0; at < undo_calls; ++at) {
    SCOPED_TRACE("undo killed at call " + std::to_string(at));
    prepare();
    set_up();
    undo({}, fake::FaultyFileSystem(fake::Fault::crash, at));
    undo();
    ASSERT_EQ(picture(), before);
  }
}

TEST_F(Setup, OfALargeFileChangesOnlyTheEntry) {
  std::string text = "{\n  \"projects\": {\n";
  for (int i = 0; text.size() < (5U << 20); ++i) {
    text +=
        "    \"/home/ann/" + std::to_string(i) + "\": {\"history\": [\"some words\", 1, null]},\n";
  }
  text += "    \"last\": {}\n  }\n}\n";
  const std::string path = place(".claude.json", text);
  const Plan plan = set_up({{"claude-code"}, ""});
  EXPECT_LT(diff_text(plan.steps[0].was.bytes, plan.steps[0].after).size(), 1000U);
  EXPECT_GT(read_file(path)->size(), text.size());
  undo();
  EXPECT_EQ(*read_file(path), text);
}

TEST(SetupDiff, ShowsTheLinesThatChangeAndNoOthers) {
  EXPECT_EQ(diff_text("a\nsecret\nb\n", "a\nsecret\nb\nc\n"), "@@ line 4 @@\n+c\n");
  EXPECT_EQ(diff_text("{\n \"a\": 1\n}\n", "{\n \"a\": 1,\n \"b\": 2\n}\n"),
            "@@ line 2 @@\n- \"a\": 1\n+ \"a\": 1,\n+ \"b\": 2\n");
  EXPECT_EQ(diff_text("", "x\n"), "@@ line 1 @@\n+x\n");
  EXPECT_EQ(diff_text("x", "x"), "");
}

TEST(SetupTable, StandsInTheDocumentation) {
  const auto page = read_file(YORE_SOURCE_DIR "/docs/mcp.md");
  ASSERT_TRUE(page);
  EXPECT_NE(page->find(markdown_table()), std::string::npos)
      << "docs/mcp.md wants what yore setup --markdown prints";
}

}  // namespace
}  // namespace yore::setup
