// Readers answer from the last committed state while a writer works; they never fail and never see
// less than before.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "search/reader.hpp"
#include "service/status.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

// Looks at everything once; the number of turns in the store.
Result<std::uint64_t> look_around(const FakeWorld& world) {
  auto reader = search::Reader::open(world.world(), world.settings(), {});
  if (!reader) return reader.error();
  search::ListFilter all;
  all.limit = 10'000;
  const auto listed = reader->list(all);
  if (!listed) return listed.error();
  std::uint64_t turns = 0;
  for (const store::SessionRow& session : listed->sessions) turns += session.facts.turn_count;
  if (!listed->sessions.empty()) {
    const auto read = reader->read(listed->sessions.front(), 0, 2);
    if (!read) return read.error();
    const auto found = reader->find_session(listed->sessions.back().uid);
    if (!found) return found.error();
  }
  if (const auto status = service::read_status(world.world(), world.settings()); !status) {
    return status.error();
  }
  return turns;
}

TEST(Concurrency, AReaderNeverFailsAndNeverSeesLessWhileARunGoesOn) {
  FakeWorld world;
  std::vector<ClaudeLines> sessions;
  const auto path_of = [&world](const ClaudeLines& lines) {
    return world.session_path("-home-ann-blog", lines.session());
  };
  for (int i = 0; i < 200; ++i) {
    ClaudeLines& lines = sessions.emplace_back(std::to_string(1000 + i));
    world.write(path_of(lines), lines.prompt("first") + lines.answer("yes"));
  }
  std::atomic<bool> done{false};
  std::string failure;
  std::uint64_t looks = 0;
  std::jthread reading([&] {
    std::uint64_t before = 0;
    while (!done) {
      const auto turns = look_around(world);
      const bool too_early = !turns && turns.error().code == Errc::not_found && before == 0;
      if (too_early) continue;
      ++looks;
      if (!turns) failure = turns.error().message;
      if (turns && *turns < before) failure = "turns went away";
      if (turns) before = *turns;
      if (!failure.empty()) return;
    }
  });
  for (int round = 0; round < 10; ++round) {
    const auto report = world.try_index();
    EXPECT_TRUE(report.ok()) << report.error().message;
    for (ClaudeLines& lines : sessions) {
      world.append(path_of(lines), lines.prompt("more") + lines.answer("of it"));
    }
  }
  world.index();
  // The last look sees everything.
  done = true;
  reading.join();
  EXPECT_EQ(failure, "");
  EXPECT_GT(looks, 0U);
  EXPECT_EQ(*look_around(world), 200U * 11U);
}

}  // namespace
}  // namespace yore
