// Open, refresh, ask, heal: what every edge does by way of IndexAccess.
#include "service/access.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files/file.hpp"
#include "derive/keyword_index.hpp"
#include "service/index_notes.hpp"
#include "store/lock.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::service {
namespace {

class Asking : public testing::Test {
 protected:
  void write(const std::string& session, const std::string& prompt) {
    fake::ClaudeLines lines(session);
    machine_.write(machine_.session_path("-home-ann-code-blog", session),
                   lines.prompt(prompt) + lines.answer("fine"));
  }
  IndexAccess::Options options() {
    IndexAccess::Options wanted;
    wanted.settings = machine_.settings();
    wanted.world = [this] { return machine_.world(); };
    return wanted;
  }
  // Builds again what was thrown away, and counts.
  IndexAccess::Options rebuilding() {
    IndexAccess::Options wanted = options();
    wanted.rebuild = [this](IndexAccess& access) {
      ++rebuilt_;
      return derive::build_discarded_keywords(access.settings().data_dir,
                                              std::chrono::milliseconds{0}, never_);
    };
    return wanted;
  }
  void damage() {
    const std::string directory = derive::keyword_directory(machine_.data_dir());
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      const std::string other = entry.path().string() + ".damaged";
      std::ofstream(other) << "no index at all";
      std::filesystem::rename(other, entry.path());
    }
  }
  static search::SearchRequest asking(std::string query) {
    search::SearchRequest request;
    request.query = std::move(query);
    return request;
  }

  fake::FakeWorld machine_;
  const std::atomic<bool> never_{false};
  int rebuilt_ = 0;
};

TEST_F(Asking, WithoutAnIndexThereIsNoAnswerAndNothingIsMade) {
  IndexAccess access(options());
  const auto found = access.search(asking("kettle"));
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->answer.has_value());
  EXPECT_FALSE(access.read("5e55", 0, 1)->answer.has_value());
  EXPECT_EQ(access.open_reader().error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(machine_.data_dir()));
}

TEST_F(Asking, AFirstBuildThatHangsElsewhereIsWaitedForOnlySoLong) {
  write("5e55-0001", "the kettle");
  ASSERT_TRUE(make_directories(machine_.data_dir()).ok());
  const auto hanging = store::WriterLock::try_acquire(machine_.data_dir());
  ASSERT_TRUE(hanging.ok());
  IndexAccess access(options());
  FreshnessOptions short_of_time;
  short_of_time.wait_for_first = std::chrono::milliseconds{1};
  const auto fresh = access.refresh(short_of_time, {}, never_);
  ASSERT_FALSE(fresh.ok());
  EXPECT_EQ(fresh.error().code, Errc::busy);
  EXPECT_NE(fresh.error().message.find("published nothing yet"), std::string::npos);
}

TEST_F(Asking, WhatRefreshCountedIsTheCoverageOfEveryAnswer) {
  write("5e55-0001", "the kettle");
  IndexAccess access(options());
  const auto fresh = access.refresh({}, {}, never_);
  ASSERT_TRUE(fresh.ok()) << fresh.error().message;
  const auto found = access.search(asking("kettle"));
  ASSERT_TRUE(found.ok() && found->answer);
  EXPECT_EQ(found->answer->hits.size(), 1U);
  EXPECT_EQ(found->answer->coverage.files_known, 1U);
  EXPECT_EQ(found->answer->coverage.files_indexed, 1U);
  access.set_coverage({9, 8, 7});
  EXPECT_EQ(access.search(asking("kettle"))->answer->coverage.behind_bytes, 7U);
}

TEST_F(Asking, WhatIsPublishedLaterIsFound) {
  write("5e55-0001", "the kettle");
  machine_.index();
  IndexAccess access(options());
  EXPECT_TRUE(access.search(asking("gasket"))->answer->hits.empty());
  write("5e55-0002", "the gasket");
  machine_.index();
  EXPECT_EQ(access.search(asking("gasket"))->answer->hits.size(), 1U);
}

TEST_F(Asking, AnotherScopeCountsFromTheNextQuestionOn) {
  write("5e55-0001", "the kettle");
  machine_.index();
  IndexAccess access(options());
  EXPECT_EQ(access.search(asking("kettle"))->answer->hits.size(), 1U);
  config::Scope none;
  none.sessions = std::make_shared<const config::SessionSet>();
  access.set_scope(none);
  EXPECT_TRUE(access.search(asking("kettle"))->answer->hits.empty());
}

TEST_F(Asking, ADamagedKeywordIndexIsBuiltAgainOnceAndTheQuestionAnswered) {
  write("5e55-0001", "the kettle");
  machine_.index();
  IndexAccess access(rebuilding());
  damage();
  const auto found = access.search(asking("kettle"));
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_TRUE(found->answer.has_value());
  EXPECT_TRUE(found->damaged);
  EXPECT_EQ(found->answer->hits.size(), 1U);
  EXPECT_EQ(rebuilt_, 1);
  EXPECT_FALSE(access.search(asking("kettle"))->damaged);
  EXPECT_EQ(rebuilt_, 1);
}

TEST_F(Asking, DamageThatABuildDoesNotMendIsTheError) {
  write("5e55-0001", "the kettle");
  machine_.index();
  IndexAccess::Options hopeless = options();
  hopeless.rebuild = [this](IndexAccess& access) {
    ++rebuilt_;
    const Status built = derive::build_discarded_keywords(access.settings().data_dir,
                                                          std::chrono::milliseconds{0}, never_);
    damage();
    return built;
  };
  IndexAccess access(std::move(hopeless));
  damage();
  EXPECT_EQ(access.search(asking("kettle")).error().code, Errc::corrupt);
  EXPECT_EQ(rebuilt_, 1);
}

TEST_F(Asking, WhoTakesTheIndexAsItIsLeavesItsDamage) {
  write("5e55-0001", "the kettle");
  machine_.index();
  IndexAccess::Options as_it_is = rebuilding();
  as_it_is.heal = false;
  IndexAccess access(std::move(as_it_is));
  damage();
  EXPECT_EQ(access.search(asking("kettle")).error().code, Errc::corrupt);
  EXPECT_EQ(access.search(asking("kettle")).error().code, Errc::corrupt);
  EXPECT_EQ(rebuilt_, 0);
}

TEST(IndexNotes, SayHowFarTheIndexIs) {
  EXPECT_EQ(building_note(std::nullopt), "");
  KeeperReport report;
  EXPECT_EQ(building_note(report), "");
  EXPECT_TRUE(nothing_to_keep(report));
  report.building = true;
  EXPECT_EQ(building_note(report), "The index is being built: ask again in a moment.");
  report.files_known = 2000;
  report.files_indexed = 120;
  EXPECT_EQ(building_note(report),
            "The index is still being built: 120 of 2,000 conversations so far.");
  EXPECT_EQ(absence_note(report, false), building_note(report));
  EXPECT_EQ(absence_note(report, true),
            "The keyword index was damaged and is being built again: ask again soon.");
}

}  // namespace
}  // namespace yore::service
