#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/temp_dir.hpp"
#include "transcript/agents/codex/head.hpp"
#include "transcript/agents/codex/state.hpp"
#include "transcript/agents/codex/text.hpp"
#include "transcript/registry.hpp"

namespace yore::transcript {
namespace {

namespace fs = std::filesystem;

const Adapter& adapter() {
  return *built_in_agents()->find("codex");
}

constexpr std::string_view kThread = "11111111-1111-7111-8111-111111111111";
constexpr std::string_view kRollout = "sessions/2026/05/02/rollout-2026-05-02T10-00-00-";

std::string meta(std::string_view id, const std::string& more = "") {
  return R"({"timestamp":"2026-05-02T10:00:00Z","type":"session_meta","payload":{"id":")" +
         std::string(id) + R"(","cwd":"/w/app","originator":"codex-tui")" + more + "}}\n";
}
std::string started(const std::string& turn) {
  return R"({"timestamp":"2026-05-02T10:00:01Z","type":"event_msg","payload":)"
         R"({"type":"task_started","turn_id":")" +
         turn + "\"}}\n";
}
std::string prompt(const std::string& text) {
  return R"({"timestamp":"2026-05-02T10:00:02Z","type":"response_item","payload":)"
         R"({"type":"message","role":"user","content":[{"type":"input_text","text":")" +
         text + "\"}]}}\n";
}

class Codex : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(directory_.path()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  [[nodiscard]] std::vector<SessionRef> list(const std::string& below = "") const {
    auto listing = adapter().sessions({directory_.path() + "/" + below, false}, {});
    EXPECT_TRUE(listing.ok());
    return listing.ok() ? std::move(listing->sessions) : std::vector<SessionRef>{};
  }

  fake::TempDir directory_;
};

struct Prompts final : RecordSink {
  void record(const Record& record) override {
    if (record.kind != RecordKind::prompt) return;
    keys.emplace_back(record.key);
    parents.emplace_back(record.parent_key);
  }
  void problem(ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
  std::vector<std::string> keys;
  std::vector<std::string> parents;
};

Prompts prompts_of(const SessionRef& session) {
  Prompts prompts;
  EXPECT_TRUE(adapter().read(session, {}, {}, prompts).ok());
  return prompts;
}

TEST_F(Codex, FindsTheSameSessionsFromHomeFolderAndSessionsFolder) {
  write(std::string(kRollout) + "aa.jsonl", meta("aa"));
  write("archived_sessions/rollout-2026-05-01T10-00-00-bb.jsonl", meta("bb"));
  EXPECT_EQ(list().size(), 2U);
  ASSERT_EQ(list("sessions").size(), 1U);
  EXPECT_EQ(list("sessions").front().id, "codex:aa");
  ASSERT_EQ(list("sessions/2026/05").size(), 1U);
}

TEST_F(Codex, KnowsACopiedTurnByItsKey) {
  const std::string copied = started("t1") + prompt("common");
  write(std::string(kRollout) + "aa.jsonl", meta("aa") + copied);
  write(std::string(kRollout) + "bb.jsonl", meta("bb", R"(,"forked_from_id":"aa")") + meta("aa") +
                                                copied + started("t2") + prompt("common"));
  const auto sessions = list();
  ASSERT_EQ(sessions.size(), 2U);
  const Prompts first = prompts_of(sessions[0]);
  const Prompts second = prompts_of(sessions[1]);
  ASSERT_EQ(first.keys.size(), 1U);
  ASSERT_EQ(second.keys.size(), 2U);
  EXPECT_EQ(first.keys[0], second.keys[0]);
  EXPECT_NE(first.keys[0], second.keys[1]);
  EXPECT_EQ(second.parents[1], second.keys[0]);
}

TEST_F(Codex, TellsPromptsOfOldSessionsApart) {
  write(std::string(kRollout) + "aa.jsonl", meta("aa") + prompt("go on") + prompt("go on"));
  write(std::string(kRollout) + "bb.jsonl", meta("bb") + prompt("go on"));
  std::vector<std::string> keys;
  for (const SessionRef& session : list())
    std::ranges::copy(prompts_of(session).keys, std::back_inserter(keys));
  ASSERT_EQ(keys.size(), 3U);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::unique(keys).size(), 0U);
}

TEST_F(Codex, ReadsTheHeadBehindLongInstructions) {
  const std::string long_text(20'000, 'x');
  write("a.jsonl",
        meta("aa", R"(,"source":"cli","thread_source":"automation","base_instructions":{"text":")" +
                       long_text + "\"}"));
  write("b.jsonl", meta("bb", R"(,"base_instructions":{"text":")" + long_text +
                                  R"("},"source":{"subagent":{"thread_spawn":)"
                                  R"({"parent_thread_id":"aa"}}})"));
  const codex::Head a = codex::read_head(directory_.path() + "/a.jsonl");
  EXPECT_EQ(a.id, "aa");
  EXPECT_EQ(a.cwd, "/w/app");
  EXPECT_TRUE(a.automated);
  const codex::Head b = codex::read_head(directory_.path() + "/b.jsonl");
  EXPECT_TRUE(b.subagent);
  EXPECT_EQ(b.parent, "aa");
  EXPECT_FALSE(b.automated);
}

TEST_F(Codex, ResumesTheThread) {
  const std::vector<std::string> expected = {"codex", "resume", std::string(kThread)};
  EXPECT_EQ(adapter().resume(kThread), expected);
  EXPECT_TRUE(adapter().resume("--yolo").empty());
  EXPECT_TRUE(adapter().resume("a;b").empty());
}

TEST_F(Codex, RefusesACursorThatIsNotItsOwn) {
  write(std::string(kRollout) + "aa.jsonl", meta("aa") + prompt("hello"));
  const SessionRef session = list().front();
  Prompts sink;
  const auto step = adapter().read(session, {}, {}, sink);
  ASSERT_TRUE(step.ok());
  EXPECT_TRUE(*adapter().resumable(session, step->cursor));
  for (std::size_t size = 1; size < step->cursor.size(); ++size) {
    const auto resumable = adapter().resumable(session, step->cursor.substr(0, size));
    EXPECT_TRUE(resumable.ok() && !*resumable) << size;
  }
  EXPECT_FALSE(adapter().read(session, "odd", {}, sink).ok());
}

TEST(CodexState, ComesBackFromItsBytes) {
  codex::Position position;
  position.file = "somewhere";
  position.state = {true, false, "turn", 2, 40, from_ms(5000), {1, 2, 3}, {4}, {}};
  const auto decoded = codex::decode(codex::encode(position));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(codex::encode(*decoded), codex::encode(position));
  EXPECT_EQ(decoded->state.turn_id, "turn");
  EXPECT_EQ(decoded->state.live, position.state.live);
  EXPECT_TRUE(codex::decode("").has_value());
}

TEST(CodexText, FindsThePatchedFilesEachOnce) {
  const std::vector<std::string_view> expected = {"a.c", "b.c", "d.c"};
  EXPECT_EQ(codex::patched_files("*** Begin Patch\n*** Update File: a.c\n*** Move to: b.c\n"
                                 "+*** Add File: c.c\n*** Delete File: d.c\n*** Update File: a.c"),
            expected);
  EXPECT_TRUE(codex::patched_files("").empty());
  EXPECT_TRUE(codex::patched_files("*** ").empty());
}

TEST(CodexText, TakesTheShellOffACommand) {
  EXPECT_EQ(codex::without_shell("bash -lc ls -R"), "ls -R");
  EXPECT_EQ(codex::without_shell("/usr/bin/zsh -c make"), "make");
  EXPECT_EQ(codex::without_shell("bashful -lc ls"), "bashful -lc ls");
  EXPECT_EQ(codex::without_shell("cat a/b -lc"), "cat a/b -lc");
  EXPECT_EQ(codex::without_shell("bash"), "bash");
  EXPECT_EQ(codex::without_shell(""), "");
}

TEST(CodexText, TellsElementsFromPasses) {
  EXPECT_TRUE(codex::looks_injected("<new_notice>x</new_notice>\n"));
  EXPECT_TRUE(codex::looks_injected("<new_notice id=\"1\">x</new_notice>"));
  for (const std::string_view text :
       {"", "<", "<>", "<a_b", "<a_b>", "<a_b>x</c_d>", "<div>x</div>", "<a_b>x</a_b> and more",
        "<a_b/>", "a <a_b>x</a_b>"}) {
    EXPECT_FALSE(codex::looks_injected(text)) << text;
  }
}

}  // namespace
}  // namespace yore::transcript
