#include "turns/match_turns.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"

namespace yore::turns {
namespace {

using Match = std::vector<std::optional<std::size_t>>;

// A reading whose turns have a prompt and answers; `key` makes the origin.
struct Told {
  std::string key;
  std::vector<std::string> prompts;
  std::vector<std::string> answers;
};

TurnReading reading(const std::vector<Told>& told) {
  TurnReading made;
  for (const Told& each : told) {
    Turn turn;
    turn.number = static_cast<TurnNumber>(made.turns.size());
    turn.origin = hash64(each.key);
    for (const auto* texts : {&each.prompts, &each.answers}) {
      for (const std::string& text : *texts) turn.content = hash64(text, turn.content);
    }
    made.turns.push_back(turn);
  }
  made.said = [told](std::size_t i) { return SaidTurn{told[i].prompts, told[i].answers}; };
  return made;
}

Match match(const std::vector<Told>& earlier, const std::vector<Told>& later) {
  return match_turns(reading(earlier), reading(later));
}

TEST(MatchTurns, EqualReadingsStandForEachOther) {
  const std::vector<Told> turns = {{"a", {"one"}, {"1"}}, {"b", {"two"}, {"2"}}};
  EXPECT_EQ(match(turns, turns), (Match{0, 1}));
}

TEST(MatchTurns, ATurnThatGrewOrWasCompletedStillStands) {
  EXPECT_EQ(match({{"a", {"one"}, {"be"}}}, {{"a", {"one"}, {"begin", "more"}}}), (Match{0}));
  EXPECT_EQ(match({{"a", {"one"}, {}}}, {{"a", {"one", "and queued"}, {"done"}}}), (Match{0}));
}

TEST(MatchTurns, BlocksThatWerePutTogetherStillStand) {
  EXPECT_EQ(match({{"a", {"one"}, {"x", "y"}}}, {{"a", {"one"}, {"x\ny"}}}), (Match{0}));
}

TEST(MatchTurns, ATurnThatWasShortenedOrAnsweredOtherwiseDoesNotStand) {
  EXPECT_EQ(match({{"a", {"one"}, {"x", "y"}}}, {{"a", {"one"}, {"x"}}}), (Match{std::nullopt}));
  EXPECT_EQ(match({{"a", {"one"}, {"x"}}}, {{"a", {"one"}, {"z"}}}), (Match{std::nullopt}));
  EXPECT_EQ(match({{"a", {"one"}, {"x"}}}, {}), (Match{std::nullopt}));
}

TEST(MatchTurns, AMovedTurnIsKnownByItsWordsWhereItsKeyIsAnother) {
  EXPECT_EQ(match({{"a", {"one"}, {"1"}}, {"b", {"two"}, {"2"}}},
                  {{"q", {"new"}, {"0"}}, {"r", {"two"}, {"2"}}, {"s", {"one"}, {"1"}}}),
            (Match{2, 1}));
}

TEST(MatchTurns, TwoEqualTurnsNeedTwoToStandForThem) {
  const Told yes{"", {"yes"}, {"Done."}};
  EXPECT_EQ(match({yes, yes}, {yes}), (Match{0, std::nullopt}));
  EXPECT_EQ(match({yes}, {yes, yes}), (Match{0}));
}

}  // namespace
}  // namespace yore::turns
