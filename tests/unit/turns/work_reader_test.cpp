#include "turns/work_reader.hpp"

#include <gtest/gtest.h>

namespace yore::turns {
namespace {

TEST(LooksFailed, BelievesAnExitCodeThatIsNamed) {
  EXPECT_TRUE(looks_failed("Exit code 1\nmake: *** [all] Error 1"));
  EXPECT_TRUE(looks_failed("Chunk ID: 1\nProcess exited with code 127\nOutput:\n"));
  EXPECT_TRUE(looks_failed(R"({"output":"x","metadata":{"exit_code":2}})"));
  EXPECT_FALSE(looks_failed("Process exited with code 0\nOutput:\nerror: none"));
  EXPECT_FALSE(looks_failed(R"({"metadata":{"exit_code":0}})"));
  EXPECT_FALSE(looks_failed("the exit code of the other program matters"));
}

TEST(LooksFailed, ElseLooksAtTheBeginning) {
  EXPECT_TRUE(looks_failed("Error: cannot find module 'x'"));
  EXPECT_TRUE(looks_failed("<tool_use_error>File has not been read yet</tool_use_error>"));
  EXPECT_TRUE(looks_failed("fatal: not a git repository"));
  EXPECT_TRUE(looks_failed("bash: yore: command not found"));
  EXPECT_FALSE(looks_failed(""));
  EXPECT_FALSE(looks_failed("12 passed, 0 failed"));
  EXPECT_FALSE(looks_failed("README.md:3: command not found is what it said\nREADME.md:4: x"));
}

transcript::Record record(transcript::RecordKind kind, std::span<const transcript::Block> blocks,
                          std::string_view key) {
  transcript::Record made;
  made.kind = kind;
  made.blocks = blocks;
  made.key = key;
  return made;
}

TEST(WorkReader, JoinsCallsWithTheirResults) {
  using transcript::Block;
  using transcript::BlockKind;
  using transcript::RecordKind;
  WorkReader reader;
  const auto feed = [&](RecordKind kind, const Block& block, std::string_view key) {
    reader.record(record(kind, std::span(&block, 1), key));
  };
  Block prompt;
  prompt.text = "build it";
  feed(RecordKind::prompt, prompt, "k1");
  Block call;
  call.kind = BlockKind::tool_call;
  call.tool_name = "Bash";
  call.tool_id = "t1";
  call.rendering = R"({"tool":"Bash","command":"make"})";
  feed(RecordKind::assistant, call, "k2");
  call.tool_id = "t2";
  call.rendering = R"({"tool":"Bash","command":"make test"})";
  feed(RecordKind::assistant, call, "k3");
  Block result;
  result.kind = BlockKind::tool_result;
  result.tool_id = "t1";
  result.text = "Exit code 2";
  feed(RecordKind::tool_output, result, "k4");
  const auto work = reader.take();
  ASSERT_EQ(work.size(), 2U);
  EXPECT_TRUE(work[0].answered && work[0].failed);
  EXPECT_FALSE(work[1].answered || work[1].failed);
  EXPECT_EQ(work[1].turn, 0U);
}

}  // namespace
}  // namespace yore::turns
