// Answers that are kept, briefings and passages, as people use them.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

class Kept : public SearchBox {
 protected:
  void SetUp() override {
    write_three();
    ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  }
};

TEST_F(Kept, AnAnswerIsSavedShownAndAskedAgain) {
  EXPECT_EQ(box_.run({"search", "empty", "-p", "shop", "--save", "why empty"}).code, 0);
  EXPECT_EQ(box_.run({"search", "cart", "--save", "why empty"}).code, 2) << "the name is taken";
  EXPECT_EQ(box_.run({"search", "cart", "--save", "../x"}).code, 2);
  const Ran shown = box_.run({"saved", "why empty"});
  EXPECT_TRUE(has(shown.out, "- Question: empty\n- Filters: `--project shop`\n")) << shown.out;
  EXPECT_TRUE(has(shown.out, "> The session cookie of the cart expired.")) << shown.out;
  EXPECT_FALSE(has(shown.out, "<!--"));
  const auto listed = box_.run({"saved", "--json"}).json()["saved"];
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0]["query"], "empty");
  EXPECT_EQ(listed[0]["filters"], (nlohmann::json{"--project", "shop"}));

  EXPECT_EQ(box_.run({"saved", "why empty", "--again"}).code, 1) << "nothing is new";
  fake::ClaudeLines later("4d5e6f70-0000-4000-8000-000000000004", "/home/ann/code/shop");
  later.set_time(from_ms(1'767'000'000'000));
  box_.write_session(
      "shop", "4d5e6f70-0000-4000-8000-000000000004",
      together({later.prompt("Why is the wallet empty?"), later.answer("It was empty before.")}));
  const auto again = box_.run({"saved", "why empty", "--again", "--json"}).json();
  EXPECT_EQ(again["results"].size(), 1U) << again;
  EXPECT_EQ(again["known"], 1);
  EXPECT_EQ(again["gone"], 0);
  EXPECT_EQ(box_.run({"saved", "why empty", "--update"}).code, 0);
  EXPECT_EQ(box_.run({"saved", "why empty", "--again"}).code, 1);
  EXPECT_EQ(box_.run({"saved", "why empty", "--remove"}).code, 0);
  EXPECT_EQ(box_.run({"saved", "why empty"}).code, 1);
}

TEST_F(Kept, ForgettingTakesHitsOutOfSavedAnswers) {
  EXPECT_EQ(box_.run({"search", "empty", "--save", "all"}).code, 0);
  EXPECT_TRUE(has(box_.run({"saved", "all"}).out, "drafts"));
  EXPECT_EQ(box_.run({"forget", kFirst, "--yes"}).code, 0);
  const Ran left = box_.run({"saved", "all"});
  EXPECT_FALSE(has(left.out, "drafts")) << left.out;
  EXPECT_TRUE(has(left.out, "cookie")) << left.out;
  EXPECT_FALSE(has(box_.run({"doctor"}).out, "not a file of yore"));
}

TEST_F(Kept, ABackupHoldsMarksAndSavedAnswers) {
  EXPECT_EQ(box_.run({"search", "empty", "--save", "all"}).code, 0);
  EXPECT_EQ(box_.run({"tag", kSecond, "cart"}).code, 0);
  const std::string file = box_.in_home("kept.backup");
  ASSERT_EQ(box_.run({"backup", file}).code, 0);
  box_.set_env("YORE_DATA_DIR", box_.in_home("elsewhere"));
  ASSERT_EQ(box_.run({"backup", "--restore", file}).code, 0);
  EXPECT_EQ(found({"tag:cart"}), Texts{kSecond});
  EXPECT_TRUE(has(box_.run({"saved", "all"}).out, "drafts"));
}

TEST_F(Kept, ABriefingGoesToAnotherAgent) {
  const Ran ran = box_.run({"handoff", "2b3c4d5e", "--to", "codex"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "## Goal\n- [turn 0] Why is the cart empty?")) << ran.out;
  EXPECT_TRUE(has(ran.err, "codex \"$(yore handoff 2b3c4d5e --to codex)\"")) << ran.err;
  EXPECT_EQ(box_.run({"handoff", "2b3c4d5e", "--json"}).json()["cited"], (nlohmann::json{0}));
  EXPECT_EQ(box_.run({"handoff", "2b3c4d5e", "--to", "nobody"}).code, 2);
  EXPECT_EQ(box_.run({"handoff", "nosuch"}).code, 1);
  // The session that begins with it is one of its own, and says nothing twice.
  const std::string id = "5e6f7081-0000-4000-8000-000000000005";
  fake::ClaudeLines next(id, "/home/ann/code/shop");
  next.set_time(from_ms(1'768'000'000'000));
  box_.write_session("shop", id, together({next.prompt(ran.out), next.answer("I go on.")}));
  EXPECT_EQ(found({"narwhal OR cookie", "--session", id}), Texts{});
  EXPECT_TRUE(has(box_.run({"list"}).out, "Go on with work that was begun")) << "it is listed";
}

TEST_F(Kept, PassagesForAPrompt) {
  const Ran ran = box_.run({"context", "why is the cart empty", "--mode", "keyword"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("<<yore history 1>>\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "cookie of the cart expired")) << ran.out;
  const auto json = box_.run({"context", "cart", "--tokens", "200", "--json"}).json();
  EXPECT_EQ(json["cited"][0]["session_id"], kSecond);
  EXPECT_LE(json["tokens"], 200);
  EXPECT_EQ(box_.run({"context", "pterodactyl", "--mode", "keyword"}).code, 1);
  EXPECT_EQ(box_.run({"context"}).code, 2);
}

}  // namespace
}  // namespace yore::e2e
