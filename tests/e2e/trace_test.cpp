// YORE_TRACE=1 tells each step on standard error and changes nothing else.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

// "Found 2 results in 0.003s": how long it took is not the same twice.
std::string without_seconds(const std::string& text) {
  return std::regex_replace(text, std::regex(R"( in \d+\.\d+s)"), " in …s");
}

class Tracing : public testing::Test {
 protected:
  void SetUp() override {
    box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 2));
    traced_.write_session("blog", kFirst, conversation(kFirst, "feeds", 2));
    traced_.set_env("YORE_TRACE", "1");
  }

  Sandbox box_;
  Sandbox traced_;
};

TEST_F(Tracing, TellsTheStepsOfASearchAndLeavesTheAnswerAsItIs) {
  const Ran plain = box_.run({"search", "--json", "--mode", "keyword", "feeds"});
  const Ran traced = traced_.run({"search", "--json", "--mode", "keyword", "feeds"});
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(traced.code, 0);
  EXPECT_EQ(plain.json()["results"].size(), 2U);
  EXPECT_EQ(traced.json()["results"].size(), 2U);
  for (const char* step :
       {"bring up to date", "plan", "list", "read", "commit", "update the keyword index",
        "open the keyword index", "parse the question", "find candidates (stage 1)",
        "rank candidates (stage 2)", "make the page"}) {
    EXPECT_NE(traced.err.find(std::string("  ") + step), std::string::npos) << step << "\n"
                                                                            << traced.err;
  }
  std::istringstream lines(traced.err);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("yore trace: ") || line.starts_with("yore: ")) << line;
  }
  EXPECT_EQ(plain.err.find("yore trace"), std::string::npos) << plain.err;
}

TEST_F(Tracing, DoesNotChangeStandardOutput) {
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  const Ran plain = box_.run({"search", "--mode", "keyword", "feeds"});
  box_.set_env("YORE_TRACE", "1");
  const Ran traced = box_.run({"search", "--mode", "keyword", "feeds"});
  EXPECT_EQ(without_seconds(traced.out), without_seconds(plain.out));
  EXPECT_NE(traced.err, plain.err);
  box_.set_env("YORE_TRACE", "0");
  EXPECT_EQ(box_.run({"search", "--mode", "keyword", "feeds"}).err, plain.err);
}

}  // namespace
}  // namespace yore::e2e
