#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/digest.hpp"
#include "base/files/file.hpp"
#include "transcript/dialects/gemini/project.hpp"
#include "transcript/dialects/gemini/prompt.hpp"
#include "transcript/dialects/gemini/replay.hpp"
#include "transcript/registry.hpp"
#include "unit/transcript/jsonl_testing.hpp"

namespace yore::transcript::gemini {
namespace {

constexpr std::string_view kHead = R"({"sessionId":"s","projectHash":"ab"})";
constexpr std::string_view kAsk = R"({"id":"m1","type":"user","content":"Build it"})";
constexpr std::string_view kAnswer = R"({"id":"m2","type":"gemini","content":"Building."})";
constexpr std::string_view kCounted =
    R"({"id":"m2","type":"gemini","content":"Building.","tokens":{"input":5,"output":1}})";
constexpr std::string_view kCalled =
    R"({"id":"m2","type":"gemini","content":"Building.","tokens":{"input":5,"output":1},)"
    R"("toolCalls":[{"id":"t","name":"run_shell_command","args":{"command":"make"},)"
    R"("status":"success","result":"built"}]})";

class Counter final : public RecordSink {
 public:
  int records = 0;
  void record(const Record&) override { ++records; }
  void problem(ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
};

std::string lines(std::initializer_list<std::string_view> list) {
  std::string text;
  for (const std::string_view line : list) text.append(line).append("\n");
  return text;
}

// Reads to the end; the cursor that stands there.
Cursor cursor_of(const std::string& path, const Cursor& from = {}) {
  Counter counter;
  const auto step = read(path, from, {}, counter);
  EXPECT_TRUE(step.ok());
  return step.ok() ? step->cursor : Cursor{};
}

TEST(GeminiLog, IsReadOnWhereAMessageOnlyGrew) {
  const jsonl_testing::TempFile file(lines({kHead, kAsk, kAnswer}));
  Cursor cursor = cursor_of(file.path());
  for (const std::string_view line : {kCounted, kCalled}) {
    file.append(lines({line}));
    EXPECT_TRUE(*is_resumable(file.path(), cursor)) << line;
    Counter added;
    const auto step = read(file.path(), cursor, {}, added);
    ASSERT_TRUE(step.ok());
    EXPECT_EQ(added.records, line == kCounted ? 1 : 2) << line;
    cursor = step->cursor;
  }
}

TEST(GeminiLog, IsReadOnBehindARewindAndAContext) {
  const jsonl_testing::TempFile file(lines({kHead, kAsk, kAnswer}));
  const Cursor cursor = cursor_of(file.path());
  file.append(lines({R"({"$set":{"messages":[]}})", R"({"$rewindTo":"m1"})",
                     R"({"id":"m3","type":"user","content":"Otherwise"})"}));
  EXPECT_TRUE(*is_resumable(file.path(), cursor));
}

TEST(GeminiLog, IsReadAgainWhenAMessageWasReplaced) {
  const jsonl_testing::TempFile file(lines({kHead, kAsk, kAnswer}));
  const Cursor cursor = cursor_of(file.path());
  file.append(lines({R"({"id":"m2","type":"gemini","content":"Never mind."})"}));
  EXPECT_FALSE(*is_resumable(file.path(), cursor));
}

TEST(GeminiLog, IsReadAgainWhenItWasCut) {
  const jsonl_testing::TempFile file(lines({kHead, kAsk, kAnswer}));
  const Cursor cursor = cursor_of(file.path());
  file.write(lines({kHead, kAsk}));
  EXPECT_FALSE(*is_resumable(file.path(), cursor));
  EXPECT_FALSE(*is_resumable(file.path(), "not a cursor"));
}

TEST(GeminiLog, SaysSoWhenItIsGone) {
  Counter counter;
  EXPECT_EQ(is_resumable("/nowhere/x.jsonl", {}).error().code, Errc::not_found);
  EXPECT_EQ(read("/nowhere/x.jsonl", {}, {}, counter).error().code, Errc::not_found);
  EXPECT_EQ(read("/nowhere/x.json", {}, {}, counter).error().code, Errc::not_found);
}

TEST(GeminiPrompt, IsWhatAPersonTyped) {
  EXPECT_EQ(typed_kind("fix the build"), TypedKind::prompt);
  EXPECT_EQ(typed_kind("? what"), TypedKind::prompt);
  EXPECT_EQ(typed_kind("/usr/bin is full"), TypedKind::prompt);
  EXPECT_EQ(typed_kind("/"), TypedKind::prompt);
  EXPECT_EQ(typed_kind("  /clear "), TypedKind::command);
  EXPECT_EQ(typed_kind("/mcp:list all\nnow"), TypedKind::command);
  EXPECT_EQ(typed_kind("?"), TypedKind::command);
  EXPECT_EQ(typed_kind(" \n "), TypedKind::nothing);
  EXPECT_EQ(typed_kind("\n<session_context>\nToday"), TypedKind::nothing);
  EXPECT_EQ(typed_kind("<state_snapshot>\n<overall_goal>"), TypedKind::snapshot);
}

TEST(GeminiProject, NamesItsFolderAsTheProgramDoes) {
  EXPECT_EQ(slug_of("/w/My  App!"), "my-app");
  EXPECT_EQ(slug_of("/w/.config"), "config");
  EXPECT_EQ(slug_of("/w/v2.0"), "v2-0");
}

TEST(GeminiProject, IsFoundAboveAPathByItsHash) {
  DirectoryFinder finder;
  EXPECT_EQ(finder.look_at("/w/garden/a.c"), "");
  finder.set_hash(sha256_hex("/w/garden"));
  EXPECT_EQ(finder.look_at(""), "");
  EXPECT_EQ(finder.look_at("src/a.c"), "");
  EXPECT_EQ(finder.look_at("/etc/hosts"), "");
  EXPECT_EQ(finder.look_at("/w/garden/src/deep/a.c"), "/w/garden");
  EXPECT_EQ(finder.look_at("/w/garden/src/deep/a.c"), "") << "told once";
}

TEST(GeminiProject, IsFoundOnWindowsToo) {
  DirectoryFinder finder;
  finder.set_hash(sha256_hex("C:\\w\\garden"));
  EXPECT_EQ(finder.look_at("C:\\w\\garden\\src\\a.c"), "C:\\w\\garden");
}

TEST(ResumeCommand, OfGeminiAndQwenNamesTheSession) {
  using Words = std::vector<std::string>;
  const std::string id = "33333333-3333-4333-8333-333333333333";
  EXPECT_EQ(built_in_agents()->find("gemini")->resume(id), (Words{"gemini", "--resume", id}));
  EXPECT_EQ(built_in_agents()->find("qwen")->resume(id), (Words{"qwen", "-r", id}));
  EXPECT_EQ(built_in_agents()->find("gemini")->resume("--yolo"), Words{});
  EXPECT_EQ(built_in_agents()->find("qwen")->resume("a;b"), Words{});
}

TEST(QwenProject, NamesItsFolderAfterTheWholePath) {
  EXPECT_EQ(built_in_agents()->find("qwen")->directory_name("/w/My app_2"), "-w-My-app-2");
}

}  // namespace
}  // namespace yore::transcript::gemini
