// Every write, sync, truncation and opening that SQLite makes for the record store goes wrong once,
// in every way. Nothing that is not there is claimed, and whoever comes next ends where a run
// without faults ends.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/faulty_vfs.hpp"
#include "support/stepped_world.hpp"

namespace yore::fake {
namespace {

constexpr std::size_t kStoreSteps = 4;    // those that write the store
constexpr std::size_t kMostPerStep = 24;  // calls of a step at which a fault strikes; reads: all

class StoreWriteFault : public testing::TestWithParam<StoreFault> {
 protected:
  // The fault strikes once, or never when `at` is behind the last call; then whoever comes next
  // goes on.
  void check(std::size_t step, std::size_t at, const std::string& expected) {
    const bool is_cut = GetParam() >= StoreFault::power_cut;
    world_.restart();
    vfs_.arm(GetParam(), at);
    const SteppedWorld::Outcome first = world_.run(step, real_file_system());
    if (is_cut) lost_ += vfs_.lose_unsynced();
    vfs_.disarm();
    if (first.is_whole && !is_cut) {
      ASSERT_EQ(world_.observe(), expected) << "claimed";
    } else {
      ASSERT_EQ(world_.ask(), "");
    }
    const SteppedWorld::Outcome second = world_.run(step, real_file_system());
    ASSERT_TRUE(second.status.ok()) << second.status.error().message;
    ASSERT_TRUE(second.is_whole);
    ASSERT_EQ(world_.observe(), expected);
  }

  FaultyVfs vfs_;
  SteppedWorld world_;
  std::size_t lost_ = 0;  // writes
};

TEST_P(StoreWriteFault, AtAnyCallOfAnyStepHealsByDoingTheStepAgain) {
  for (std::size_t step = 0; step < kStoreSteps; ++step) {
    world_.prepare(step);
    vfs_.arm(GetParam(), SIZE_MAX);
    const SteppedWorld::Outcome clean = world_.run(step, real_file_system());
    const std::size_t calls = vfs_.calls();
    vfs_.disarm();
    ASSERT_TRUE(clean.is_whole);
    ASSERT_GT(calls, 5U) << SteppedWorld::name(step);
    const std::string expected = world_.observe();
    const std::size_t stride = GetParam() == StoreFault::misread ? 1 : calls / kMostPerStep + 1;
    std::printf("%s: %zu calls, every %zu.\n", SteppedWorld::name(step), calls, stride);
    // Each kind of fault begins elsewhere, so that together they strike at most calls.
    for (std::size_t at = static_cast<std::size_t>(GetParam()) % stride; at < calls + stride;
         at += stride) {
      check(step, at, expected);
      if (HasFailure()) FAIL() << SteppedWorld::name(step) << ", call " << at << " of " << calls;
    }
    world_.restart();
    ASSERT_TRUE(world_.run(step, real_file_system()).is_whole);
  }
  EXPECT_EQ(lost_ > 0, GetParam() >= StoreFault::power_cut);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, StoreWriteFault, testing::ValuesIn(kStoreFaults));

}  // namespace
}  // namespace yore::fake
