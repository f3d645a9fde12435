// The central promise of the write path: whatever happened to the files between runs, the store
// says in the end what a clean store over the files present says, and it keeps what it had read of
// sessions whose files are gone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "property/machine.hpp"

namespace yore {
namespace {

using namespace machine;  // NOLINT: this test is about nothing else

RC_GTEST_PROP(Index, EqualsACleanBuildAfterAnythingThatHappensToFiles, ()) {
  const auto events = *rc::gen::container<std::vector<Event>>(any_event());
  Machine machine;
  for (const Event& event : events) machine.apply(event);
  machine.index();
  const std::string state = machine.state();
  RC_ASSERT(machine.feed_problem() == "");
  RC_ASSERT(state == machine.clean_state());
}

TEST(IndexScripts, HoldEverySortOfLine) {
  FakeWorld world;
  world.write(world.session_path(kDirectories[0], kSessions[1]), script_of(kSessions[1], 0));
  world.index();
  auto store = world.store();
  const std::string state = fake::dump_state(store);
  for (const char* part :
       {"thinking", "tool", "problem", "unknown", "leaf", "abandoned", "Fixing"}) {
    EXPECT_NE(state.find(part), std::string::npos) << part << " in\n" << state;
  }
}

}  // namespace
}  // namespace yore
