#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "transcript/agents/claude_code/text.hpp"
#include "transcript/registry.hpp"

namespace yore::transcript {
namespace {

namespace fs = std::filesystem;

const Adapter& adapter() {
  return *built_in_agents()->find("claude-code");
}

// Collects the words of all records.
struct SpokenWords final : RecordSink {
  void record(const Record& record) override {
    for (const Block& block : record.blocks) texts.emplace_back(block.text);
    for (const Block& block : record.blocks) files.emplace_back(block.file);
  }
  void problem(ProblemKind, std::uint64_t) override { ++problems; }
  void unknown(std::string_view) override {}
  std::vector<std::string> texts;
  std::vector<std::string> files;
  int problems = 0;
};

class ClaudeCode : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "yore-claude-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }

  [[nodiscard]] Result<Listing> list(const std::string& below = "") const {
    return adapter().sessions({(root_ / below).string(), false}, {});
  }

  [[nodiscard]] std::vector<std::string> ids(const std::string& below = "") const {
    const auto listing = list(below);
    std::vector<std::string> found;
    if (!listing.ok()) return {"error: " + listing.error().message};
    for (const SessionRef& session : listing->sessions) found.push_back(session.id);
    std::ranges::sort(found);
    return found;
  }

  // What the only block of the only session says.
  [[nodiscard]] std::string read_only_text(const std::string& below = "") const {
    const auto listing = list(below);
    if (!listing.ok() || listing->sessions.size() != 1) return "not one session";
    SpokenWords words;
    const auto read = adapter().read(listing->sessions[0], {}, {}, words);
    return read.ok() && words.texts.size() == 1 ? words.texts[0] : "not one text";
  }

  fs::path root_;
};

using Ids = std::vector<std::string>;

TEST_F(ClaudeCode, FindsTheSameSessionsFromConfigFolderProjectsFolderAndProject) {
  write("projects/-w-app/aa.jsonl", "{}\n");
  write("projects/-w-app/aa/subagents/agent-1.jsonl", "{}\n");
  const Ids expected = {"aa", "aa/agent-1"};
  EXPECT_EQ(ids(), expected);
  EXPECT_EQ(ids("projects"), expected);
  EXPECT_EQ(ids("projects/-w-app"), expected);
}

TEST_F(ClaudeCode, NamesTheProjectFolderOfEverySession) {
  write("projects/-w-app/aa.jsonl", "{}\n");
  write("projects/-w-lib/bb.jsonl", "{}\n");
  write("projects/-w-lib/bb/subagents/agent-1.jsonl", "{}\n");
  std::map<std::string, std::string> directories;
  const auto listing = list();
  ASSERT_TRUE(listing.ok());
  for (const SessionRef& session : listing->sessions) directories[session.id] = session.directory;
  const std::map<std::string, std::string> expected = {
      {"aa", "-w-app"}, {"bb", "-w-lib"}, {"bb/agent-1", "-w-lib"}};
  EXPECT_EQ(directories, expected);
}

TEST_F(ClaudeCode, GivesEverySessionTheStampOfItsFile) {
  write("projects/-w-app/aa.jsonl", "{\"type\":\"mode\"}\n");
  const auto listing = list();
  ASSERT_TRUE(listing.ok());
  ASSERT_EQ(listing->sessions.size(), 1U);
  const SessionRef& session = listing->sessions.front();
  EXPECT_EQ(session.stamp, *stat_file(session.path));
  EXPECT_EQ(session.stamp.size_bytes, 16U);
}

TEST_F(ClaudeCode, SkipsWhatIsNoTranscript) {
  write("projects/-w-app/aa.jsonl", "{}\n");
  write("projects/-w-app/.jsonl", "{}\n");
  write("projects/-w-app/journal.jsonl", "{}\n");
  write("projects/-w-app/notes.json", "{}\n");
  write("projects/-w-app/aa/tool-results/x.jsonl", "{}\n");
  write("projects/-w-app/memory/notes.txt", "text");
  fs::create_directories(root_ / "projects/-w-app/folder.jsonl");
  EXPECT_EQ(ids(), Ids{"aa"});
}

TEST_F(ClaudeCode, ListsWhatWasWrittenDownAboutAProjectAsNotes) {
  write("projects/-w-app/aa.jsonl", "{}\n");
  write("projects/-w-app/memory/MEMORY.md", "text");
  EXPECT_EQ(ids(), (Ids{"aa", "claude-code:memory:-w-app"}));
}

TEST_F(ClaudeCode, DoesNotRunInCirclesAlongLinks) {
  write("projects/-w-app/aa/subagents/agent-1.jsonl", "{}\n");
  fs::create_directory_symlink(root_ / "projects/-w-app/aa/subagents",
                               root_ / "projects/-w-app/aa/subagents/again");
  const Ids found = ids();
  EXPECT_LE(found.size(), 5U);
  EXPECT_EQ(found.front(), "aa/agent-1");
}

TEST_F(ClaudeCode, SaysThatAMissingRootIsMissing) {
  const auto listing = list("nowhere");
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.error().code, Errc::not_found);
}

TEST_F(ClaudeCode, FindsTheParentOfAnOldSubagentBehindALongFirstRecord) {
  const std::string task(300'000, 'x');
  write("projects/-w-app/agent-9.jsonl", R"({"type":"user","message":{"content":")" + task +
                                             R"("},"sessionId":"parent"})"
                                             "\n");
  EXPECT_EQ(ids(), Ids{"parent/agent-9"});
}

// A tool's output that stands in a file of its own.
std::string spilled(const std::string& session, const std::string& file) {
  return R"({"type":"user","uuid":"u1","sessionId":")" + session +
         R"(","message":{"content":[{"type":"tool_result","tool_use_id":"t",)"
         R"("content":"<persisted-output>\nOutput too large (9KB). Full output saved to: )" +
         file + R"(\n"}]}})" + "\n";
}

TEST_F(ClaudeCode, DoesNotFollowALinkOutOfTheResultsFolder) {
  write("private/secret.txt", "secret words");
  write("projects/-w-app/aa.jsonl", spilled("aa", "/x/link.txt"));
  fs::create_directories(root_ / "projects/-w-app/aa/tool-results");
  fs::create_symlink(root_ / "private/secret.txt",
                     root_ / "projects/-w-app/aa/tool-results/link.txt");
  EXPECT_EQ(read_only_text().find("secret words"), std::string::npos);
}

TEST_F(ClaudeCode, DoesNotTakeALinkForTheResultsFolder) {
  write("private/secret.txt", "secret words");
  write("projects/-w-app/aa.jsonl", spilled("aa", (root_ / "private/secret.txt").string()));
  fs::create_directories(root_ / "projects/-w-app/aa");
  fs::create_directory_symlink("/", root_ / "projects/-w-app/aa/tool-results");
  EXPECT_EQ(read_only_text().find("secret words"), std::string::npos);
}

TEST_F(ClaudeCode, DoesNotTakeALinkForTheFolderOfTheSession) {
  write("elsewhere/bb/tool-results/x.txt", "secret words");
  write("projects/-w-app/aa.jsonl", spilled("aa", "x.txt"));
  fs::create_directory_symlink(root_ / "elsewhere/bb", root_ / "projects/-w-app/aa");
  EXPECT_EQ(read_only_text().find("secret words"), std::string::npos);
}

TEST_F(ClaudeCode, ReadsTheResultsOfAProjectThatIsALinkItself) {
  write("elsewhere/aa.jsonl", spilled("aa", "x.txt"));
  write("elsewhere/aa/tool-results/x.txt", "the whole output");
  fs::create_directories(root_ / "projects");
  fs::create_directory_symlink(root_ / "elsewhere", root_ / "projects/-w-app");
  EXPECT_EQ(read_only_text("projects"), "the whole output");
}

TEST_F(ClaudeCode, LetsNoTranscriptNameAnotherProjectsSessionAsItsParent) {
  write("projects/-secret/bb/tool-results/x.txt", "secret words");
  write("projects/-w-app/agent-evil.jsonl", spilled("../-secret/bb", "x.txt"));
  EXPECT_EQ(ids(), Ids{"agent-evil"});
  EXPECT_EQ(read_only_text().find("secret words"), std::string::npos);
}

TEST_F(ClaudeCode, DoesNotBelieveAParentThatAnOlderVersionHasBelieved) {
  write("projects/-secret/bb/tool-results/x.txt", "secret words");
  write("projects/-w-app/agent-evil.jsonl", spilled("../-secret/bb", "x.txt"));
  SessionRef before;
  before.parent_id = "../-secret/bb";
  PreviousListing known;
  known.session = [&](auto, const auto&, const auto&) { return &before; };
  const auto listing = adapter().sessions({root_.string(), false}, known);
  ASSERT_TRUE(listing.ok());
  ASSERT_EQ(listing->sessions.size(), 1U);
  EXPECT_EQ(listing->sessions[0].parent_id, "");
}

TEST_F(ClaudeCode, ReadsOnlyTheHeadOfAHugeSpilledOutput) {
  std::string output;
  while (output.size() < 600'000) output += "żółć ";
  write("projects/-w-app/aa/tool-results/big.txt", output);
  write(
      "projects/-w-app/aa.jsonl",
      R"({"type":"user","uuid":"u1","message":{"content":[{"type":"tool_result","tool_use_id":"t",)"
      R"("content":"Output too large (600KB). Full output saved to: /x/big.txt\nPreview"}]}})"
      "\n");
  const auto listing = list();
  ASSERT_TRUE(listing.ok());
  SpokenWords words;
  ASSERT_TRUE(adapter().read(listing->sessions.at(0), {}, {}, words).ok());
  ASSERT_EQ(words.texts.size(), 1U);
  EXPECT_LE(words.texts[0].size(), 256U << 10);
  EXPECT_GT(words.texts[0].size(), (256U << 10) - 4);
  EXPECT_TRUE(output.starts_with(words.texts[0]));
}

TEST_F(ClaudeCode, KeepsTheFileOfEveryCallOnALine) {
  write("projects/-w-app/aa.jsonl",
        R"({"type":"assistant","uuid":"a1","message":{"content":[)"
        R"({"type":"tool_use","id":"1","name":"Read","input":{"file_path":"/w/a.c"}},)"
        R"({"type":"tool_use","id":"2","name":"NotebookEdit",)"
        R"("input":{"notebook_path":"/w/n.ipynb"}},)"
        R"({"type":"tool_use","id":"3","name":"Grep","input":{"path":"/w/src","pattern":"x"}},)"
        R"({"type":"tool_use","id":"4","name":"Bash","input":{"command":"ls"}}]}})"
        "\n");
  const auto listing = list();
  ASSERT_TRUE(listing.ok());
  SpokenWords words;
  ASSERT_TRUE(adapter().read(listing->sessions.at(0), {}, {}, words).ok());
  EXPECT_EQ(words.files, (Ids{"/w/a.c", "/w/n.ipynb", "/w/src", ""}));
}

TEST(ClaudeCodeResume, GivesTheAgentsOwnCommandForASafeId) {
  const Ids expected = {"claude", "--resume", "11111111-1111-4111-8111-111111111111"};
  EXPECT_EQ(adapter().resume("11111111-1111-4111-8111-111111111111"), expected);
}

TEST(ClaudeCodeResume, GivesNothingForAnIdThatAShellCouldMisread) {
  for (const char* id : {"", "-x", ".x", "a b", "a;b", "$(a)", "a/agent-1", "a\nb", "ä"}) {
    EXPECT_TRUE(adapter().resume(id).empty()) << id;
  }
}

TEST(ClaudeCodeRoots, LooksWhereTheVariablePointsAndInTheConfigFolder) {
  ASSERT_EQ(adapter().roots.size(), 2U);
  EXPECT_EQ(adapter().roots[0].env, "CLAUDE_CONFIG_DIR");
  EXPECT_EQ(adapter().roots[0].suffix, "projects");
  EXPECT_EQ(adapter().roots[1].base, "~config");
  EXPECT_EQ(adapter().roots[1].suffix, "claude/projects");
}

TEST(ClaudeCodeText, TellsSlashCommandsFromPaths) {
  using claude_code::is_slash_command;
  EXPECT_TRUE(is_slash_command("/compact"));
  EXPECT_TRUE(is_slash_command(" /plugin:do-it 12 "));
  EXPECT_FALSE(is_slash_command("/"));
  EXPECT_FALSE(is_slash_command("/ x"));
  EXPECT_FALSE(is_slash_command("/usr/bin is full"));
  EXPECT_FALSE(is_slash_command("compact"));
}

// Texts of tags and words in any order.
rc::Gen<std::string> any_message_text() {
  const auto piece = rc::gen::element<std::string>(
      "<system-reminder>", "</system-reminder>", "<command-name>", "</command-name>", "/x",
      "<bash-input>", "</bash-input>", "<bash-stdout>", "</bash-stdout>", "<task-notification>",
      "<result>", "</result>", "<local-command-stdout>", "words", " ", "\n", "<", ">", "{", "}",
      "\"task_id\"");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    std::string all;
    for (const std::string& each : pieces) all += each;
    return all;
  });
}

RC_GTEST_PROP(ClaudeCodeText, InventsNoWords, ()) {
  const std::string text = *any_message_text();
  std::string buffer;
  const auto found = claude_code::read_user_text(text, *rc::gen::arbitrary<bool>(), buffer);
  // At most "! " or "/" and a few separators are added to what was there.
  RC_ASSERT(found.text.size() <= text.size() + 4);
  RC_ASSERT(found.kind != claude_code::TextKind::machinery || found.text.empty());
}

RC_GTEST_PROP(ClaudeCodeText, LeavesTextWithoutTagsAlone, ()) {
  const auto words = *rc::gen::string<std::string>();
  RC_PRE(!words.empty() && words.find_first_not_of(" \t\r\n\f\v") != std::string::npos);
  const std::string text = "x" + words;
  std::string buffer;
  const auto found = claude_code::read_user_text(text, false, buffer);
  RC_ASSERT(found.kind == claude_code::TextKind::typed);
  RC_ASSERT(found.text == text);
}

}  // namespace
}  // namespace yore::transcript
