// every_fault.hpp — lets every call that a writer makes go wrong once, in every way.
//
// A Scenario has a directory of its own and
//   Status run(const FileSystem&)           writes all that is still missing; the first failure
//   ends it Status run_again(const FileSystem&, bool may_be_damaged)    as whoever comes next does
//   AssertionResult reader_is_safe(bool may_be_damaged) const   what somebody who reads now finds
//   void expect_like_a_clean_build() const
#pragma once

#include <gtest/gtest.h>

#include "support/faulty_file_system.hpp"

namespace yore::fake {

template <typename Scenario>
std::size_t calls_of_a_clean_run() {
  const FaultyFileSystem files;
  Scenario scenario;
  EXPECT_TRUE(scenario.run(files).ok());
  scenario.expect_like_a_clean_build();
  return files.calls();
}

// The fault strikes once; then whoever comes next goes on.
template <typename Scenario>
void check_fault(Fault fault, std::size_t at) {
  const FaultyFileSystem faulty(fault, at);
  Scenario scenario;
  const bool is_silent = fault == Fault::lose;
  const Status first = scenario.run(faulty);
  ASSERT_TRUE(faulty.has_struck());
  ASSERT_TRUE(fault != Fault::shorten || first.ok());
  ASSERT_TRUE(scenario.reader_is_safe(is_silent));
  const FileSystem& rest = fault == Fault::crash ? real_file_system() : faulty;
  const Status second = scenario.run_again(rest, is_silent);
  ASSERT_TRUE(second.ok()) << second.error().message;
  scenario.expect_like_a_clean_build();
}

// `least`: fewer calls than these would prove nothing.
template <typename Scenario>
void check_every_call(Fault fault, std::size_t least) {
  const std::size_t calls = calls_of_a_clean_run<Scenario>();
  ASSERT_GT(calls, least);
  for (std::size_t at = 0; at < calls; ++at) {
    check_fault<Scenario>(fault, at);
    if (testing::Test::HasFailure()) FAIL() << "at call " << at << " of " << calls;
  }
}

}  // namespace yore::fake
