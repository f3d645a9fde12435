// Every call to the file system that index, merge, publish and embed make goes wrong once, in every
// way. Nothing that is not there is claimed, a search goes on, and whoever comes next ends where a
// run without faults ends.
#include <gtest/gtest.h>

#include "support/faulty_file_system.hpp"
#include "support/stepped_world.hpp"

namespace yore::fake {
namespace {

class WriteFault : public testing::TestWithParam<Fault> {
 protected:
  // The fault strikes once; then whoever comes next goes on.
  void check(std::size_t step, std::size_t at, const std::string& expected) {
    const Fault fault = GetParam();
    const bool is_silent = fault == Fault::lose;
    world_.restart();
    const FaultyFileSystem faulty(fault, at);
    const SteppedWorld::Outcome first = world_.run(step, faulty);
    ASSERT_TRUE(faulty.has_struck());
    if (fault == Fault::shorten) {
      ASSERT_TRUE(first.status.ok()) << first.status.error().message;
    }
    if (first.is_whole && !is_silent) {
      ASSERT_EQ(world_.observe(), expected) << "claimed";
    } else {
      ASSERT_EQ(world_.ask(), "");
    }

    const FileSystem& rest = fault == Fault::crash ? real_file_system() : faulty;
    SteppedWorld::Outcome second = world_.run(step, rest);
    if (is_silent && world_.mend()) {
      ASSERT_TRUE(world_.ask().empty());
      second = world_.run(step, rest);
    }
    ASSERT_TRUE(second.status.ok()) << second.status.error().message;
    ASSERT_TRUE(second.is_whole);
    ASSERT_EQ(world_.observe(), expected);
    ASSERT_EQ(world_.leftovers(), std::vector<std::string>{});
  }

  SteppedWorld world_;
};

TEST_P(WriteFault, AtAnyCallOfAnyStepHealsByDoingTheStepAgain) {
  for (std::size_t step = 0; step < SteppedWorld::steps(); ++step) {
    world_.prepare(step);
    const FaultyFileSystem counting;
    const SteppedWorld::Outcome clean = world_.run(step, counting);
    ASSERT_TRUE(clean.status.ok()) << clean.status.error().message;
    ASSERT_TRUE(clean.is_whole);
    const std::string expected = world_.observe();
    ASSERT_GT(counting.calls(), 5U) << SteppedWorld::name(step);
    for (std::size_t at = 0; at < counting.calls(); ++at) {
      if (!counting.matters(GetParam(), at)) continue;
      check(step, at, expected);
      if (HasFailure()) {
        FAIL() << SteppedWorld::name(step) << ", call " << at << " of " << counting.calls();
      }
    }
    world_.restart();
    ASSERT_TRUE(world_.run(step, real_file_system()).is_whole);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, WriteFault, testing::ValuesIn(kFaults));

}  // namespace
}  // namespace yore::fake
