// What is kept and what is forgotten, as people see it.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

class Keeping : public testing::Test {
 protected:
  static std::string turn(const std::string& word) {
    fake::ClaudeLines lines("line-" + word);
    return lines.prompt("about the " + word) + lines.answer("the " + word + " was seen");
  }
  Sandbox box_;
};

TEST_F(Keeping, ATurnThatWasCutOutIsFoundAndMarked) {
  box_.write_session("blog", kFirst, turn("heron") + turn("egret"));
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  const std::string chunk =
      box_.run({"search", "egret", "--json"}).json()["results"][0]["chunk_id"];
  box_.write_session("blog", kFirst, turn("heron"));
  const auto found = box_.run({"search", "egret", "--json"}).json();
  ASSERT_EQ(found["results"].size(), 1U);
  EXPECT_EQ(found["results"][0]["superseded"], true);
  EXPECT_EQ(found["results"][0]["session_id"], std::string(kFirst) + "~1");
  EXPECT_EQ(found["results"][0]["chunk_id"], chunk);
  EXPECT_TRUE(has(box_.run({"search", "egret"}).out, "| superseded"));
  EXPECT_TRUE(has(box_.run({"chunk", chunk}).out, "about the egret"));
  EXPECT_TRUE(has(box_.run({"show", std::string(kFirst) + "~1"}).out, "superseded"));
  EXPECT_TRUE(has(box_.run({"list"}).out, "1+1"));
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"][0]["superseded_turns"], 1);
}

TEST_F(Keeping, ForgetShowsAsksAndRemoves) {
  const std::string path = box_.write_session("blog", kFirst, turn("heron"));
  box_.write_session("blog", kSecond, turn("heron") + turn("stork"));
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);

  const Ran asked = box_.run({"forget", "1a2b3c4d"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_TRUE(has(asked.err, "wants a yes")) << asked.err;
  EXPECT_EQ(box_.run({"search", "heron"}).code, 0) << "nothing happened yet";

  const auto would = box_.run({"forget", "1a2b3c4d", "--dry-run", "--json"}).json();
  EXPECT_EQ(would["forgotten"], false);
  EXPECT_EQ(would["copies"], 1);
  EXPECT_EQ(would["files_that_stay"][0], path);

  const Ran done = box_.run({"forget", "1a2b3c4d", "--yes"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(box_.run({"search", "heron", "--mode", "keyword"}).code, 1);
  EXPECT_EQ(box_.run({"search", "stork", "--mode", "keyword"}).code, 0);
  EXPECT_EQ(box_.run({"show", kFirst}).code, 1);
  EXPECT_TRUE(std::filesystem::exists(path));
  // What it leaves to remember by is no stranger to be cleaned up.
  EXPECT_FALSE(has(box_.run({"doctor"}).out, "not a file of yore"));
}

TEST_F(Keeping, MatchTakesTurnsThatHoldEveryWord) {
  box_.write_session("blog", kFirst, turn("heron") + turn("egret heron") + turn("stork"));
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  EXPECT_EQ(box_.run({"forget", "--match", "egret heron", "--yes"}).code, 0);
  EXPECT_EQ(box_.run({"search", "egret", "--mode", "keyword"}).code, 1);
  EXPECT_EQ(box_.run({"search", "heron", "--mode", "keyword"}).code, 0);
}

TEST_F(Keeping, WrongUsesOfForgetAreSentences) {
  box_.write_session("blog", kFirst, turn("heron"));
  EXPECT_EQ(box_.run({"forget"}).code, 2);
  EXPECT_EQ(box_.run({"forget", "--before", "whenever", "--yes"}).code, 2);
  EXPECT_EQ(box_.run({"forget", "nosuchsession", "--yes"}).code, 1);
  EXPECT_EQ(box_.run({"forget", "--match", "pterodactyl", "--yes"}).code, 1);
}

}  // namespace
}  // namespace yore::e2e
