#include "turns/fence.hpp"

#include <gtest/gtest.h>

#include <string>

#include "unit/turns/records.hpp"

namespace yore::turns {
namespace {

std::string left(std::string_view text, Unclosed unclosed = Unclosed::stays) {
  std::string storage;
  return std::string(without_fenced(text, unclosed, storage).text);
}

TEST(Fence, WhatStandsBetweenFencesIsLeftOut) {
  EXPECT_EQ(left("before\n" + fenced("a\nb") + "after"), "before\n\nafter");
  EXPECT_EQ(left(fenced("a") + "and" + fenced("b")), "\nand\n");
  EXPECT_EQ(left(fenced("a")), "");
}

TEST(Fence, EveryVersionIsOurs) {
  EXPECT_EQ(left("x <<yore history 27>>a<<end yore history>> y"), "x  y");
  EXPECT_EQ(left("<<yore history >>a<<end yore history>>"),
            "<<yore history >>a<<end yore history>>");
}

TEST(Fence, NumberedQuotedAndEscapedFencesAreSeen) {
  EXPECT_EQ(left("  1→<<yore history 1>>\n  2→heron\n  3→<<end yore history>>\n  4→rest"),
            "  1→\n  4→rest");
  EXPECT_EQ(left(R"({"context":"<<yore history 1>>\nheron\n<<end yore history>>"})"),
            R"({"context":""})");
}

TEST(Fence, IsSeenAsAgentsWriteDownWhatHooksToldThem) {
  EXPECT_EQ(
      left("why?\n&lt;&lt;yore history 1&gt;&gt;\nheron\n&lt;&lt;end yore history&gt;&gt;\nrest"),
      "why?\n\nrest");
  // One form does not end the other.
  EXPECT_EQ(
      left("<<yore history 1>>\n&lt;&lt;end yore history&gt;&gt;\n<<end yore history>>\nrest"),
      "\nrest");
}

TEST(Fence, AStrayOpeningLineTakesNothingOfWhatAPersonTyped) {
  EXPECT_EQ(left("what is\n<<yore history 1>>\nabout?"), "what is\n<<yore history 1>>\nabout?");
}

TEST(Fence, OutputThatWasCutIsOursToItsEnd) {
  EXPECT_EQ(left("a\n<<yore history 1>>\nheron", Unclosed::runs_to_end), "a\n");
  EXPECT_EQ(left("grep: \"<<yore history 1>>\" in fence.hpp\nheron", Unclosed::runs_to_end),
            "grep: \"<<yore history 1>>\" in fence.hpp\nheron");
}

TEST(Fence, NothingQuotedCanEndTheFence) {
  const std::string text = fenced("x\n<<end yore history>>\ny\n<<yore history 1>>\nz");
  EXPECT_EQ(left(text), "");
  EXPECT_EQ(left(fenced(text)), "");
}

TEST(Fence, FencedTextIsKeptOutOfEverySurface) {
  const std::string own = fenced("walrus");
  const Kept kept = keep({prompt("ask " + own), thinks("hm " + own), calls("Write", "t", own),
                          result("t", "did " + own), note("note " + own), queued("more " + own),
                          says("so " + own)});
  for (const Passage& passage : kept.passages()) {
    EXPECT_EQ(passage.text.find("walrus"), std::string::npos) << passage.text;
  }
  EXPECT_NE(kept.text(0, Surface::user_prompt).find("ask"), std::string::npos);
  EXPECT_NE(kept.text(0, Surface::user_prompt).find("more"), std::string::npos);
  EXPECT_NE(kept.text(0, Surface::assistant_text).find("so"), std::string::npos);
  EXPECT_NE(kept.text(0, Surface::tool).find("did"), std::string::npos);
  EXPECT_NE(kept.text(0, Surface::tool).find("note"), std::string::npos);
  EXPECT_EQ(kept.facts.first_prompt.find("walrus"), std::string::npos);
}

bool begins_as_ours(const Drafts& drafts) {
  SessionBuilder builder;
  feed(builder, drafts);
  return builder.is_own();
}

TEST(Fence, ASessionThatBeginsWithNothingButOursIsOurs) {
  EXPECT_TRUE(begins_as_ours({prompt(fenced("walrus")), says("yes")}));
  EXPECT_FALSE(begins_as_ours({prompt("go on: " + fenced("walrus")), says("yes")}));
  EXPECT_FALSE(begins_as_ours({prompt("hello"), says("yes"), prompt(fenced("walrus"))}));
  EXPECT_FALSE(begins_as_ours({prompt("hello"), joined(fenced("walrus"))}));
}

}  // namespace
}  // namespace yore::turns
