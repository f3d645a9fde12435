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

// The lines of standard error that are not of the trace.
std::string without_trace(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("yore trace: ")) rest += line + "\n";
  }
  return rest;
}

class Tracing : public testing::Test {
 protected:
  void SetUp() override { box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 2)); }
  [[nodiscard]] Ran search() const { return box_.run({"search", "--mode", "keyword", "feeds"}); }
  static void expect_steps(const Ran& ran, const std::vector<std::string>& steps) {
    for (const std::string& step : steps) {
      EXPECT_NE(ran.err.find("  " + step), std::string::npos) << step << "\n" << ran.err;
    }
  }

  Sandbox box_;
};

TEST_F(Tracing, TellsTheStepsOfTheFirstSearch) {
  box_.set_env("YORE_TRACE", "1");
  const Ran traced = search();
  EXPECT_EQ(traced.code, 0);
  expect_steps(traced, {"list", "plan", "read", "commit", "update the keyword index",
                        "bring up to date", "parse the question", "find candidates (stage 1)",
                        "rank candidates (stage 2)", "make the page"});
}

TEST_F(Tracing, ChangesNothingButStandardError) {
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  const Ran plain = search();
  EXPECT_EQ(plain.err.find("yore trace"), std::string::npos) << plain.err;
  box_.set_env("YORE_TRACE", "1");
  const Ran traced = search();
  EXPECT_EQ(traced.code, plain.code);
  EXPECT_EQ(without_seconds(traced.out), without_seconds(plain.out));
  EXPECT_EQ(without_trace(traced.err), plain.err);
  // Whether a search opens the index or gets it from the step before depends on how new files are.
  expect_steps(traced, {"bring up to date", "parse the question", "make the page"});
  box_.set_env("YORE_TRACE", "0");
  EXPECT_EQ(search().err, plain.err);
}

}  // namespace
}  // namespace yore::e2e
