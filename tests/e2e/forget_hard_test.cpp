// What is forgotten is gone from every file, also while servers hold the store open, and when the
// program is killed halfway.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include "e2e/mcp_client.hpp"
#include "e2e/sandbox.hpp"
#include "support/marker_words.hpp"

namespace yore::e2e {
namespace {

constexpr int kMarkerWords = 1000;
constexpr int kServers = 20;

class ForgettingHard : public testing::Test {
 protected:
  void SetUp() override {
    fake::ClaudeLines lines(kFirst);
    std::string text;
    for (int i = 0; i < kMarkerWords; i += 5) {
      std::string words;
      for (int k = i; k < i + 5; ++k) words += " " + fake::marker(k);
      text += lines.prompt("about" + words) + lines.answer("seen" + words);
    }
    box_.write_session("blog", kFirst, text);
    fake::ClaudeLines beside(kSecond);
    box_.write_session("blog", kSecond, beside.prompt("about the heron") + beside.answer("seen"));
    ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
    ASSERT_GT(left(), 900) << "the test sees what is there";
  }
  [[nodiscard]] int left() const { return fake::markers_left(box_.data_dir(), kMarkerWords); }
  [[nodiscard]] bool has_begun() const {
    std::error_code none;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(box_.data_dir() + "/keep", none)) {
      if (entry.is_regular_file(none)) return true;
    }
    return false;
  }
  Sandbox box_;
};

TEST_F(ForgettingHard, LeavesNothingWhileTwentyServersHoldTheStoreOpen) {
  std::vector<std::unique_ptr<McpClient>> servers;
  for (int i = 0; i < kServers; ++i) {
    servers.push_back(std::make_unique<McpClient>(box_));
    servers.back()->initialize();
    ASSERT_EQ(servers.back()->hits("heron"), 1U);
  }
  const Ran done = box_.run({"forget", kFirst, "--yes"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(left(), 0);
  for (const auto& server : servers) EXPECT_EQ(server->hits("heron"), 1U);
  EXPECT_EQ(servers.back()->hits("+" + fake::marker(7)), 0U);
  EXPECT_EQ(left(), 0) << "no server has brought anything back";
}

TEST_F(ForgettingHard, AKillHalfwayIsMadeUpForByTheNextRun) {
  const Sandbox::Started forgetting = box_.start({"forget", kFirst, "--yes"});
  ASSERT_TRUE(comes_true([&] { return has_begun(); }));
  ::kill(forgetting.pid, SIGKILL);
  int how = 0;
  ASSERT_EQ(::waitpid(forgetting.pid, &how, 0), forgetting.pid);
  ::close(forgetting.in);
  ::close(forgetting.out);
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  EXPECT_EQ(left(), 0);
  EXPECT_EQ(box_.run({"search", "heron", "--mode", "keyword"}).code, 0);
  EXPECT_EQ(box_.run({"show", kFirst}).code, 1);
}

}  // namespace
}  // namespace yore::e2e
