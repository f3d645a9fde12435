#include "turns/tracker.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/turns/records.hpp"

namespace yore::turns {
namespace {

using transcript::Block;
using transcript::Record;
using Lines = std::vector<std::string>;

// Writes every event down as one line.
class EventLog final : public TurnSink {
 public:
  void turn_opened(TurnNumber number, const Record&) override { add("open", number, ""); }
  void user_text(std::string_view text) override { add("user", text); }
  void queued(QueuedId id, std::string_view text) override { add("queued", id, text); }
  void queued_withdrawn(QueuedId id) override { add("withdrawn", id, ""); }
  void queued_settled(QueuedId id) override { add("settled", id, ""); }
  void assistant_text(std::string_view text, bool continues) override {
    add(continues ? "text+" : "text", text);
  }
  void thinking(std::string_view text, bool continues) override {
    add(continues ? "thinking+" : "thinking", text);
  }
  void tool_call(const Block& call) override { add("call", call.tool_name); }
  void tool_result(std::string_view text, std::string_view, bool own) override {
    add(own ? "own" : "result", text);
  }
  void note(std::string_view text) override { add("note", text); }
  void turn_abandoned(TurnNumber number) override { add("abandoned", number, ""); }
  void record_done(const Record&) override { ++done; }

  Lines lines;
  int done = 0;

 private:
  void add(std::string what, std::string_view text) {
    lines.push_back(what.append(" ").append(text));
  }
  void add(std::string what, std::uint32_t id, std::string_view text) {
    what.append(" ").append(std::to_string(id));
    if (!text.empty()) what.append(" ").append(text);
    lines.push_back(what);
  }
};

void feed(TurnTracker& tracker, TurnSink& sink, const Drafts& drafts) {
  for (const Draft& item : drafts) {
    item.deliver([&](const Record& record) { tracker.add(record, sink); });
  }
}

Lines events(const Drafts& drafts) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log, drafts);
  return log.lines;
}

int count(const Lines& lines, std::string_view start) {
  int found = 0;
  for (const std::string& line : lines) found += line.starts_with(start) ? 1 : 0;
  return found;
}

// Prompts -----------------------------------------------------------------------------------------

TEST(Tracker, OpensATurnForEachPromptNumberedFromZero) {
  EXPECT_EQ(events({prompt("a"), says("x"), prompt("b"), prompt("c")}),
            (Lines{"open 0", "user a", "text x", "open 1", "user b", "open 2", "user c"}));
}

TEST(Tracker, JoinsTheTextBlocksOfAPromptWithANewline) {
  EXPECT_EQ(events({prompt("a").with(prompt("b"))}), (Lines{"open 0", "user a\nb"}));
}

TEST(Tracker, PutsAJoinedPromptIntoTheRunningTurn) {
  EXPECT_EQ(events({prompt("a"), joined("b"), says("x")}),
            (Lines{"open 0", "user a", "user b", "text x"}));
}

TEST(Tracker, OpensATurnForAJoinedPromptWhenNoneRuns) {
  EXPECT_EQ(events({joined("a"), says("x")}), (Lines{"open 0", "user a", "text x"}));
}

TEST(Tracker, OpensATurnForAssistantOutputBeforeAnyPrompt) {
  EXPECT_EQ(events({says("x"), says("y"), prompt("a")}),
            (Lines{"open 0", "text x", "text y", "open 1", "user a"}));
}

TEST(Tracker, OpensNoTurnForAnAssistantRecordWithoutBlocks) {
  Draft empty = says("");
  empty.parts.clear();
  EXPECT_EQ(events({empty, prompt("a")}), (Lines{"open 0", "user a"}));
}

TEST(Tracker, IgnoresARecordWhoseKeyWasSeen) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log,
       {prompt("a").key("1"), says("x").key("2"), prompt("a").key("1"), says("x").key("2"),
        says("y").key("3")});
  EXPECT_EQ(log.lines, (Lines{"open 0", "user a", "text x", "text y"}));
  EXPECT_EQ(log.done, 3);
}

TEST(Tracker, TakesEveryRecordWithoutAKey) {
  EXPECT_EQ(events({prompt("a"), prompt("a")}), (Lines{"open 0", "user a", "open 1", "user a"}));
}

// Before any turn ---------------------------------------------------------------------------------

TEST(Tracker, KeepsCommandsAndNotesForTheFirstPrompt) {
  EXPECT_EQ(events({command("/model big"), note("summary"), prompt("a")}),
            (Lines{"open 0", "user a", "note /model big", "note summary"}));
}

TEST(Tracker, MakesThePendingCommandThePromptOfATurnThatAssistantOutputOpens) {
  EXPECT_EQ(events({command("/clear"), command("/init"), note("n"), says("x")}),
            (Lines{"open 0", "user /init", "note /clear", "note n", "text x"}));
}

TEST(Tracker, KeepsTheCommandANoteWhenAJoinedPromptOpensTheTurn) {
  EXPECT_EQ(events({command("/init"), joined("a")}), (Lines{"open 0", "user a", "note /init"}));
}

TEST(Tracker, TakesCommandsAndNotesInsideATurnAsNotes) {
  EXPECT_EQ(events({prompt("a"), command("/cost"), note("n")}),
            (Lines{"open 0", "user a", "note /cost", "note n"}));
}

TEST(Tracker, StillTakesAResultBeforeAnyTurnAsAResult) {
  EXPECT_EQ(events({result("t", "out"), prompt("a")}), (Lines{"open 0", "user a", "result out"}));
}

TEST(Tracker, BoundsWhatWaitsForTheFirstTurn) {
  TurnTracker tracker;
  EventLog log;
  for (int i = 0; i < 100; ++i) feed(tracker, log, {note(std::string(10'000, 'n'))});
  for (int i = 0; i < 10'000; ++i) feed(tracker, log, {result("t", "")});
  EXPECT_LT(tracker.save().size(), 270'000U);
  feed(tracker, log, {prompt("a")});
  EXPECT_EQ(log.lines[0], "open 0");
  EXPECT_EQ(count(log.lines, "note n"), 26);
}

// Queued prompts ----------------------------------------------------------------------------------

TEST(Tracker, LetsAQueuedPromptJoinTheRunningTurn) {
  EXPECT_EQ(events({prompt("a"), queued("b"), says("x"), prompt("c")}),
            (Lines{"open 0", "user a", "queued 0 b", "text x", "open 1", "user c"}));
}

TEST(Tracker, WithdrawsAQueuedPromptThatComesAgainAsAPrompt) {
  EXPECT_EQ(
      events({prompt("a"), queued("b"), says("x"), prompt(" b\n")}),
      (Lines{"open 0", "user a", "queued 0 b", "text x", "withdrawn 0", "open 1", "user  b\n"}));
}

TEST(Tracker, WithdrawsAQueuedPromptThatComesAgainAsAJoinedPrompt) {
  EXPECT_EQ(events({prompt("a"), queued("b"), joined("b")}),
            (Lines{"open 0", "user a", "queued 0 b", "withdrawn 0", "user b"}));
}

TEST(Tracker, WithdrawsQueuedPromptsInAnyOrder) {
  EXPECT_EQ(events({prompt("a"), queued("b"), queued("c"), queued("d"), prompt("c"), joined("d")}),
            (Lines{"open 0", "user a", "queued 0 b", "queued 1 c", "queued 2 d", "withdrawn 1",
                   "open 1", "user c", "withdrawn 2", "user d"}));
}

TEST(Tracker, WithdrawsOneQueuedPromptForEachTimeItsTextComes) {
  EXPECT_EQ(events({prompt("a"), queued("b"), queued("b"), prompt("b"), prompt("b"), prompt("b")}),
            (Lines{"open 0", "user a", "queued 0 b", "queued 1 b", "withdrawn 0", "open 1",
                   "user b", "withdrawn 1", "open 2", "user b", "open 3", "user b"}));
}

TEST(Tracker, KeepsAPromptQueuedBeforeAnyTurnForTheFirstOne) {
  EXPECT_EQ(events({queued("b"), says("x")}), (Lines{"open 0", "queued 0 b", "text x"}));
  EXPECT_EQ(events({queued("b"), prompt("a"), prompt("b")}),
            (Lines{"open 0", "user a", "queued 0 b", "withdrawn 0", "open 1", "user b"}));
}

TEST(Tracker, ForgetsAPromptQueuedBeforeAnyTurnThatOpensTheFirstOne) {
  EXPECT_EQ(events({queued("b"), prompt("b")}), (Lines{"open 0", "user b"}));
  EXPECT_EQ(events({queued("b"), joined("b")}), (Lines{"open 0", "user b"}));
}

TEST(Tracker, SettlesTheOldestOfMoreThanSixtyFourQueuedPrompts) {
  Drafts drafts{prompt("a")};
  for (int i = 0; i < 66; ++i) drafts.push_back(queued(numbered("q", i)));
  drafts.push_back(prompt("q0"));
  drafts.push_back(prompt("q2"));
  const Lines lines = events(drafts);
  EXPECT_EQ(count(lines, "settled"), 2);
  EXPECT_EQ(count(lines, "settled 0"), 1);
  EXPECT_EQ(count(lines, "settled 1"), 1);
  EXPECT_EQ(count(lines, "withdrawn"), 1);
  EXPECT_EQ(count(lines, "withdrawn 2"), 1);
}

// One message over many lines ---------------------------------------------------------------------

TEST(Tracker, ReadsOneMessageOverManyLinesWithResultsBetween) {
  EXPECT_EQ(events({prompt("a"), thinks("hm").message("m"), says("let me look").message("m"),
                    calls("Read", "t1", "/x").message("m"), result("t1", "one"),
                    calls("Read", "t2", "/y").message("m"), result("t2", "two"),
                    says("done").message("m")}),
            (Lines{"open 0", "user a", "thinking hm", "text let me look", "call Read", "result one",
                   "call Read", "result two", "text done"}));
}

TEST(Tracker, TakesABlockRepeatedUnderAnotherKeyOnce) {
  EXPECT_EQ(
      events({prompt("a"), says("x").key("1").message("m"), thinks("h").key("2").message("m"),
              calls("Read", "t", "/x").key("3").message("m"),
              says("x").with(thinks("h")).with(calls("Read", "t", "/x")).key("4").message("m")}),
      (Lines{"open 0", "user a", "text x", "thinking h", "call Read"}));
}

TEST(Tracker, TakesEqualTextOfAnotherMessageAgain) {
  EXPECT_EQ(
      events({prompt("a"), says("x").message("m"), says("x").message("n"), says("x"), says("x")}),
      (Lines{"open 0", "user a", "text x", "text x", "text x", "text x"}));
}

TEST(Tracker, TakesOnlyWhatALongerSnapshotAdds) {
  EXPECT_EQ(events({prompt("a"), thinks("h").message("m"), says("The ans").message("m"),
                    thinks("hm").message("m"), says("The answer").message("m"),
                    says("The answer is 4").message("m"), says("The answer").message("m")}),
            (Lines{"open 0", "user a", "thinking h", "text The ans", "thinking+ m", "text+ wer",
                   "text+  is 4"}));
}

TEST(Tracker, DoesNotContinueALaterBlockWithTheGrowthOfAnEarlierOne) {
  EXPECT_EQ(events({prompt("a"), says("one").message("m"), says("two").message("m"),
                    says("one more").message("m")}),
            (Lines{"open 0", "user a", "text one", "text two", "text  more"}));
  EXPECT_EQ(events({prompt("a"), says("one").message("m"), says("two").message("n"),
                    says("one more").message("m")}),
            (Lines{"open 0", "user a", "text one", "text two", "text  more"}));
}

TEST(Tracker, DoesNotContinueABlockOfAnEarlierTurn) {
  EXPECT_EQ(
      events({prompt("a"), says("one").message("m"), prompt("b"), says("one more").message("m")}),
      (Lines{"open 0", "user a", "text one", "open 1", "user b", "text  more"}));
}

TEST(Tracker, RemembersABoundedNumberOfBlocksOfOneMessage) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log, {prompt("a")});
  for (int i = 0; i < 2'000; ++i) {
    feed(tracker, log, {says(std::to_string(i) + " is a number").message("m")});
  }
  EXPECT_EQ(count(log.lines, "text "), 2'000);
  EXPECT_LT(tracker.save().size(), 6'000U);
}

// Usage -------------------------------------------------------------------------------------------

TEST(Tracker, CountsUsageOncePerMessageWithTheLargestValues) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log,
       {prompt("a"), says("x").message("m").usage({10, 1, 5, 0}),
        says("y").message("m").usage({10, 40, 5, 7}), says("z").message("m").usage({10, 3, 5, 7}),
        says("z").message("n").usage({1, 1, 1, 1}), says("z").usage({100, 0, 0, 0})});
  EXPECT_EQ(tracker.usage(), (transcript::Usage{111, 41, 6, 8}));
}

TEST(Tracker, CountsNoUsageOfARepeatedLine) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log,
       {says("x").key("1").usage({10, 1, 0, 0}), says("x").key("1").usage({10, 1, 0, 0})});
  EXPECT_EQ(tracker.usage(), (transcript::Usage{10, 1, 0, 0}));
}

// Rewinds -----------------------------------------------------------------------------------------

Draft chain_prompt(std::string key, std::string parent) {
  return prompt("p" + key).key(key).after(std::move(parent));
}
Draft chain_answer(std::string key, std::string parent) {
  return says("s" + key).key(key).after(std::move(parent));
}

Lines abandoned(const Drafts& drafts) {
  Lines found;
  for (const std::string& line : events(drafts)) {
    if (line.starts_with("abandoned ")) found.push_back(line.substr(10));
  }
  return found;
}

TEST(Tracker, AbandonsTheOlderOfTwoPromptsThatAnswerTheSameRecord) {
  EXPECT_EQ(abandoned({chain_prompt("1", ""), chain_answer("2", "1"), chain_prompt("3", "2"),
                       chain_answer("4", "3"), chain_prompt("5", "2")}),
            (Lines{"1"}));
}

TEST(Tracker, AbandonsAllThatContinuesTheOlderPrompt) {
  EXPECT_EQ(abandoned({chain_prompt("1", ""), chain_answer("2", "1"), chain_prompt("3", "2"),
                       chain_answer("4", "3"), chain_prompt("5", "4"), chain_prompt("6", "5"),
                       chain_prompt("7", "2")}),
            (Lines{"1", "2", "3"}));
}

TEST(Tracker, LeavesTurnsAloneThatDoNotDescendFromTheOlderPrompt) {
  // Turn 2 goes on from turn 0 past the dead one; turn 3 from turn 1, turn 4 from turn 2.
  EXPECT_EQ(abandoned({chain_prompt("1", ""), chain_answer("2", "1"), chain_answer("3", "2"),
                       chain_prompt("4", "2"), chain_prompt("5", "3"), chain_prompt("6", "4"),
                       chain_prompt("8", "5"), chain_prompt("7", "2")}),
            (Lines{"1", "3"}));
}

TEST(Tracker, AbandonsNothingWhenPromptsFollowEachOther) {
  EXPECT_EQ(abandoned({chain_prompt("1", ""), chain_answer("2", "1"), chain_prompt("3", "2"),
                       chain_prompt("4", "3"), prompt("x"), prompt("y"), chain_prompt("5", "")}),
            Lines{});
}

TEST(Tracker, FindsSiblingPromptsThroughStructuralRecords) {
  const Drafts start{chain_prompt("1", ""), chain_answer("2", "1")};
  const auto with = [&](const Drafts& rest) {
    Drafts all = start;
    all.insert(all.end(), rest.begin(), rest.end());
    return abandoned(all);
  };
  EXPECT_EQ(with({link("s", "2"), chain_prompt("3", "s"), chain_prompt("4", "2")}), (Lines{"1"}));
  EXPECT_EQ(with({chain_prompt("3", "2"), link("s", "2"), chain_prompt("4", "s")}), (Lines{"1"}));
  EXPECT_EQ(with({link("s", "2"), link("t", "s"), chain_prompt("3", "t"), link("u", "2"),
                  chain_prompt("4", "u")}),
            (Lines{"1"}));
}

TEST(Tracker, AbandonsTheLatestSiblingWhicheverWayItWasReached) {
  EXPECT_EQ(abandoned({chain_prompt("1", ""), chain_answer("2", "1"), link("s", "2"),
                       chain_prompt("3", "s"), chain_prompt("4", "2"), chain_prompt("5", "s")}),
            (Lines{"1", "2"}));
}

TEST(Tracker, AbandonsAgainAndAgain) {
  EXPECT_EQ(abandoned({chain_prompt("1", ""), chain_answer("2", "1"), chain_prompt("3", "2"),
                       chain_prompt("4", "2"), chain_prompt("5", "2")}),
            (Lines{"1", "2"}));
}

TEST(Tracker, SurvivesARecordThatAnswersItself) {
  EXPECT_EQ(abandoned({chain_prompt("1", "1"), chain_prompt("2", "2"), link("s", "s"),
                       chain_prompt("3", "s")}),
            Lines{});
}

// Sidechains --------------------------------------------------------------------------------------

TEST(Tracker, TakesSidechainRecordsAsWorkOfTheTurnNotAsPromptOrAnswer) {
  EXPECT_EQ(
      events({prompt("a"), prompt("do this").sidechain(), says("found it").sidechain(), says("x")}),
      (Lines{"open 0", "user a", "note found it", "text x"}));
}

TEST(Tracker, OpensNoTurnForSidechainRecords) {
  EXPECT_EQ(events({prompt("a").sidechain(), says("x").sidechain(), result("t", "r").sidechain()}),
            Lines{});
}

TEST(Tracker, CapsAndSortsOutputOfSidechainToolsLikeAnyOther) {
  EXPECT_EQ(events({prompt("a"), calls("Bash", "t1", "yore search x").sidechain(),
                    result("t1", "hits").sidechain(), result("t2", "plain").sidechain()}),
            (Lines{"open 0", "user a", "note yore search x", "own hits", "result plain"}));
}

// Own output --------------------------------------------------------------------------------------

TEST(Tracker, MarksResultsOfCallsThatRunYoreAsOwn) {
  EXPECT_EQ(events({prompt("a"), calls("mcp__past__search_conversations", "t1", "parser"),
                    calls("Bash", "t2", "cd /x && yore list | head"), calls("Bash", "t3", "ls"),
                    result("t3", "c"), result("t2", "b"), result("t1", "a"), result("t4", "d")}),
            (Lines{"open 0", "user a", "call mcp__past__search_conversations", "call Bash",
                   "call Bash", "result c", "own b", "own a", "result d"}));
}

TEST(Tracker, MarksTheOutputOfATypedShellCommandThatRunsYoreAsOwn) {
  EXPECT_EQ(events({prompt("! yore search x"), result("", "hits"), prompt("! ls"), result("", "f"),
                    prompt("yore is nice"), result("", "g")}),
            (Lines{"open 0", "user ! yore search x", "own hits", "open 1", "user ! ls", "result f",
                   "open 2", "user yore is nice", "result g"}));
}

// Going on later ----------------------------------------------------------------------------------

// The same records with the tracker saved and restored between any two of them.
Lines events_with_restores(const Drafts& drafts) {
  TurnTracker tracker;
  EventLog log;
  std::string keys;
  for (const Draft& item : drafts) {
    feed(tracker, log, {item});
    keys += tracker.take_new_keys();
    auto restored = TurnTracker::restore(tracker.save(), keys);
    if (!restored) return {"damaged"};
    tracker = std::move(*restored);
  }
  return log.lines;
}

TEST(Tracker, GoesOnAfterARestoreAsIfNothingHappened) {
  const Drafts drafts{note("n"),
                      command("/c"),
                      queued("q1"),
                      says("x").key("1").message("m").usage({5, 5, 5, 5}),
                      says("xy").key("2").message("m"),
                      queued("q2"),
                      calls("Bash", "t", "yore list").key("3").message("m"),
                      result("t", "r").key("4"),
                      link("5", "4"),
                      prompt("q2").key("6").after("5"),
                      says("z").key("7").after("6").message("n"),
                      prompt("! yore x").key("8").after("7"),
                      result("", "own").key("9"),
                      says("z").key("7").after("6").message("n"),
                      says("z").key("10").message("n"),
                      prompt("q1").key("11").after("4")};
  EXPECT_EQ(events_with_restores(drafts), events(drafts));
}

TEST(Tracker, RefusesAStateThatIsCutShortOrTooLong) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log, {prompt("a").key("1"), queued("b"), says("x").key("2").message("m")});
  const std::string keys = tracker.take_new_keys();
  const std::string saved = tracker.save();
  ASSERT_TRUE(TurnTracker::restore(saved, keys).ok());
  for (std::size_t size = 0; size < saved.size(); ++size) {
    EXPECT_FALSE(TurnTracker::restore(saved.substr(0, size), keys).ok()) << size;
  }
  EXPECT_FALSE(TurnTracker::restore(saved + "x", keys).ok());
  EXPECT_FALSE(TurnTracker::restore(saved, keys.substr(1)).ok());
}

TEST(Tracker, HandsOutEachNewKeyOnce) {
  TurnTracker tracker;
  EventLog log;
  feed(tracker, log, {prompt("a").key("1"), says("x").key("2"), says("x").key("2"), says("y")});
  EXPECT_EQ(tracker.take_new_keys().size(), 16U);
  EXPECT_EQ(tracker.take_new_keys(), "");
}

}  // namespace
}  // namespace yore::turns
