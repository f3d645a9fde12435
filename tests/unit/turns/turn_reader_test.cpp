#include "turns/turn_reader.hpp"

#include <gtest/gtest.h>

#include "unit/turns/records.hpp"

namespace yore::turns {
namespace {

using Lines = std::vector<std::string>;

std::vector<WholeTurn> read(const Drafts& drafts, TurnNumber first = 0, TurnNumber count = 100) {
  TurnReader reader(first, count);
  for (const Draft& item : drafts) {
    item.deliver([&](const transcript::Record& record) { reader.record(record); });
  }
  return reader.take();
}

TEST(TurnReader, ReadsAWholeTurn) {
  const auto turns = read({prompt("a").at(5), thinks("h"), says("x"), calls("Read", "t", "/f"),
                           result("t", "int x;"), joined("b"), says("y").at(9)});
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].number, 0U);
  EXPECT_EQ(turns[0].time, from_ms(5));
  EXPECT_EQ(turns[0].user_text, "a\nb");
  EXPECT_EQ(turns[0].assistant_text, "x\ny");
  EXPECT_EQ(turns[0].tools_used, (Lines{R"({"tool":"Read","id":"t"})"}));
  EXPECT_FALSE(turns[0].abandoned);
}

TEST(TurnReader, KeepsOnlyTheTurnsAskedForAndCountsTheRest) {
  TurnReader reader(1, 2);
  const Drafts drafts{prompt("a"), says("w"), prompt("b"), says("x"),
                      prompt("c"), says("y"), prompt("d"), says("z")};
  for (const Draft& item : drafts) {
    item.deliver([&](const transcript::Record& record) { reader.record(record); });
  }
  EXPECT_EQ(reader.turn_count(), 4U);
  const auto turns = reader.take();
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].user_text + turns[0].assistant_text, "bx");
  EXPECT_EQ(turns[1].user_text + turns[1].assistant_text, "cy");
}

TEST(TurnReader, ReadsNothingBehindTheLastTurn) {
  EXPECT_TRUE(read({prompt("a"), says("x")}, 1, 5).empty());
  EXPECT_TRUE(read({prompt("a"), says("x")}, 0, 0).empty());
  EXPECT_EQ(read({prompt("a"), prompt("b")}, 1, UINT32_MAX).size(), 1U);
}

TEST(TurnReader, ShowsAQueuedPromptOnceWhereItBelongs) {
  const auto turns = read({prompt("a"), queued("b"), queued("c"), says("x"), prompt("b")});
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].user_text, "a\nc");
  EXPECT_EQ(turns[1].user_text, "b");
}

TEST(TurnReader, ContinuesABlockWithALongerSnapshot) {
  const auto turns = read({prompt("a"), says("The ans").message("m"),
                           says("The answer").message("m"), says("Next").message("n")});
  EXPECT_EQ(turns.at(0).assistant_text, "The answer\nNext");
}

TEST(TurnReader, JoinsNoEmptyText) {
  EXPECT_EQ(read({prompt("a"), joined(""), joined("b"), joined("")}).at(0).user_text, "a\nb");
}

TEST(TurnReader, MarksAbandonedTurns) {
  const auto turns = read({prompt("a").key("1"), says("x").key("2").after("1"),
                           prompt("b").key("3").after("2"), prompt("c").key("4").after("2")});
  ASSERT_EQ(turns.size(), 3U);
  EXPECT_FALSE(turns[0].abandoned);
  EXPECT_TRUE(turns[1].abandoned);
  EXPECT_FALSE(turns[2].abandoned);
}

TEST(TurnReader, TakesTheTimeFromTheFirstRecordThatHasOneAndIsNoMetadata) {
  EXPECT_EQ(read({prompt("a"), meta().at(3), says("x").at(5), says("y").at(4)}).at(0).time,
            from_ms(5));
}

TEST(ReadFromPassages, PutsBlocksInOrderWhateverTheOrderTheyWereStoredIn) {
  Turn turn;
  turn.number = 3;
  turn.first_time = from_ms(8);
  turn.abandoned = true;
  const WholeTurn whole =
      read_from_passages(turn, {{3, Surface::user_prompt, 0, "a1 "},
                                {3, Surface::user_prompt, 2, "c"},
                                {3, Surface::user_prompt, 0, "a2"},
                                {2, Surface::user_prompt, 0, "other turn"},
                                {3, Surface::assistant_text, 0, "x"},
                                {3, Surface::assistant_text, 1, "y"},
                                {3, Surface::tool, 0, "never shown"},
                                {3, Surface::own, 0, "never shown"},
                                {3, Surface::thinking, 0, "never shown"},
                                {3, Surface::calls, 0, "{\"tool\":\"A\"}\n{\"tool\":\"B\"}\n"},
                                {3, Surface::calls, 0, "{\"tool\":\"C\"}\n"},
                                {3, Surface::user_prompt, 1, "b"}});
  EXPECT_EQ(whole.number, 3U);
  EXPECT_EQ(whole.time, from_ms(8));
  EXPECT_TRUE(whole.abandoned);
  EXPECT_EQ(whole.user_text, "a1 a2\nb\nc");
  EXPECT_EQ(whole.assistant_text, "x\ny");
  EXPECT_EQ(whole.tools_used, (Lines{"{\"tool\":\"A\"}", "{\"tool\":\"B\"}", "{\"tool\":\"C\"}"}));
}

}  // namespace
}  // namespace yore::turns
