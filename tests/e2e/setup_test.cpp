// yore setup as people use it: shown, agreed to, proven, taken back.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

namespace fs = std::filesystem;

class SetupCommand : public testing::Test {
 protected:
  SetupCommand() {
    box_.write(box_.in_home(".cursor/mcp.json"), "{\r\n\t\"a\": 1\r\n}\r\n");
    box_.write(box_.in_home(".codex/config.toml"), "# mine\nmodel = \"x\"\n");
    box_.write(box_.in_home(".config/zed/settings.json"), "// mine\n{\n  \"a\": 1, // one\n}\n");
    fs::create_directories(box_.in_home(".claude"));
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return read_file(box_.in_home(name)).value_or("(none)");
  }
  Sandbox box_;
};

TEST_F(SetupCommand, ShowsAndAsksBeforeItWrites) {
  const Ran shown = box_.run({"setup", "--dry-run"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "change     ~/.cursor/mcp.json")) << shown.out;
  EXPECT_TRUE(has(shown.out, "create     ~/.claude/.claude.json")) << shown.out;
  EXPECT_TRUE(has(shown.out, "+[mcp_servers.yore]")) << shown.out;
  const Ran asked = box_.run({"setup"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_TRUE(has(asked.err, "wants a yes"));
  EXPECT_EQ(text(".codex/config.toml"), "# mine\nmodel = \"x\"\n");
  EXPECT_FALSE(fs::exists(box_.in_home(".claude/.claude.json")));
}

TEST_F(SetupCommand, WiresProvesTellsAndTakesBack) {
  const std::string cursor = text(".cursor/mcp.json");
  const std::string zed = text(".config/zed/settings.json");
  EXPECT_TRUE(has(box_.run({}).out, "'yore setup' gives them this memory"));
  const Ran done = box_.run({"setup", "--yes"});
  EXPECT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_TRUE(has(done.out, "mcp answers (yore")) << done.out;
  EXPECT_FALSE(has(box_.run({}).out, "yore setup' gives"));
  const auto status = box_.run({"setup", "--status", "--json"}).json()["agents"];
  ASSERT_EQ(status.size(), 4U) << status;
  for (const auto& each : status) EXPECT_EQ(each["works"], true) << each;
  EXPECT_TRUE(has(box_.run({"doctor"}).out, "wired into Claude Code, Codex, Cursor, Zed"));
  EXPECT_FALSE(has(box_.run({"setup", "--yes"}).out, "Written"));

  EXPECT_EQ(box_.run({"setup", "--undo", "--yes"}).code, 0);
  EXPECT_EQ(text(".cursor/mcp.json"), cursor);
  EXPECT_EQ(text(".config/zed/settings.json"), zed);
  EXPECT_FALSE(fs::exists(box_.in_home(".claude/.claude.json")));
  EXPECT_FALSE(fs::exists(box_.in_home(".claude/skills")));
  EXPECT_FALSE(fs::exists(box_.in_home(".agents")));
  EXPECT_EQ(box_.run({"setup", "--undo", "--yes"}).code, 1) << "nothing is left to take back";
}

TEST_F(SetupCommand, ARefusedFileIsToldWithTheLinesAndTheOthersAreWritten) {
  box_.write(box_.in_home(".cursor/mcp.json"), "{ broken");
  const Ran done = box_.run({"setup", "--yes"});
  EXPECT_EQ(done.code, 3);
  EXPECT_TRUE(has(done.out, "refused    ~/.cursor/mcp.json")) << done.out;
  EXPECT_TRUE(has(done.out, "\"mcpServers\": {")) << done.out;
  EXPECT_TRUE(has(text(".codex/config.toml"), "[mcp_servers.yore]"));
  EXPECT_EQ(text(".cursor/mcp.json"), "{ broken");
}

TEST_F(SetupCommand, DoctorNoticesAProgramThatMoved) {
  ASSERT_EQ(box_.run({"setup", "codex", "--yes"}).code, 0);
  std::string moved = text(".codex/config.toml");
  const std::size_t at = moved.find("command = \"") + 11;
  moved.replace(at, moved.find('"', at) - at, "/gone/bin/yore");
  box_.write(box_.in_home(".codex/config.toml"), moved);
  const Ran doctor = box_.run({"doctor"});
  EXPECT_EQ(doctor.code, 3);
  EXPECT_TRUE(has(doctor.out, "/gone/bin/yore")) << doctor.out;
  EXPECT_EQ(box_.run({"setup", "codex", "--yes"}).code, 0);
  EXPECT_FALSE(has(text(".codex/config.toml"), "/gone"));
}

TEST_F(SetupCommand, WithRecallAddsHooksThatStatusAndDoctorTellOf) {
  const Ran done = box_.run({"setup", "claude-code", "codex", "--recall", "--yes"});
  EXPECT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_TRUE(has(text(".claude/settings.json"), " recall --hook claude-code")) << done.out;
  EXPECT_TRUE(has(text(".codex/hooks.json"), " recall --hook codex"));
  const auto hooks = box_.run({"setup", "--status", "--json"}).json()["hooks"];
  ASSERT_EQ(hooks.size(), 2U) << hooks;
  for (const auto& each : hooks) EXPECT_EQ(each["works"], true) << each;
  const Ran doctor = box_.run({"doctor"});
  EXPECT_TRUE(has(doctor.out, "hooks remind Claude Code, Codex")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "/hooks")) << "Codex wants consent: " << doctor.out;
  EXPECT_TRUE(has(doctor.out, "the tools cost a session")) << doctor.out;
  EXPECT_EQ(box_.run({"setup", "--undo", "--recall", "--yes"}).code, 2);
  EXPECT_EQ(box_.run({"setup", "--undo", "--yes"}).code, 0);
  EXPECT_EQ(text(".claude/settings.json"), "(none)");
  EXPECT_EQ(text(".codex/hooks.json"), "(none)");
}

TEST_F(SetupCommand, UnknownAgentsAreWrongUse) {
  const Ran wrong = box_.run({"setup", "cursr"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "did you mean cursor?")) << wrong.err;
}

}  // namespace
}  // namespace yore::e2e
