// The edges: limits, file systems that tell only a part, queues that run over, signals.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "base/watch/watch.hpp"
#include "base/watch/watch_parts.hpp"
#include "unit/base/watch_ear.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
using fake::append;
using fake::Directories;
using fake::Ear;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Watcher* rung = nullptr;

TEST_F(Directories, AreWatchedBySomebodyWhomASignalHandlerCanWake) {
  Ear ear;
  rung = &ear.watcher;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { rung->wake(); };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  const pthread_t waiter = ::pthread_self();
  const std::jthread other{[&] { ::pthread_kill(waiter, SIGUSR1); }};
  EXPECT_TRUE(ear.watcher.wait(fake::kPatience, milliseconds{0})->woken);
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

TEST_F(Directories, CostNothingWhileNothingHappens) {
  Ear ear;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(ear.watcher.watch(make_dir("d" + std::to_string(i))).ok());
  }
  struct timespec before {};
  struct timespec after {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  ear.listen(milliseconds{300});
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  const auto spent = seconds{after.tv_sec - before.tv_sec} +
                     std::chrono::nanoseconds{after.tv_nsec - before.tv_nsec};
  EXPECT_LT(spent, milliseconds{30}) << "it slept for 300 ms";
}

TEST_F(Directories, OverTheLimitArePolledAndSaid) {
  WatchOptions options;
  options.most_watches = 2;
  options.poll_interval = milliseconds{5};
  Ear ear{options};
  for (const char* name : {"a", "b"}) ASSERT_TRUE(ear.watcher.watch(make_dir(name)).ok());
  EXPECT_EQ(ear.watcher.describe().reason, "");
  for (const char* name : {"c", "d", "e"}) ASSERT_TRUE(ear.watcher.watch(make_dir(name)).ok());
  WatchState state = ear.watcher.describe();
  EXPECT_EQ(state.watched, 2U);
  EXPECT_EQ(state.polled, 3U);
  EXPECT_EQ(state.reason,
            "the system's limit of file watches is reached (fs.inotify.max_user_watches); "
            "3 folders are looked at every 5 ms");
  for (const char* name : {"a", "c", "e"}) {
    append(in(name) + "/f", "x");
    EXPECT_TRUE(ear.hears_of_file(in(name) + "/f"));
  }

  // When there is room again, the kernel is asked, and nothing gets lost in between.
  ear.watcher.forget(in("a"));
  append(in("c/g"), "x");
  ASSERT_TRUE(ear.watcher.watch(in("c")).ok());
  EXPECT_TRUE(ear.hears_of_file(in("c/g")));
  state = ear.watcher.describe();
  EXPECT_EQ(state.watched, 2U);
  EXPECT_EQ(state.polled, 2U);
}

TEST_F(Directories, OnANetworkAreBothWatchedAndPolled) {
  Ear ear{fake::telling_and_polling()};
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  const WatchState state = ear.watcher.describe();
  EXPECT_EQ(state.watched, 1U);
  EXPECT_EQ(state.polled, 1U);
  EXPECT_EQ(state.reason,
            "the file system (NFS) does not tell of every change; "
            "1 folder is looked at every 5 ms");
}

TEST_F(Directories, ArePolledWhereTheKernelRefusesToTellAtAll) {
  // Room for the two ends of a pipe and nothing more.
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int free = ::dup(STDIN_FILENO);
  ASSERT_GE(free, 0);
  ::close(free);
  struct rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(free) + 2;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  WatchOptions options;
  options.poll_interval = milliseconds{5};
  auto watcher = Watcher::start(options);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);

  ASSERT_TRUE(watcher.ok());
  ASSERT_TRUE(watcher->watch(root()).ok());
  EXPECT_EQ(watcher->describe().watched, 0U);
  EXPECT_NE(watcher->describe().reason.find("max_user_instances"), std::string::npos);
  append(in("f"), "x");
  EXPECT_EQ(watcher->wait(fake::kPatience, milliseconds{0})->files, std::vector{in("f")});
}

TEST_F(Directories, ThatCannotBeReadAreTriedAgain) {
  fs::permissions(root(), fs::perms::owner_all | fs::perms::others_all);
  const std::string closed = make_dir("closed");
  append(in("closed/f"), "x");
  fs::permissions(closed, fs::perms::none);
  const uid_t me = ::geteuid();
  if (me == 0) {  // permissions do not bind root
    ASSERT_EQ(::seteuid(65534), 0);
  }
  WatchOptions options;
  options.poll_interval = milliseconds{5};
  Ear ear{options};
  EXPECT_TRUE(ear.watcher.watch(closed).ok());
  EXPECT_EQ(ear.watcher.describe().polled, 1U);
  ASSERT_EQ(::seteuid(me), 0);
  fs::permissions(closed, fs::perms::all);
  EXPECT_TRUE(ear.hears_of_file(in("closed/f")));
}

TEST_F(Directories, ThatChangeFasterThanAnybodyListensAreSaidToHave) {
  std::size_t queue = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> queue;
  if (queue == 0 || queue > 500'000) GTEST_SKIP() << "no queue to fill";
  Ear ear;
  ASSERT_TRUE(ear.watcher.watch(root()).ok());
  const std::string doomed = make_dir("doomed");
  ASSERT_TRUE(ear.watcher.watch(doomed).ok());
  std::ofstream one(in("one"));
  std::ofstream two(in("two"));
  for (std::size_t i = 0; i < queue; ++i) ((i % 2) != 0U ? one : two) << 'x' << std::flush;
  fs::remove(doomed);  // nobody hears of this
  std::ignore = make_dir("doomed");
  EXPECT_TRUE(ear.listen_until([&] { return ear.overflow; }));
  EXPECT_TRUE(ear.directories.contains(doomed)) << "one that took its place";
  ear.forget_what_was_said();
  ASSERT_TRUE(ear.watcher.watch(doomed).ok());
  append(in("doomed/f"), "x");
  EXPECT_TRUE(ear.hears_of_file(in("doomed/f")));
  EXPECT_FALSE(ear.overflow) << "said once";
}

struct Polled : Directories {
  // Whether the poller notices a new file that leaves no trace in the time of its directory.
  bool notices_hidden(Poller& poller) {
    const auto time = fs::last_write_time(root());
    append(in("hidden"), "x");
    fs::last_write_time(root(), time);
    Collected changes;
    poller.look(root(), changes);
    return changes.files.contains(in("hidden"));
  }
};

TEST_F(Polled, AreListedUntilTheirTimeCanBeTrusted) {
  append(in("f"), "x");
  Poller poller{milliseconds{5}, std::chrono::hours{1}};
  ASSERT_TRUE(poller.add(root(), "").ok());
  Collected changes;
  EXPECT_FALSE(poller.look(root(), changes));
  EXPECT_TRUE(notices_hidden(poller));
}

TEST_F(Polled, AreNotListedForNothing) {
  append(in("f"), "x");
  Poller poller{milliseconds{5}, milliseconds{0}};
  ASSERT_TRUE(poller.add(root(), "").ok());
  Collected changes;
  EXPECT_FALSE(poller.look(root(), changes));
  EXPECT_FALSE(notices_hidden(poller));

  append(in("f"), "x");
  EXPECT_TRUE(poller.look(root(), changes));
  EXPECT_EQ(changes.files, std::set{in("f")});
  append(in("g"), "x");
  EXPECT_TRUE(poller.look(root(), changes));
  EXPECT_EQ(changes.files, (std::set{in("f"), in("g"), in("hidden")}));
}

#ifdef __linux__
TEST(FileSystems, ThatOthersChangeAreKnown) {
  EXPECT_EQ(deaf_file_system(0x6969U), "NFS");
  EXPECT_EQ(deaf_file_system(0xFF534D42U), "SMB");
  EXPECT_EQ(deaf_file_system(0x65735546U), "FUSE");
  EXPECT_EQ(deaf_file_system(0x01021997U), "9p");
  EXPECT_EQ(deaf_file_system(0xEF53U), "") << "ext4";
  EXPECT_EQ(deaf_file_system(0x794C7630U), "") << "overlay";
  EXPECT_EQ(deaf_file_system(0x01021994U), "") << "tmpfs";
  EXPECT_EQ(deaf_file_system(std::string{"/proc"}), "");
}
#endif

}  // namespace
}  // namespace yore
