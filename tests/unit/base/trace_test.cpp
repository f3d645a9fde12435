#include "base/trace.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace yore {
namespace {

std::mutex mutex;
std::vector<std::string> lines;

void keep(std::string_view line) {
  const std::lock_guard lock(mutex);
  lines.emplace_back(line);
}

class TraceTest : public testing::Test {
 protected:
  void SetUp() override {
    lines.clear();
    Trace::switch_on(keep);
  }
  void TearDown() override { Trace::switch_off(); }
};

TEST_F(TraceTest, TellsAStepWhenItEndsWithItsTimeAndBytes) {
  {
    TraceStep step("list", "/home/ann/.claude");
    step.add_bytes(12'000);
    step.add_bytes(345);
    EXPECT_TRUE(lines.empty());
  }
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("yore trace: ")) << lines[0];
  EXPECT_NE(lines[0].find(" ms     12 KB  list /home/ann/.claude\n"), std::string::npos)
      << lines[0];
}

TEST_F(TraceTest, LeavesOutBytesWhereThereAreNone) {
  { const TraceStep step("plan"); }
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].ends_with(" ms            plan\n")) << lines[0];
}

TEST_F(TraceTest, TellsFailuresAndNoSuccesses) {
  Trace::failure("remove a file", Status{});
  Trace::failure("remove a file", Status(Error{Errc::io, "cannot remove /x: no"}));
  EXPECT_EQ(lines,
            std::vector<std::string>{"yore trace: failed  remove a file: cannot remove /x: no\n"});
}

TEST_F(TraceTest, SaysNothingWhileItIsOff) {
  Trace::switch_off();
  { const TraceStep step("plan"); }
  Trace::failure("remove a file", Error{Errc::io, "no"});
  EXPECT_TRUE(lines.empty());
}

TEST_F(TraceTest, LinesOfSeveralThreadsComeWhole) {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int n = 0; n < 100; ++n) const TraceStep step("read", "a file");
      });
    }
  }
  ASSERT_EQ(lines.size(), 400U);
  for (const std::string& line : lines) {
    ASSERT_TRUE(line.starts_with("yore trace: ") && line.ends_with("read a file\n")) << line;
  }
}

}  // namespace
}  // namespace yore
