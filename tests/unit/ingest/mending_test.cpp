// A damaged record store mends itself: answers are what they were, or what is missing is named.
#include "ingest/mending.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "ingest/forget.hpp"
#include "service/access.hpp"
#include "store/exchange.hpp"
#include "store/lock.hpp"
#include "store/mend.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore {
namespace {

constexpr std::size_t kPage = 8192;
constexpr int kPlaces = 200;
constexpr int kStepOfADay = 8;  // every day a part of the places, all of them with YORE_DEEP
constexpr int kSessions = 6;
constexpr int kTurns = 5;

class Mending : public testing::Test {
 protected:
  static std::string uid(int i) { return "5e55-000" + std::to_string(i); }
  static std::string word(int session, int turn) {
    return "heron" + std::string(1, static_cast<char>('a' + session)) +
           std::string(1, static_cast<char>('a' + turn));
  }
  [[nodiscard]] std::string path(int i) const {
    return machine.session_path("-home-ann-code-blog", uid(i));
  }
  // Text that does not pack well, so that the store has many pages.
  static std::string turns(int session, int count) {
    std::mt19937 random(static_cast<unsigned>(session));
    fake::ClaudeLines lines(uid(session));
    std::string text;
    for (int i = 0; i < count; ++i) {
      std::string noise;
      for (int k = 0; k < 1500; ++k) noise += std::to_string(random()) + (k % 9 == 8 ? "\n" : " ");
      text += lines.prompt("about " + word(session, i)) + lines.answer("seen\n" + noise);
    }
    return text;
  }
  // The last three have no transcript any more, and the first has lost two turns to an edition.
  void SetUp() override {
    for (int i = 0; i < kSessions; ++i) machine.write(path(i), turns(i, kTurns));
    machine.index();
    for (int i = kSessions / 2; i < kSessions; ++i) machine.remove(path(i));
    machine.write(path(0), turns(0, kTurns - 2));
    machine.index();
    {
      auto store = machine.store();
      ASSERT_TRUE(store.database().run("PRAGMA wal_checkpoint(TRUNCATE)").ok());
    }
    std::filesystem::copy(machine.data_dir(), whole(), std::filesystem::copy_options::recursive);
    before = answers();
    ASSERT_EQ(before.size(), static_cast<std::size_t>(2 * kSessions * kTurns));
  }
  [[nodiscard]] std::string whole() const { return machine.home() + "/whole"; }
  [[nodiscard]] std::string database() const {
    return store::Store::database_path(machine.data_dir());
  }
  void restore() const {
    std::filesystem::remove_all(machine.data_dir());
    std::filesystem::copy(whole(), machine.data_dir(), std::filesystem::copy_options::recursive);
  }
  void overwrite(std::uint64_t at, std::string_view bytes) const {
    std::fstream file(database(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  // What is found for every word, and what every turn says, as lines.
  std::vector<std::string> answers() {
    service::IndexAccess::Options options;
    options.settings = machine.settings();
    options.world = [this] { return machine.world(); };
    options.rebuild = [this](service::IndexAccess& access) -> Status {
      const auto fresh = access.refresh({}, {}, never);
      return fresh ? Status{} : Status(fresh.error());
    };
    service::IndexAccess access(std::move(options));
    const auto fresh = access.refresh({}, {}, never);
    EXPECT_TRUE(fresh.ok()) << fresh.error().message;
    std::vector<std::string> lines;
    for (int i = 0; i < kSessions; ++i) {
      for (int k = 0; k < kTurns; ++k) {
        search::SearchRequest request;
        request.query = word(i, k);
        const auto found = access.search(request);
        EXPECT_TRUE(found.ok() && found->answer) << (found ? "no index" : found.error().message);
        if (!found || !found->answer) continue;
        for (const auto& hit : found->answer->hits) lines.push_back(word(i, k) + hit.chunk_id);
      }
      for (const std::string& name : {uid(i), uid(i) + "~1"}) {
        const auto read = access.read(name, 0, 100);
        if (!read || !read->answer) continue;
        for (const auto& turn : read->answer->turns) {
          lines.push_back(name + turn.user_text + turn.assistant_text);
        }
      }
    }
    return lines;
  }
  [[nodiscard]] std::optional<store::Mended> mended() const {
    auto store = machine.store();
    return *store::mended(store);
  }
  // Equal answers, or every session that lost something is named.
  void expect_equal_or_named(const std::string& where) {
    const std::vector<std::string> now = answers();
    if (now == before) return;
    const auto told = mended();
    ASSERT_TRUE(told.has_value()) << where;
    for (const std::string& line : before) {
      if (std::ranges::find(now, line) != now.end()) continue;
      const bool named = std::ranges::any_of(told->losses, [&](const store::Loss& loss) {
        const std::string id = loss.uid.substr(0, uid(0).size());
        const int session = id.back() - '0';
        return line.starts_with(id) || line.starts_with(word(session, 0).substr(0, 6));
      });
      EXPECT_TRUE(named || told->unknown) << where << ": " << line.substr(0, 60);
    }
  }

  fake::FakeWorld machine;
  std::atomic<bool> never{false};
  std::vector<std::string> before;
};

TEST_F(Mending, OnePageOverwrittenAtAnyPlaceIsMendedOrNamed) {
  const std::uint64_t pages = std::filesystem::file_size(database()) / kPage;
  std::mt19937 random(7);
  const int step = std::getenv("YORE_DEEP") != nullptr ? 1 : kStepOfADay;
  for (int i = 0; i < kPlaces; i += step) {
    restore();
    std::string noise(kPage, '\0');
    if (i / step % 4 != 3) {
      for (char& c : noise) c = static_cast<char>(random());
    }
    const std::uint64_t page = static_cast<std::uint64_t>(i) * pages / kPlaces;
    overwrite(page * kPage, noise);
    expect_equal_or_named("page " + std::to_string(page));
  }
}

TEST_F(Mending, AStoreCutInHalfNamesWhatIsMissing) {
  std::filesystem::resize_file(database(), std::filesystem::file_size(database()) / 2);
  expect_equal_or_named("cut in half");
  EXPECT_FALSE(mended()->losses.empty());
  EXPECT_TRUE(std::filesystem::exists(store::damaged_path(database())));
  struct stat info {};
  ASSERT_EQ(::stat(store::damaged_path(database()).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(Mending, AnEmptiedStoreNamesEverythingThatHasNoTranscript) {
  std::filesystem::resize_file(database(), 0);
  expect_equal_or_named("emptied");
  EXPECT_EQ(mended()->losses.size(), 4U) << "three sessions and the turns of an edition";
}

TEST_F(Mending, AnEmptiedStoreIsSavedFromItsLog) {
  {
    auto store = machine.store();
    ASSERT_TRUE(store.database().run("PRAGMA wal_autocheckpoint=0; VACUUM").ok());
  }
  ASSERT_GT(std::filesystem::file_size(database() + "-wal"), 0U);
  std::filesystem::resize_file(database(), 0);
  EXPECT_EQ(answers(), before);
  EXPECT_TRUE(mended()->losses.empty());
}

TEST_F(Mending, AGarbageHeaderCostsNothing) {
  overwrite(0, std::string(100, 'x'));
  EXPECT_EQ(answers(), before);
  EXPECT_TRUE(mended()->losses.empty());
}

TEST_F(Mending, AKillBetweenAnyTwoStepsIsMadeUpFor) {
  overwrite(0, std::string(100, 'x'));
  ASSERT_TRUE(*ingest::mend_if_damaged(machine.world(), machine.settings()));
  // As it is after each step of the exchange: the new store waits, the old one is where it was, set
  // aside, or set aside with its log.
  const std::string complete = store::complete_path(database());
  for (const bool old_is_there : {true, false}) {
    std::filesystem::rename(database(), complete);
    if (old_is_there) std::ofstream(database()) << "damaged";
    std::ofstream(database() + "-wal") << "its log";
    std::filesystem::create_directories(machine.data_dir() + "/mending");
    EXPECT_EQ(answers(), before);
    EXPECT_FALSE(std::filesystem::exists(complete));
  }
}

TEST_F(Mending, WhoComesSecondFindsNothingToMend) {
  overwrite(0, std::string(100, 'x'));
  EXPECT_TRUE(*ingest::mend_if_damaged(machine.world(), machine.settings()));
  EXPECT_FALSE(*ingest::mend_if_damaged(machine.world(), machine.settings()));
}

TEST_F(Mending, ForgettingTakesTheDamagedCopyAlong) {
  overwrite(0, std::string(100, 'x'));
  ASSERT_EQ(answers(), before);
  ASSERT_TRUE(std::filesystem::exists(store::damaged_path(database())));
  auto store = machine.store();
  const auto plan = ingest::plan_forgetting(store, {{machine.session(uid(1)).id}, {}});
  ASSERT_TRUE(ingest::forget(machine.world(), machine.settings(), *plan, never).ok());
  EXPECT_FALSE(std::filesystem::exists(store::damaged_path(database())));
}

}  // namespace
}  // namespace yore
