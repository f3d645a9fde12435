#include "store/marks.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore::store {
namespace {

using Texts = std::vector<std::string>;

const MarkSubject kSession{"aaaa", 0, 0};
const MarkSubject kTurn{"aaaa", 77, 5};

class MarksTest : public testing::Test {
 protected:
  Mark mark(MarkKind kind, const MarkSubject& on, std::string text = "") const {
    return {kind, std::move(text), on, from_ms(1000)};
  }
  bool put(MarkKind kind, const MarkSubject& on, std::string text = "") const {
    const auto added = Marks::add(dir_.path(), mark(kind, on, std::move(text)));
    EXPECT_TRUE(added.ok()) << added.error().message;
    return added.ok() && *added;
  }
  std::size_t take(MarkKind kind, const MarkSubject& on, std::string text = "") const {
    const auto gone = Marks::remove(dir_.path(), mark(kind, on, std::move(text)));
    EXPECT_TRUE(gone.ok());
    return gone.ok() ? *gone : 999;
  }
  Marks all() const {
    auto marks = Marks::load(dir_.path());
    EXPECT_TRUE(marks.ok());
    return std::move(*marks);
  }
  fake::TempDir dir_;
};

TEST_F(MarksTest, WhereNothingWasMarkedNothingIsWritten) {
  EXPECT_TRUE(all().empty());
  EXPECT_EQ(take(MarkKind::star, kTurn), 0U);
  EXPECT_FALSE(std::filesystem::exists(keep_path(dir_.path())));
}

TEST_F(MarksTest, StandOnTheirSubjectOnceAndGoAgain) {
  EXPECT_TRUE(put(MarkKind::star, kSession));
  EXPECT_FALSE(put(MarkKind::star, kSession));
  EXPECT_TRUE(put(MarkKind::tag, kSession, "Release"));
  EXPECT_FALSE(put(MarkKind::tag, kSession, "release")) << "case makes no other tag";
  EXPECT_TRUE(put(MarkKind::tag, kSession, "later"));
  EXPECT_EQ(all().on_session("aaaa"), (MarksOn{true, {"Release", "later"}, ""}));
  EXPECT_TRUE(all().on_session("bbbb").empty());
  EXPECT_TRUE(all().on_turn(77, 5).empty()) << "a turn is not its session";
  EXPECT_EQ(take(MarkKind::tag, kSession, "RELEASE"), 1U);
  EXPECT_EQ(all().on_session("aaaa").tags, Texts{"later"});
  EXPECT_EQ(take(MarkKind::tag, kSession), 1U) << "without a text: all of the kind";
  EXPECT_EQ(take(MarkKind::star, kSession), 1U);
  EXPECT_TRUE(all().empty());
}

TEST_F(MarksTest, ANameTakesThePlaceOfAnother) {
  EXPECT_TRUE(put(MarkKind::name, kSession, "the feed"));
  EXPECT_TRUE(put(MarkKind::name, kSession, "the atom feed"));
  EXPECT_FALSE(put(MarkKind::name, kSession, "the atom feed"));
  EXPECT_EQ(all().on_session("aaaa").name, "the atom feed");
  EXPECT_EQ(all().all().size(), 1U);
}

TEST_F(MarksTest, OnATurnFollowItsOriginAndItsChunk) {
  put(MarkKind::star, kTurn);
  EXPECT_TRUE(all().on_turn(77, 9).starred) << "a copy in a fork";
  EXPECT_TRUE(all().on_turn(78, 5).starred) << "written anew by its agent";
  EXPECT_FALSE(all().on_turn(78, 9).starred);
  EXPECT_FALSE(put(MarkKind::star, {"bbbb", 77, 9})) << "it stands on the copy already";
  EXPECT_EQ(take(MarkKind::star, {"bbbb", 77, 9}), 1U);
  // No origin is no likeness.
  put(MarkKind::star, {"aaaa", 0, 6});
  EXPECT_FALSE(all().on_turn(0, 7).starred);
  EXPECT_TRUE(all().on_turn(0, 6).starred);
}

TEST_F(MarksTest, MarkedGathersSubjects) {
  put(MarkKind::tag, kTurn, "Release");
  put(MarkKind::tag, kSession, "later");
  const Marked release = all().marked(MarkKind::tag, "release");
  EXPECT_TRUE(release.has_turn(77, 0));
  EXPECT_TRUE(release.has_turn(1, 5));
  EXPECT_FALSE(release.has_session("aaaa"));
  EXPECT_TRUE(all().marked(MarkKind::tag).has_session("aaaa"));
  EXPECT_TRUE(all().marked(MarkKind::star).sessions.empty());
}

TEST_F(MarksTest, WrongTextsAreSentences) {
  for (const std::string text : {"", "  ", "two words", "a,b", "line\nbreak", "\xff"}) {
    EXPECT_FALSE(Marks::add(dir_.path(), mark(MarkKind::tag, kTurn, text)).ok()) << text;
  }
  EXPECT_FALSE(check_mark(MarkKind::name, std::string(101, 'x')));
  EXPECT_TRUE(check_mark(MarkKind::name, "two words, and more"));
  EXPECT_TRUE(all().empty());
}

TEST_F(MarksTest, WhatWasForgottenTakesNoMarksAndLosesThem) {
  put(MarkKind::star, kTurn);
  put(MarkKind::tag, kSession, "release");
  const MarkSubject elsewhere{"aaaa", 99, 8};  // in a fork, which stays
  put(MarkKind::name, elsewhere, "kept");
  ASSERT_TRUE(Tombstones::add(dir_.path(), {"aaaa"}, {77}));
  const auto forgotten = Tombstones::load(dir_.path());
  ASSERT_TRUE(forgotten.ok());
  const auto nothing_else = [](const MarkSubject&) { return false; };
  ASSERT_TRUE(Marks::forget(dir_.path(), *forgotten, nothing_else));
  ASSERT_EQ(all().all().size(), 1U);
  EXPECT_EQ(all().all()[0].text, "kept");
  EXPECT_EQ(all().all()[0].on.session, "") << "the forgotten session is not named any more";
  EXPECT_EQ(Marks::add(dir_.path(), mark(MarkKind::star, kTurn)).error().code, Errc::not_found);
  EXPECT_EQ(Marks::add(dir_.path(), mark(MarkKind::star, kSession)).error().code, Errc::not_found);
  const auto bytes = read_file(keep_path(dir_.path()));
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes->find("release"), std::string::npos) << "nor in the bytes of the file";
}

TEST_F(MarksTest, AreTakenInFromAnotherKeepFile) {
  fake::TempDir other;
  const auto there = [&](MarkKind kind, const MarkSubject& on, const std::string& text) {
    ASSERT_TRUE(Marks::add(other.path(), mark(kind, on, text)).ok());
  };
  there(MarkKind::star, kTurn, "");
  there(MarkKind::name, kSession, "theirs");
  there(MarkKind::tag, {"gone", 0, 0}, "lost");
  put(MarkKind::name, kSession, "ours");
  ASSERT_TRUE(Tombstones::add(dir_.path(), {"gone"}, {}));
  const auto forgotten = Tombstones::load(dir_.path());
  const auto image = read_file(keep_path(other.path()));
  for (int times = 0; times < 2; ++times) {
    ASSERT_TRUE(Marks::adopt(dir_.path(), *image, *forgotten));
    EXPECT_EQ(all().all().size(), 2U);
  }
  EXPECT_EQ(all().on_session("aaaa").name, "ours");
  EXPECT_TRUE(all().on_turn(77, 5).starred);
}

TEST_F(MarksTest, ManyWritersLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kEach = 12;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kEach; ++i) {
          put(MarkKind::tag, kTurn, "t" + std::to_string(thread) + "-" + std::to_string(i));
        }
      });
    }
  }
  EXPECT_EQ(all().on_turn(77, 5).tags.size(), static_cast<std::size_t>(kThreads * kEach));
}

TEST_F(MarksTest, AKeepFileOfAnOlderYoreHasNone) {
  ASSERT_TRUE(make_directories(keep_directory(dir_.path())));
  {
    auto old = Database::open(keep_path(dir_.path()), Database::Mode::create);
    ASSERT_TRUE(old.ok());
    ASSERT_TRUE(old->run("CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID"));
  }
  EXPECT_TRUE(all().empty());
  EXPECT_TRUE(put(MarkKind::star, kSession));
}

}  // namespace
}  // namespace yore::store
