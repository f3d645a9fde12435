#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/digest.hpp"
#include "transcript/agents/kimi/text.hpp"
#include "transcript/registry.hpp"

namespace yore::transcript {

namespace {

using kimi::is_compaction;
using kimi::strip_injected;
using kimi::Writer;
using kimi::writer_of;

// The test suite of RFC 1321, and texts around the size of a block.
TEST(Md5, GivesTheKnownSums) {
  EXPECT_EQ(md5_hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_hex("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(md5_hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(md5_hex("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5_hex("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(
      md5_hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
      "57edf4a22be3c955ac49da2e2107b67a");
  EXPECT_EQ(md5_hex(std::string(55, 'x')), "04364420e25c512fd958a70738aa8f72");
  EXPECT_EQ(md5_hex(std::string(56, 'x')), "668a72d5ba17f08e62dabcafad6db14b");
  EXPECT_EQ(md5_hex(std::string(64, 'x')), "c1bb4f81d892b2d57947682aeb252456");
}

TEST(KimiText, LosesWhatWasPutInFrontOfIt) {
  EXPECT_EQ(strip_injected("go on"), "go on");
  EXPECT_EQ(strip_injected("<system>a</system>\n<system-reminder>b</system-reminder> go on"),
            "go on");
  EXPECT_EQ(strip_injected("<git-context>\nBranch: x\n</git-context>\n\nCount"), "Count");
  EXPECT_EQ(strip_injected("<system>only this</system>"), "");
  EXPECT_EQ(strip_injected("<system>never closed"), "<system>never closed");
  EXPECT_EQ(strip_injected("what does <system>x</system> mean?"),
            "what does <system>x</system> mean?");
}

TEST(KimiText, IsByWhomItSaysItIs) {
  EXPECT_EQ(writer_of("", ""), Writer::person);
  EXPECT_EQ(writer_of("user", ""), Writer::person);
  EXPECT_EQ(writer_of("system_trigger", "subagent"), Writer::person);
  EXPECT_EQ(writer_of("system_trigger", "goal_continue"), Writer::machine);
  EXPECT_EQ(writer_of("cron_job", ""), Writer::machine);
  EXPECT_EQ(writer_of("injection", ""), Writer::injected);
  EXPECT_EQ(writer_of("shell_command", "input"), Writer::person);
  EXPECT_EQ(writer_of("shell_command", "output"), Writer::shell_output);
  EXPECT_EQ(writer_of("telepathy", ""), Writer::machine);
  EXPECT_FALSE(kimi::is_known_origin("telepathy"));
}

TEST(KimiText, KnowsASummaryOfWhatWentBefore) {
  EXPECT_TRUE(is_compaction("<system>Previous context has been compacted. Here it is:</system> x"));
  EXPECT_FALSE(is_compaction("Previous context has been compacted"));
}

TEST(Kimi, IsResumedByTheCommandOfTheProgramThatWroteIt) {
  using Words = std::vector<std::string>;
  const Adapter& kimi = *built_in_agents()->find("kimi");
  EXPECT_EQ(kimi.resume("1111-2222"), (Words{"kimi", "--session", "1111-2222"}));
  EXPECT_EQ(kimi.resume("session_1111"), (Words{"kimi", "-S", "session_1111"}));
  EXPECT_EQ(kimi.resume("a b"), Words{});
}

}  // namespace
}  // namespace yore::transcript
