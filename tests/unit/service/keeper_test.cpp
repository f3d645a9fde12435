// The keeper with real files and real watches. Tests wait for what must come true, never for time.
#include "service/keeper.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "derive/keyword_index.hpp"
#include "search/searcher.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::service {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

constexpr std::string_view kId = "11111111-2222-4333-8444-555555555555";
constexpr std::string_view kOther = "66666666-2222-4333-8444-555555555555";

bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return false;
}

std::size_t found(const FakeWorld& machine, const std::string& words) {
  auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
  if (!searcher) return 0;
  search::SearchRequest request;
  request.query = words;
  request.mode = search::SearchMode::keyword;
  const auto answer = searcher->search(request);
  return answer ? answer->hits.size() : 0;
}

std::unique_ptr<Keeper> start(const FakeWorld& machine, const config::Scope& scope = {}) {
  auto keeper = std::make_unique<Keeper>(machine.world(), machine.settings(), scope,
                                         KeeperOptions{std::chrono::milliseconds{5}});
  keeper->start();
  return keeper;
}

bool is_built(const FakeWorld& machine) {
  const auto report = read_keeper_report(machine.data_dir());
  return report && !report->building && report->watched + report->polled > 0;
}

class KeeperTest : public testing::Test {
 protected:
  KeeperTest() : lines(std::string(kId)) {
    path = machine.write(machine.session_path("-home-ann-code-blog", kId),
                         lines.prompt("why is the parrot blue") + lines.answer("norwegian"));
  }
  FakeWorld machine;
  ClaudeLines lines;
  std::string path;
};

TEST_F(KeeperTest, BuildsWhatIsThereAndSaysSo) {
  const auto keeper = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  EXPECT_EQ(found(machine, "parrot"), 1U);
  EXPECT_TRUE(keeper->keeps());
  const auto report = read_keeper_report(machine.data_dir());
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->pid, ::getpid());
  EXPECT_EQ(report->files_known, 1U);
  EXPECT_EQ(report->files_indexed, 1U);
  EXPECT_EQ(report->behind_bytes, 0U);
  EXPECT_EQ(report->remark, "");
}

TEST_F(KeeperTest, FindsALineThatWasAppended) {
  const auto keeper = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  for (const char* word : {"alpaca", "bobcat", "civet"}) {
    machine.append(path, lines.prompt(word));
    EXPECT_TRUE(comes_true([&] { return found(machine, word) == 1; })) << word;
  }
}

TEST_F(KeeperTest, FindsNewFilesAndFolders) {
  const auto keeper = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  ClaudeLines beside("77777777-2222-4333-8444-555555555555");
  machine.write(machine.session_path("-home-ann-code-blog", "77777777-2222-4333-8444-555555555555"),
                beside.prompt("a dromedary"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "dromedary") == 1; }));

  ClaudeLines other{std::string(kOther), "/home/ann/code/shop"};
  const std::string elsewhere =
      machine.write(machine.session_path("-home-ann-code-shop", kOther), other.prompt("an egret"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "egret") == 1; }));
  machine.append(elsewhere, other.answer("a falcon"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "falcon") == 1; }));
}

TEST(Keeper, FindsAStoreThatComesLater) {
  FakeWorld machine;
  const auto keeper = start(machine);
  ASSERT_TRUE(comes_true([&] { return keeper->keeps() && is_built(machine); }));
  ClaudeLines lines{std::string(kId)};
  machine.write(machine.session_path("-home-ann-code-blog", kId), lines.prompt("a gazelle"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "gazelle") == 1; }));
}

TEST_F(KeeperTest, FollowsTruncationRenamingAndDeletion) {
  const auto keeper = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  ClaudeLines again{std::string(kId)};
  machine.write(path, again.prompt("a hyena"));  // shorter than before
  EXPECT_TRUE(comes_true([&] { return found(machine, "hyena") == 1; }));
  EXPECT_EQ(found(machine, "parrot"), 1U) << "what was seen stays, once";

  const std::string moved = machine.session_path("-home-ann-code-blog", kOther);
  machine.rename(path, moved);
  const auto uid_found = [&](std::string_view uid) {
    auto reader = machine.reader();
    return reader.find_session(uid).ok();
  };
  EXPECT_TRUE(comes_true([&] { return uid_found(kOther); }));
  machine.remove(moved);
  EXPECT_TRUE(comes_true([&] { return machine.session(kOther).missing_since != kNoTime; }));
  EXPECT_GE(found(machine, "hyena"), 1U);  // what agents delete is kept
}

TEST_F(KeeperTest, AnotherTakesOver) {
  auto first = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  const auto second = start(machine);
  EXPECT_FALSE(second->keeps());
  first.reset();
  ASSERT_TRUE(comes_true([&] { return second->keeps(); }));
  machine.append(path, lines.prompt("an ibex"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "ibex") == 1; }));
}

TEST_F(KeeperTest, SourcesOfOthersAreKeptToo) {
  const auto first = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  const std::string folder = machine.in_home("elsewhere");
  ClaudeLines other{std::string(kOther)};
  const std::string far = machine.write(folder + "/-home-ann-x/" + std::string(kOther) + ".jsonl",
                                        other.prompt("a jackal"));
  config::Scope scope;
  scope.sources = {"claude-code:" + folder};
  const auto second = start(machine, scope);
  ASSERT_TRUE(comes_true([&] { return found(machine, "jackal") == 1; }));
  EXPECT_FALSE(second->keeps());
  machine.append(far, other.answer("a kestrel"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "kestrel") == 1; }));
}

TEST_F(KeeperTest, BuildsAgainWhatSomebodyRemoved) {
  const auto keeper = start(machine);
  ASSERT_TRUE(comes_true([&] { return is_built(machine); }));
  std::filesystem::remove_all(derive::keyword_directory(machine.data_dir()));
  machine.append(path, lines.prompt("a lemur"));
  EXPECT_TRUE(comes_true([&] { return found(machine, "lemur") == 1; }));
  EXPECT_EQ(found(machine, "parrot"), 1U);
}

TEST_F(KeeperTest, EndsQuicklyInTheMiddleOfABuild) {
  for (int i = 0; i < 200; ++i) {
    const std::string id = "88888888-2222-4333-8444-" + std::to_string(100'000'000'000 + i);
    ClaudeLines many{id};
    std::string text;
    for (int n = 0; n < 20; ++n) text += many.prompt("a macaw " + std::to_string(n));
    machine.write(machine.session_path("-home-ann-code-blog", id), text);
  }
  for (int round = 0; round < 5; ++round) {
    const auto keeper = start(machine);
    ASSERT_TRUE(comes_true([&] { return keeper->keeps(); }));
  }
  const auto keeper = start(machine);
  EXPECT_TRUE(comes_true([&] { return is_built(machine); }));
  EXPECT_EQ(machine.store().known_sessions()->size(), 201U);
}

TEST(KeeperReport, IsNobodysWithoutALock) {
  FakeWorld machine;
  EXPECT_FALSE(read_keeper_report(machine.data_dir()).has_value());
  machine.write(machine.data_dir() + "/keeper", R"({"pid":1,"building":false})");
  EXPECT_FALSE(read_keeper_report(machine.data_dir()).has_value());
}

}  // namespace
}  // namespace yore::service
