// What is forgotten leaves no trace, and does not come back.
#include "ingest/forget.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "derive/embedder.hpp"
#include "search/searcher.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/marker_words.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;
using fake::marker;

constexpr std::string_view kForgotten = "aaaaaaaa-1111-4111-8111-111111111111";
constexpr std::string_view kBeside = "bbbbbbbb-1111-4111-8111-111111111111";
constexpr std::string_view kResumed = "cccccccc-1111-4111-8111-111111111111";
const std::atomic<bool> kNever{false};

class Forgetting : public testing::Test {
 protected:
  static std::string turn(const std::string& word) {
    ClaudeLines lines("line-" + word);
    return lines.prompt("about " + word) + lines.tool_call("Bash", {{"command", "grep " + word}}) +
           lines.tool_result("found " + word) + lines.answer("so much for " + word);
  }
  std::string path(std::string_view id) { return machine.session_path("-home-ann-code-blog", id); }
  std::size_t found(const std::string& word) {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    search::SearchRequest request;
    request.query = word;
    request.mode = search::SearchMode::keyword;
    const auto answer = searcher->search(request);
    return answer ? answer->hits.size() : 999;
  }
  void forget(const ingest::ForgetRequest& request) {
    auto store = machine.store();
    const auto plan = ingest::plan_forgetting(store, request);
    ASSERT_TRUE(plan.ok());
    const Status done = ingest::forget(machine.world(), machine.settings(), *plan, kNever);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  int markers_left(int count) { return fake::markers_left(machine.data_dir(), count); }

  FakeWorld machine;
};

TEST_F(Forgetting, LeavesNoneOfAThousandWordsBehind) {
  constexpr int kWords = 1000;
  std::string text;
  for (int i = 0; i < kWords; ++i) text += turn(marker(i));
  machine.write(path(kForgotten),
                text + ClaudeLines(std::string(kForgotten)).ai_title("of " + marker(7)));
  machine.write(path(kBeside), turn("heron"));
  machine.index();
  ASSERT_GT(markers_left(kWords), 900) << "the test sees what is there";
  forget({{machine.session(kForgotten).id}, {}});
  EXPECT_EQ(markers_left(kWords), 0);
  EXPECT_EQ(found("heron"), 1U);
  // The agent's file is still there, and is not read again.
  EXPECT_TRUE(std::filesystem::exists(path(kForgotten)));
  machine.append(path(kForgotten), turn("added"));
  ingest::IndexOptions force;
  force.force = true;
  machine.index(force);
  EXPECT_EQ(markers_left(kWords), 0);
  EXPECT_EQ(found("added"), 0U);
}

TEST_F(Forgetting, ForgetMissingAloneLeavesTraces) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += turn(marker(i));
  machine.write(path(kForgotten), text);
  machine.index();
  machine.remove(path(kForgotten));
  ingest::IndexOptions options;
  options.forget_missing = true;
  machine.index(options);
  EXPECT_GT(markers_left(200), 0) << "removing rows is not forgetting; this test can fail";
}

TEST_F(Forgetting, CopiesInOtherSessionsGoAndDoNotComeBack) {
  machine.write(path(kForgotten), turn("heron") + turn("egret"));
  machine.write(path(kBeside), turn("egret") + turn("stork"));
  machine.index();
  forget({{machine.session(kForgotten).id}, {}});
  EXPECT_EQ(found("heron"), 0U);
  EXPECT_EQ(found("egret"), 0U);
  EXPECT_EQ(found("stork"), 1U);
  // A session that was resumed under another id repeats what it was resumed from.
  machine.write(path(kResumed), turn("heron") + turn("crane"));
  machine.append(path(kBeside), turn("ibis"));
  machine.index();
  EXPECT_EQ(found("heron"), 0U);
  EXPECT_EQ(found("egret"), 0U);
  EXPECT_EQ(found("crane"), 1U);
  EXPECT_EQ(found("ibis"), 1U);
  auto reader = machine.reader();
  const auto read = reader.read(machine.session(kBeside), 0, 10);
  EXPECT_EQ(read->turns[0].user_text, "") << "nor is it read from the agent's file";
  EXPECT_EQ(read->turns[1].user_text, "about stork");
}

TEST_F(Forgetting, ASingleTurnAndItsEditions) {
  machine.write(path(kForgotten), turn("heron") + turn("egret") + turn("stork"));
  machine.index();
  machine.write(path(kForgotten), turn("heron"));
  machine.index();
  ASSERT_EQ(found("egret"), 1U);
  auto store = machine.store();
  const auto edition = store.editions_of(machine.session(kForgotten).id)->front();
  forget({{}, {{edition.id, 1}}});
  EXPECT_EQ(found("egret"), 0U);
  EXPECT_EQ(found("stork"), 1U);
  EXPECT_EQ(machine.session(kForgotten).superseded, 1U);
}

TEST_F(Forgetting, IsMadeUpForAfterAKill) {
  machine.write(path(kForgotten), turn("heron"));
  machine.write(path(kBeside), turn("stork"));
  machine.index();
  // Killed right after it was begun.
  const auto turns = machine.store().turns_of(machine.session(kForgotten).id);
  ASSERT_TRUE(
      store::Tombstones::add(machine.data_dir(), {std::string(kForgotten)}, {turns->front().origin})
          .ok());
  ASSERT_EQ(found("heron"), 1U);
  machine.index();
  EXPECT_EQ(found("heron"), 0U);
  EXPECT_EQ(found("stork"), 1U);
  EXPECT_FALSE(store::Tombstones::load(machine.data_dir())->unfinished());
}

TEST_F(Forgetting, EveryHolderOfTextHasARow) {
  std::vector<std::string_view> names;
  for (const ingest::Holder& holder : ingest::holders_of_text()) names.push_back(holder.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"marks", "saved answers", "records",
                                                  "keyword index", "vectors", "scan cache",
                                                  "archive", "damaged store", "recalls"}));
}

TEST_F(Forgetting, WhoSaysSoKeepsASessionOut) {
  ClaudeLines lines{std::string(kForgotten)};
  machine.write(path(kForgotten), lines.prompt("about herons") + lines.answer("yes"));
  machine.write(path(kBeside),
                ClaudeLines(std::string(kBeside)).prompt("say: yore: private storks"));
  machine.index();
  ASSERT_EQ(found("herons"), 1U);
  machine.append(path(kForgotten), lines.prompt("one more thing\n  yore: private\nplease"));
  machine.index();
  EXPECT_EQ(found("herons"), 0U);
  EXPECT_EQ(found("storks"), 1U) << "only alone on a line";
  machine.append(path(kForgotten), lines.prompt("about egrets"));
  machine.index();
  EXPECT_EQ(found("egrets"), 0U);
}

TEST_F(Forgetting, NobodyButAPersonSaysPrivate) {
  ClaudeLines lines{std::string(kForgotten)};
  machine.write(path(kForgotten), lines.prompt("about herons") + lines.answer("yore: private") +
                                      lines.tool_call("Bash", {{"command", "cat x"}}) +
                                      lines.tool_result("yore: private"));
  machine.index();
  EXPECT_EQ(found("herons"), 1U);
}

}  // namespace
}  // namespace yore
