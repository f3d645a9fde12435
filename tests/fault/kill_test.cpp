// The program, killed at any moment while it indexes, loses at most what it had not committed: the
// next run ends where a run that was never disturbed ends.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;
using Clock = std::chrono::steady_clock;

constexpr int kFiles = 300;

// A few in every test run, many when that is asked for.
int rounds() {
  const char* asked = std::getenv("YORE_KILL_ROUNDS");
  return asked == nullptr ? 15 : std::max(1, std::atoi(asked));
}

std::string id_of(int number) {
  std::string id = std::to_string(1000 + number % kFiles);
  id.insert(id.begin(), 's');
  return id;
}

// Some hundred small sessions, and one that is read in several steps.
void fill(FakeWorld& world) {
  for (int i = 0; i < kFiles; ++i) {
    const std::string id = id_of(i);
    ClaudeLines lines(id);
    std::string text = lines.prompt("Question " + id) + lines.answer("Answer " + id);
    for (int turn = 0; turn < i % 7; ++turn) {
      text += lines.prompt("More of " + id) + lines.tool_call("Bash", {{"command", "ls " + id}}) +
              lines.tool_result(std::string(400, 'x')) + lines.answer("Done with " + id);
    }
    // Titles that belong elsewhere: names are given when everything has been read.
    text += ClaudeLines::summary("About " + id, id_of(i + 1) + "-1");
    world.write(world.session_path("-home-ann-p" + std::to_string(i % 5), id), text);
  }
  ClaudeLines lines("large");
  std::string text;
  while (text.size() < (18U << 20)) {
    text += lines.prompt("Next, " + std::to_string(text.size())) +
            lines.tool_call("Read", {{"file_path", "/big"}}) +
            lines.tool_result(std::string(60'000, 'z')) + lines.answer("Read it.");
  }
  world.write(world.session_path("-home-ann-p0", "large"), text);
}

std::string state_of(const FakeWorld& world) {
  auto store = world.store();
  EXPECT_EQ(*store.integrity(), "ok");
  EXPECT_EQ(fake::feed_problem(store), "");
  return fake::dump_state(store);
}

using Words = std::vector<std::string>;
const Words kIndex = {YORE_BINARY, "index", "--quiet", "--no-embed"};

pid_t start(const FakeWorld& world, Words words) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  Words settings = {"HOME=" + world.home(), "YORE_DATA_DIR=" + world.data_dir()};
  const auto pointers = [](Words& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  ::execve(YORE_BINARY, pointers(words).data(), pointers(settings).data());
  ::_exit(127);
}

int end_of(pid_t child) {
  int how = 0;
  EXPECT_EQ(::waitpid(child, &how, 0), child);
  return how;
}

void run(const FakeWorld& world, const Words& words = kIndex) {
  const int how = end_of(start(world, words));
  ASSERT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0) << how;
}

// Killed after `delay` unless it ends before.
void run_and_kill(const FakeWorld& world, const Words& words, Clock::duration delay) {
  const pid_t child = start(world, words);
  ASSERT_GE(child, 0);
  std::this_thread::sleep_for(delay);
  ::kill(child, SIGKILL);
  const int how = end_of(child);
  ASSERT_TRUE(WIFSIGNALED(how) || WEXITSTATUS(how) == 0) << "the run failed before it was killed";
}

class Killed : public testing::Test {
 protected:
  void SetUp() override {
    fill(world_);
    world_.set_env("YORE_DATA_DIR", world_.in_home("clean"));
    const auto begin = Clock::now();
    run(world_);
    duration_ = Clock::now() - begin;
    clean_ = state_of(world_);
    ASSERT_NE(clean_.find("session s1299"), std::string::npos);
  }

  // Spread over the time a run takes here.
  Clock::duration some_delay() {
    std::uniform_real_distribution<double> part(0.0, 1.1);
    return std::chrono::duration_cast<Clock::duration>(duration_ * part(random_));
  }

  FakeWorld world_{fake::TempDir::Size::large};
  std::string clean_;
  Clock::duration duration_{};
  std::mt19937 random_{20260301};
};

TEST_F(Killed, FirstRunIsCompletedByTheNext) {
  for (int round = 0; round < rounds(); ++round) {
    world_.set_env("YORE_DATA_DIR", world_.in_home("fresh" + std::to_string(round)));
    run_and_kill(world_, kIndex, some_delay());
    if (round % 3 == 0) run_and_kill(world_, kIndex, some_delay());
    run(world_);
    ASSERT_EQ(state_of(world_), clean_) << "round " << round;
    world_.remove(world_.data_dir());
  }
}

TEST_F(Killed, ForcedRunIsCompletedByAPlainOne) {
  Words force = kIndex;
  force.emplace_back("--force");
  for (int round = 0; round < rounds(); ++round) {
    run_and_kill(world_, force, some_delay());
    run(world_);
    ASSERT_EQ(state_of(world_), clean_) << "round " << round;
  }
}

}  // namespace
}  // namespace yore
