// Transcripts on other disks: read by an index run that may look everywhere, left alone by one that
// somebody waits for.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file.hpp"
#include "ingest/indexer.hpp"
#include "ingest/scan_cache.hpp"
#include "service/access.hpp"
#include "service/freshness.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::ingest {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

class BothHomes : public testing::Test {
 protected:
  BothHomes() { world_.set_drives(world_.in_home("mnt")); }

  [[nodiscard]] std::string windows(const std::string& session) const {
    return world_.in_home("mnt/c/Users/ann/.claude/projects/C--work/" + session + ".jsonl");
  }
  static std::string said(const std::string& session, const std::string& question) {
    ClaudeLines lines(session, "C:\\work\\shop");
    return lines.prompt(question) + lines.answer("Answer of " + session);
  }
  service::Freshness refresh(Reach reach) {
    service::FreshnessOptions options;
    options.unlimited = true;
    options.look_budget = std::chrono::minutes{1};
    options.reach = reach;
    const std::atomic<bool> cancel{false};
    auto fresh =
        service::bring_up_to_date(world_.world(), world_.settings(), {}, options, {}, cancel);
    EXPECT_TRUE(fresh.ok()) << fresh.error().message;
    return fresh.ok() ? std::move(*fresh) : service::Freshness{};
  }
  std::size_t sessions() {
    std::size_t count = 0;
    EXPECT_TRUE(world_.store().each_session([&](const store::SessionRow& row) {
      EXPECT_EQ(row.missing_since, kNoTime) << row.uid;
      ++count;
      return true;
    }));
    return count;
  }
  search::SearchAnswer ask(const std::string& query) {
    service::IndexAccess access(
        {.settings = world_.settings(), .scope = {}, .world = [this] { return world_.world(); }});
    search::SearchRequest request;
    request.query = query;
    request.mode = search::SearchMode::keyword;
    auto asked = access.search(request);
    EXPECT_TRUE(asked.ok() && asked->answer);
    return asked.ok() && asked->answer ? std::move(*asked->answer) : search::SearchAnswer{};
  }

  FakeWorld world_;
};

TEST_F(BothHomes, AnIndexRunReadsBothAndEachHitSaysWhereItLives) {
  world_.write(world_.session_path("-home-ann-shop", "here"), said("here", "axolotl near"));
  world_.write(windows("there"), said("there", "axolotl far"));
  EXPECT_EQ(world_.index().sessions_new, 2U);
  const auto answer = ask("axolotl");
  ASSERT_EQ(answer.hits.size(), 2U);
  for (const search::Hit& hit : answer.hits) {
    EXPECT_EQ(hit.place, hit.session.uid == "there" ? "Windows (ann)" : "") << hit.session.uid;
  }
}

TEST_F(BothHomes, ASearchLeavesTheOtherHomeAloneAndForgetsNothingOfIt) {
  world_.write(world_.session_path("-home-ann-shop", "here"), said("here", "one"));
  world_.write(windows("there"), said("there", "two"));
  world_.index();
  // What came there since is not seen, nor that something went.
  world_.write(windows("new"), said("new", "three"));
  EXPECT_EQ(refresh(Reach::near).sessions_read, 0U);
  world_.remove(windows("there"));
  world_.write(world_.session_path("-home-ann-shop", "more"), said("more", "four"));
  EXPECT_EQ(refresh(Reach::near).sessions_read, 1U);
  EXPECT_EQ(sessions(), 3U);
  // The keeper and `yore index` see both.
  EXPECT_EQ(refresh(Reach::everywhere).sessions_read, 1U);
  EXPECT_EQ(world_.session("new").uid, "new");
  EXPECT_NE(world_.session("there").missing_since, kNoTime);
}

TEST_F(BothHomes, ATableMadeWithoutLookingThereStillKnowsWhatWasThere) {
  world_.write(world_.session_path("-home-ann-shop", "here"), said("here", "one"));
  world_.write(windows("there"), said("there", "two"));
  world_.index();
  world_.write(world_.session_path("-home-ann-shop", "more"), said("more", "four"));
  refresh(Reach::near);
  const auto table = ScanCache::load(world_.data_dir());
  ASSERT_TRUE(table.ok());
  EXPECT_FALSE(table->far_looks().empty());
  for (const std::string& directory : table->directories()) {
    EXPECT_EQ(directory.find("/Users/"), std::string::npos) << "watched: " << directory;
  }
  const auto before = table->compare(std::chrono::seconds{10}, Reach::near);
  EXPECT_TRUE(before.none());
  world_.append(windows("there"), ClaudeLines("there", "C:\\x").custom_title("grown"));
  EXPECT_TRUE(table->compare(std::chrono::seconds{10}, Reach::near).none());
  EXPECT_FALSE(table->compare(std::chrono::seconds{10}, Reach::everywhere).none());
  EXPECT_EQ(refresh(Reach::near).sessions_read, 0U);
  EXPECT_EQ(refresh(Reach::everywhere).sessions_read, 1U);
}

TEST_F(BothHomes, ANetworkDiskThatHangsIsNotTouchedByASearch) {
  const std::string far = world_.in_home("net");
  world_.write(far + "/claude/projects/-w/there.jsonl", said("there", "two"));
  world_.set_env("CLAUDE_CONFIG_DIR", far + "/claude");
  world_.set_mounts(FakeWorld::mount_line("/", "ext4") + FakeWorld::mount_line(far, "nfs4"));
  world_.write(world_.in_home(".codex/x"), "");
  EXPECT_EQ(refresh(Reach::near).sessions_read, 0U) << "not even at first";
  EXPECT_EQ(refresh(Reach::everywhere).sessions_read, 1U);
  std::filesystem::remove_all(far);  // whoever looks would see that
  refresh(Reach::near);
  EXPECT_EQ(sessions(), 1U);
  const auto answer = ask("two");
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits.front().place, "network disk " + far);
}

TEST_F(BothHomes, ACopyHereDoesNotTakeThePlaceOfTheLongerOneThere) {
  ClaudeLines lines("both", "C:\\work\\shop");
  const std::string first = lines.prompt("Question") + lines.answer("Answer");
  const std::string more = lines.prompt("Another") + lines.answer("More");
  world_.write(world_.session_path("-home-ann-shop", "both"), first);
  world_.write(windows("both"), first + more);
  world_.index();
  EXPECT_EQ(world_.session("both").facts.turn_count, 2U);
  world_.write(world_.session_path("-home-ann-shop", "other"), said("other", "x"));
  refresh(Reach::near);
  EXPECT_EQ(world_.session("both").facts.turn_count, 2U);
  EXPECT_EQ(world_.session("both").path, windows("both"));
}

}  // namespace
}  // namespace yore::ingest
