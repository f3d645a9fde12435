// What holds for the caller whoever tells: the kernel, polling or both.
#include "base/watch/watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "unit/base/watch_ear.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
using fake::append;
using fake::Directories;
using fake::Ear;
using std::chrono::milliseconds;
using std::chrono::seconds;

// What holds whoever tells.
struct Teller {
  const char* name;
  WatchOptions (*options)();
};

std::string name_of(const testing::TestParamInfo<Teller>& tested) {
  return tested.param.name;
}

struct Watching : Directories, testing::WithParamInterface<Teller> {
  Ear ear{GetParam().options()};
};

INSTANTIATE_TEST_SUITE_P(, Watching,
                         testing::Values(Teller{"Kernel", &fake::telling},
                                         Teller{"Polling", &fake::polling},
                                         Teller{"Both", &fake::telling_and_polling}),
                         &name_of);

TEST_P(Watching, TellsOfFilesThatComeGrowShrinkMoveAndGo) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  append(in("a"), "one");
  EXPECT_TRUE(ear.hears_of_file(in("a")));
  ear.forget_what_was_said();
  append(in("a"), "two");
  EXPECT_TRUE(ear.hears_of_file(in("a")));
  ear.forget_what_was_said();
  fs::resize_file(in("a"), 1);
  EXPECT_TRUE(ear.hears_of_file(in("a")));
  ear.forget_what_was_said();
  fs::rename(in("a"), in("b"));
  EXPECT_TRUE(ear.hears_of_file(in("a")));
  EXPECT_TRUE(ear.hears_of_file(in("b")));
  ear.forget_what_was_said();
  fs::remove(in("b"));
  EXPECT_TRUE(ear.hears_of_file(in("b")));
  EXPECT_TRUE(ear.directories.empty());
  EXPECT_FALSE(ear.overflow);
}

TEST_P(Watching, SaysNothingOfWhatWasThereBefore) {
  append(in("old"), "x");
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  append(in("new"), "x");
  ASSERT_TRUE(ear.hears_of_file(in("new")));
  EXPECT_EQ(ear.files, std::set{in("new")});
}

TEST_P(Watching, TellsOfSubDirectoriesButNotWhatHappensInThem) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  const std::string sub = make_dir("sub");
  EXPECT_TRUE(ear.hears_of_directory(sub));
  append(in("sub/f"), "x");
  append(in("f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("f")));
  EXPECT_EQ(ear.files, std::set{in("f")});
  ear.forget_what_was_said();
  fs::remove_all(sub);
  EXPECT_TRUE(ear.hears_of_directory(sub));
}

TEST_P(Watching, TellsOfAWatchedDirectoryThatIsGoneAndThenAlsoOfItsSuccessor) {
  const std::string sub = make_dir("sub");
  ASSERT_TRUE(ear.watcher.watch(sub).ok());
  fs::remove(sub);
  EXPECT_TRUE(ear.hears_of_directory(sub));
  EXPECT_TRUE(ear.listen_until([&] {  // both have noticed
    const WatchState state = ear.watcher.describe();
    return state.watched + state.polled == 0;
  }));
  EXPECT_EQ(ear.watcher.watch(sub).error().code, Errc::not_found);

  std::ignore = make_dir("sub");
  ASSERT_TRUE(ear.watcher.watch(sub).ok());
  append(in("sub/f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("sub/f")));
}

TEST_P(Watching, WatchesWhatTookThePlaceOfADirectory) {
  const std::string sub = make_dir("sub");
  ASSERT_TRUE(ear.watcher.watch(sub).ok());
  fs::rename(sub, in("aside"));
  std::ignore = make_dir("sub");
  ASSERT_TRUE(ear.watcher.watch(sub).ok());
  append(in("aside/g"), "x");
  append(in("sub/f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("sub/f")));
  EXPECT_EQ(ear.files, std::set{in("sub/f")}) << "the old one is not at that path";
}

TEST_P(Watching, WatchesWhereALinkLeadsNow) {
  for (const char* name : {"one", "two", "links"}) std::ignore = make_dir(name);
  fs::create_directory_symlink(in("one"), in("links/link"));
  ASSERT_TRUE(ear.watcher.watch(in("links/link")).ok());
  fs::remove(in("links/link"));
  fs::create_directory_symlink(in("two"), in("links/link"));
  ASSERT_TRUE(ear.watcher.watch(in("links/link")).ok());
  append(in("one/f"), "x");
  append(in("two/g"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("links/link/g")));
  EXPECT_FALSE(ear.files.contains(in("links/link/f")));
}

TEST_P(Watching, LetsGoOfWhatALinkNoLongerLeadsTo) {
  for (const char* name : {"one/inner", "two/inner"}) std::ignore = make_dir(name);
  fs::create_directory_symlink(in("one"), in("link"));
  for (const std::string& path : {root(), in("link/inner")}) {
    ASSERT_TRUE(ear.watcher.watch(path).ok());
  }
  fs::create_directory_symlink(in("two"), in("link.new"));
  fs::rename(in("link.new"), in("link"));
  EXPECT_TRUE(ear.hears_of_directory(in("link")));
  append(in("one/inner/f"), "x");
  append(in("later"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("later")));
  ASSERT_TRUE(ear.watcher.watch(in("link/inner")).ok());
  append(in("two/inner/g"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("link/inner/g")));
  EXPECT_FALSE(ear.files.contains(in("link/inner/f")));
}

TEST_P(Watching, LetsGoOfADirectoryWhoseParentMovesUnwatched) {
  const std::string inner = make_dir("a/b");
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  ASSERT_TRUE(ear.watcher.watch(inner).ok());
  fs::rename(in("a"), in("z"));
  for (const std::string& path : {in("a"), inner, in("z")}) {
    EXPECT_TRUE(ear.hears_of_directory(path)) << path;
  }
}

TEST_P(Watching, LetsGoOfEverythingBelowADirectoryThatMoves) {
  const std::string inner = make_dir("a/b");
  for (const std::string& path : {root(), in("a"), inner}) {
    ASSERT_TRUE(ear.watcher.watch(path).ok());
  }
  fs::rename(in("a"), in("z"));
  for (const std::string& path : {in("a"), inner, in("z")}) {
    EXPECT_TRUE(ear.hears_of_directory(path)) << path;
  }
  ASSERT_TRUE(ear.watcher.watch(in("z/b")).ok());
  append(in("z/b/f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("z/b/f")));
  EXPECT_EQ(ear.files, std::set{in("z/b/f")}) << "nothing under the old name";
}

TEST_P(Watching, TellsUnderEveryPathThatLeadsToADirectory) {
  const std::string real = make_dir("real");
  fs::create_directory_symlink(real, in("link"));
  ASSERT_TRUE(ear.watcher.watch(real).ok());
  ASSERT_TRUE(ear.watcher.watch(in("link")).ok());
  append(in("real/f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("real/f")));
  EXPECT_TRUE(ear.hears_of_file(in("link/f")));

  ear.watcher.forget(real);
  append(in("real/g"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("link/g")));
  EXPECT_FALSE(ear.files.contains(in("real/g")));
}

TEST_P(Watching, TakesALinkForWhatItLeadsTo) {
  const std::string far = make_dir("elsewhere/far");
  const std::string here = make_dir("here");
  ASSERT_TRUE(ear.watcher.watch(here).ok());
  fs::create_directory_symlink(far, in("here/link"));
  EXPECT_TRUE(ear.hears_of_directory(in("here/link")));
}

TEST_P(Watching, KeepsNamesAsTheyAre) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  const std::string longest(255, 'n');
  for (const std::string& name : {std::string{"\xff\xfe"}, std::string{"a\nb"}, longest}) {
    append(in(name), "x");
    EXPECT_TRUE(ear.hears_of_file(in(name)));
  }
}

TEST_P(Watching, CanBeAskedTwiceAndForgets) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  ASSERT_TRUE(ear.watcher.watch(root() + "/").ok());
  const std::string other = make_dir("other");
  ASSERT_TRUE(ear.watcher.watch(other).ok());
  ear.watcher.forget(other);
  ear.watcher.forget(other);
  append(in("other/f"), "x");
  append(in("f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("f")));
  EXPECT_EQ(ear.files, std::set{in("f")});
}

TEST_P(Watching, WatchesDirectoriesOnly) {
  append(in("f"), "x");
  EXPECT_EQ(ear.watcher.watch(in("f")).error().code, Errc::not_found);
  EXPECT_EQ(ear.watcher.watch(in("nowhere")).error().code, Errc::not_found);
  const WatchState state = ear.watcher.describe();
  EXPECT_EQ(state.watched + state.polled, 0U);
}

TEST_P(Watching, ThenLookingMissesNothingWhileSomebodyCreates) {
  constexpr int kDirectories = 20;
  constexpr int kFiles = 20;
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  std::set<std::string> expected;
  for (int d = 0; d < kDirectories; ++d) {
    for (int f = 0; f < kFiles; ++f) {
      expected.insert(in("d" + std::to_string(d) + "/deep/f" + std::to_string(f)));
    }
  }
  const std::jthread creator{[&] {
    for (const std::string& path : expected) {
      fs::create_directories(fs::path(path).parent_path());
      append(path, "x");
    }
  }};
  std::set<std::string> found;
  const std::function<void(const std::string&)> take_in = [&](const std::string& directory) {
    if (!ear.watcher.watch(directory)) return;
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.is_directory()) {
        take_in(entry.path());
      } else {
        found.insert(entry.path());
      }
    }
  };
  EXPECT_TRUE(ear.listen_until([&] {
    for (const std::string& directory : std::exchange(ear.directories, {})) take_in(directory);
    found.merge(ear.files);
    return found.size() >= expected.size();
  }));
  EXPECT_EQ(found, expected);
}

TEST_P(Watching, DeliversABatchWhileSomebodyWritesWithoutEnd) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  std::atomic<bool> delivered = false;
  std::atomic<bool> gave_up = false;
  const std::jthread writer{[&] {
    const auto limit = std::chrono::steady_clock::now() + fake::kPatience;
    while (!delivered && !gave_up) {
      append(in("busy"), "x");
      gave_up = std::chrono::steady_clock::now() > limit;
    }
  }};
  const auto changes = ear.watcher.wait(milliseconds{-1}, milliseconds{20});
  delivered = true;
  EXPECT_FALSE(gave_up);
  EXPECT_EQ(changes->files, std::vector{in("busy")});
}

TEST_P(Watching, ReturnsEmptyHandedWhenNothingHappens) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  const auto changes = ear.watcher.wait(milliseconds{20}, milliseconds{5});
  ASSERT_TRUE(changes.ok());
  EXPECT_TRUE(changes->none());
  EXPECT_FALSE(changes->woken);
}

TEST_P(Watching, IsWokenFromAnotherThread) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  const std::jthread other{[&] { ear.watcher.wake(); }};
  const auto changes = ear.watcher.wait(milliseconds{-1}, milliseconds{0});
  ASSERT_TRUE(changes.ok());
  EXPECT_TRUE(changes->woken);
  EXPECT_TRUE(changes->none());
}

TEST_P(Watching, IsWokenOnceByAllWakesBefore) {
  for (int i = 0; i < 100'000; ++i) ear.watcher.wake();  // more than a pipe holds
  EXPECT_TRUE(ear.watcher.wait(milliseconds{-1}, milliseconds{0})->woken);
  EXPECT_FALSE(ear.watcher.wait(milliseconds{0}, milliseconds{0})->woken);
}

TEST_P(Watching, KeepsWhatItCollectedWhenWoken) {
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  append(in("f"), "x");
  const std::jthread other{[&] { ear.watcher.wake(); }};
  bool woken = false;
  EXPECT_TRUE(ear.listen_until([&] {
    auto changes = ear.watcher.wait(milliseconds{1000}, seconds{60});
    woken |= changes->woken;
    ear.files.insert(changes->files.begin(), changes->files.end());
    return woken || !ear.files.empty();
  }));
  EXPECT_TRUE(ear.hears_of_file(in("f")));
}

}  // namespace
}  // namespace yore
