#include "turns/session_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "unit/turns/records.hpp"

namespace yore::turns {
namespace {

using transcript::TitleKind;
using Lines = std::vector<std::string>;

// `count` sentences that differ, about 40 bytes each.
std::string sentences(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "This is sentence number " + std::to_string(i) + " of a long text. ";
  }
  return text;
}

// Passages of the conversation --------------------------------------------------------------------

TEST(SessionBuilder, NumbersTheBlocksOfPromptAndAnswer) {
  const Kept kept = keep({prompt("a"), says("x"), joined("b"), calls("Read", "t", "/f"), says("y"),
                          prompt("c"), says("z")});
  std::vector<std::string> found;
  for (const Passage& passage : kept.sealed) {
    if (passage.surface != Surface::user_prompt && passage.surface != Surface::assistant_text) {
      continue;
    }
    found.push_back(std::to_string(passage.turn) + std::string(surface_name(passage.surface)) +
                    std::to_string(passage.block) + passage.text);
  }
  EXPECT_EQ(found, (Lines{"0user_prompt0a", "0assistant_text0x", "0user_prompt1b",
                          "0assistant_text1y", "1user_prompt0c", "1assistant_text0z"}));
}

TEST(SessionBuilder, MovesTheFinalBlockWithoutRewritingAPassage) {
  SessionBuilder builder;
  Kept kept;
  feed(builder, {prompt("a")});
  kept.apply(builder.take());
  EXPECT_EQ(kept.turns.at(0).assistant_blocks, 0U);
  feed(builder, {says("x")});
  kept.apply(builder.take());
  EXPECT_EQ(kept.turns.at(0).assistant_blocks, 1U);
  feed(builder, {says("y")});
  const Delta last = builder.take();
  ASSERT_EQ(last.sealed.size(), 1U);
  EXPECT_EQ(last.sealed[0].block, 1U);
  ASSERT_EQ(last.turns.size(), 1U);
  EXPECT_EQ(last.turns[0].assistant_blocks, 2U);
}

TEST(SessionBuilder, CutsConversationIntoPassagesOfAboutAThousandBytes) {
  const std::string text = sentences(200);
  const Kept kept = keep({prompt(text), says(text)});
  for (const Surface surface : {Surface::user_prompt, Surface::assistant_text}) {
    const Lines pieces = kept.pieces(0, surface);
    EXPECT_GT(pieces.size(), text.size() / 1400);
    for (const std::string& piece : pieces) EXPECT_LE(piece.size(), 1400U);
    EXPECT_EQ(kept.text(0, surface), text);
  }
}

TEST(SessionBuilder, ContinuesABlockWithWhatALongerSnapshotAdds) {
  const Kept kept =
      keep({prompt("a"), says("The ans").message("m"), says("The answer").message("m")});
  EXPECT_EQ(kept.turns.at(0).assistant_blocks, 1U);
  EXPECT_EQ(kept.text(0, Surface::assistant_text), "The answer");
}

TEST(SessionBuilder, LeavesNoPassageForEmptyText) {
  const Kept kept = keep({prompt(""), says("").message("m"), thinks(""), result("t", "")});
  EXPECT_TRUE(kept.passages().empty());
  EXPECT_EQ(kept.turns.at(0).assistant_blocks, 0U);
}

// Tails -------------------------------------------------------------------------------------------

TEST(SessionBuilder, MergesSmallToolPiecesIntoOneOpenPassage) {
  const Kept kept = keep({prompt("a"), calls("Read", "t", "/f"), result("t", "int x;"), note("n")});
  EXPECT_EQ(kept.pieces(0, Surface::tool), (Lines{"Read\n/f\nint x;\nn"}));
  const auto is_tool = [](const Passage& passage) { return passage.surface == Surface::tool; };
  EXPECT_TRUE(std::ranges::none_of(kept.sealed, is_tool));
  EXPECT_TRUE(std::ranges::any_of(kept.open, is_tool));
}

TEST(SessionBuilder, CutsToolAndThinkingIntoPassagesOfAboutTwoKilobytes) {
  Drafts drafts{prompt("a")};
  for (int i = 0; i < 300; ++i) {
    drafts.push_back(thinks(sentences(1) + std::to_string(i)));
    drafts.push_back(note(sentences(1) + std::to_string(i)));
  }
  const Kept kept = keep(drafts);
  for (const Surface surface : {Surface::tool, Surface::thinking}) {
    const Lines pieces = kept.pieces(0, surface);
    const std::size_t total = kept.text(0, surface).size();
    EXPECT_LE(pieces.size(), total / 1000 + 1) << "small pieces are merged";
    for (const std::string& piece : pieces) EXPECT_LE(piece.size(), 2400U);
    EXPECT_EQ(std::ranges::count(kept.text(0, surface), '\n'), 299);
  }
}

TEST(SessionBuilder, SealsTheTailsWhenATurnCloses) {
  SessionBuilder builder;
  feed(builder, {prompt("a"), thinks("h"), calls("Read", "t", "/f"), says("x")});
  EXPECT_EQ(builder.take().open.size(), 3U);
  feed(builder, {prompt("b")});
  const Delta delta = builder.take();
  EXPECT_TRUE(delta.open.empty());
  Lines surfaces;
  for (const Passage& passage : delta.sealed) {
    surfaces.push_back(std::to_string(passage.turn) + " " +
                       std::string(surface_name(passage.surface)));
  }
  EXPECT_EQ(surfaces, (Lines{"0 tool", "0 thinking", "0 calls", "1 user_prompt"}));
}

TEST(SessionBuilder, ContinuesThinkingWithoutBreakingAWord) {
  const Kept kept = keep({prompt("a"), thinks("Let me th").message("m"),
                          thinks("Let me think").message("m"), thinks("more").message("n")});
  EXPECT_EQ(kept.text(0, Surface::thinking), "Let me think\nmore");
}

TEST(SessionBuilder, NeverSplitsARendering) {
  Draft large = calls("Write", "t", "/f");
  large.parts[0].rendering = R"({"tool":"Write","file":")" + std::string(5000, 'f') + "\"}";
  Drafts drafts{prompt("a"), large};
  for (int i = 0; i < 200; ++i) drafts.push_back(calls("Read", numbered("t", i), "/f"));
  const Kept kept = keep(drafts);
  const Lines pieces = kept.pieces(0, Surface::calls);
  EXPECT_GT(pieces.size(), 2U);
  for (const std::string& piece : pieces) {
    EXPECT_TRUE(piece.starts_with('{'));
    EXPECT_TRUE(piece.ends_with("}\n"));
  }
  EXPECT_EQ(std::ranges::count(kept.text(0, Surface::calls), '\n'), 201);
  EXPECT_TRUE(kept.turns.at(0).has_tool);
}

// Tool results ------------------------------------------------------------------------------------

TEST(SessionBuilder, KeepsAResultUpToTheCapWhole) {
  const std::string text(kResultHeadBytes + kResultTailBytes, 'r');
  EXPECT_EQ(keep({prompt("a"), result("t", text)}).text(0, Surface::tool), text);
}

TEST(SessionBuilder, KeepsHeadAndTailOfALargeResultAndSaysHowMuchIsMissing) {
  const std::string text = std::string(5000, 'h') + std::string(5000, 't');
  EXPECT_EQ(keep({prompt("a"), result("t", text)}).text(0, Surface::tool),
            std::string(kResultHeadBytes, 'h') + "\n[5904 bytes left out]\n" +
                std::string(kResultTailBytes, 't'));
}

TEST(SessionBuilder, CutsALargeResultBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "\xE2\x82\xAC";  // three bytes: neither cut divides evenly
  const std::string kept = keep({prompt("a"), result("t", "x" + text)}).text(0, Surface::tool);
  for (std::size_t at = 0; at < kept.size();) {
    const text::Char found = text::decode_at(kept, at);
    ASSERT_FALSE(found.is_stray()) << at;
    at += found.size_bytes;
  }
  const std::size_t start = kept.find("\n[") + 2;
  const std::size_t missing = std::stoul(kept.substr(start));
  const std::string line = "\n[" + std::to_string(missing) + " bytes left out]\n";
  EXPECT_EQ(kept.size() - line.size() + missing, text.size() + 1);
}

TEST(SessionBuilder, CapsAResultThatCameBeforeAnyTurn) {
  const Kept kept = keep({result("t", std::string(50'000, 'r')), prompt("a")});
  EXPECT_LT(kept.text(0, Surface::tool).size(), 5'000U);
}

TEST(SessionBuilder, PutsOwnOutputWhereNothingSearches) {
  const std::string hits = sentences(80);  // more than one passage
  const Kept kept =
      keep({prompt("a"), calls("Bash", "t1", "yore search x"), result("t1", hits),
            calls("mcp__any__read_turn", "t2", "1"), result("t2", "turn"), result("t3", "other")});
  EXPECT_EQ(kept.text(0, Surface::own), hits + "turn");
  EXPECT_EQ(kept.text(0, Surface::tool), "Bash\nyore search x\nmcp__any__read_turn\n1\nother");
}

// Queued prompts ----------------------------------------------------------------------------------

TEST(SessionBuilder, KeepsAQueuedPromptOpenUntilItIsSettledOrWithdrawn) {
  SessionBuilder builder;
  Kept kept;
  feed(builder, {prompt("a"), queued("b"), joined("c"), prompt("d")});
  kept.apply(builder.take());
  ASSERT_EQ(kept.open.size(), 1U);
  EXPECT_TRUE(same(kept.open[0], {0, Surface::user_prompt, 1, "b"}));
  feed(builder, {prompt("b")});
  kept.apply(builder.take());
  EXPECT_TRUE(kept.open.empty());
  EXPECT_EQ(kept.pieces(0, Surface::user_prompt), (Lines{"a", "c"}));
  EXPECT_EQ(kept.pieces(2, Surface::user_prompt), (Lines{"b"}));
}

TEST(SessionBuilder, SealsTheOldestOfTooManyQueuedPromptsInItsOwnTurn) {
  Drafts drafts{prompt("a"), queued("q0"), prompt("b")};
  for (int i = 1; i <= 64; ++i) drafts.push_back(queued(numbered("q", i)));
  const Kept kept = keep(drafts);
  EXPECT_EQ(kept.open.size(), 64U);
  EXPECT_TRUE(same(kept.sealed.back(), {0, Surface::user_prompt, 1, "q0"}));
}

// Facts -------------------------------------------------------------------------------------------

TEST(SessionBuilder, TakesTheEarliestAndLatestTimeThoughClocksRunBackwards) {
  const Kept kept = keep({prompt("a").at(50), says("x").at(90), says("y").at(20), says("z")});
  EXPECT_EQ(kept.facts.first_time, from_ms(20));
  EXPECT_EQ(kept.facts.last_time, from_ms(90));
  EXPECT_EQ(kept.turns.at(0).first_time, from_ms(50));
  EXPECT_EQ(kept.turns.at(0).last_time, from_ms(90));
}

TEST(SessionBuilder, TakesTheTimeOfATurnFromTheFirstRecordThatHasOne) {
  const Kept kept = keep({prompt("a"), meta().at(5), says("x").at(7), says("y").at(9)});
  EXPECT_EQ(kept.turns.at(0).first_time, from_ms(7));
  EXPECT_EQ(kept.facts.first_time, from_ms(5));
}

TEST(SessionBuilder, RemembersWhatWasSeenLast) {
  const Kept kept =
      keep({meta().cwd("/a").branch("main").version("1").slug("s1"),
            prompt("p").cwd("/b").branch("fix"), says("x").model("small").version("2"),
            prompt("q").cwd("").slug("s2"), says("y").model("big").branch("done")});
  EXPECT_EQ(kept.facts.first_cwd, "/a");
  EXPECT_EQ(kept.facts.cwd, "/b");
  EXPECT_EQ(kept.facts.branch, "done");
  EXPECT_EQ(kept.facts.model, "big");
  EXPECT_EQ(kept.facts.version, "2");
  EXPECT_EQ(kept.facts.slug, "s2");
  EXPECT_EQ(kept.turns.at(0).model, "small");
  EXPECT_EQ(kept.turns.at(0).branch, "fix");
  EXPECT_EQ(kept.turns.at(1).model, "big");
  EXPECT_EQ(kept.turns.at(1).branch, "done");
}

TEST(SessionBuilder, KeepsTheFirstTwoHundredCharactersOfTheFirstPromptOfAPerson) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "ä";
  const Kept kept =
      keep({prompt("poll").automated(), prompt("  "), prompt("\n" + text), prompt("later")});
  EXPECT_EQ(text::count_chars(kept.facts.first_prompt), 200U);
  EXPECT_TRUE(text.starts_with(kept.facts.first_prompt));
}

TEST(SessionBuilder, CountsRecordsTurnsMachineTurnsAndUsage) {
  const Kept kept = keep({prompt("a").automated().key("1"), says("x").usage({1, 2, 3, 4}),
                          prompt("b").key("2"), prompt("b").key("2"), meta()});
  EXPECT_EQ(kept.facts.records, 4U);
  EXPECT_EQ(kept.facts.turn_count, 2U);
  EXPECT_EQ(kept.facts.automated_turns, 1U);
  EXPECT_EQ(kept.facts.usage, (transcript::Usage{1, 2, 3, 4}));
  EXPECT_TRUE(kept.turns.at(0).automated);
  EXPECT_FALSE(kept.turns.at(1).automated);
}

TEST(SessionBuilder, KeepsTheLastTitleOfEachKind) {
  const Kept kept =
      keep({meta().title(TitleKind::custom, "c1"), meta().title(TitleKind::custom, " c2 "),
            meta().title(TitleKind::name, "n"), meta().title(TitleKind::ai, "a"),
            meta().title(TitleKind::index, "i"), meta().title(TitleKind::compaction, "k"),
            meta().title(TitleKind::ai, "  "), meta().title(TitleKind::none, "nothing")});
  EXPECT_EQ(kept.facts.custom_title, "c2");
  EXPECT_EQ(kept.facts.name_title, "n");
  EXPECT_EQ(kept.facts.ai_title, "a");
  EXPECT_EQ(kept.facts.index_title, "i");
  EXPECT_EQ(kept.facts.compaction_title, "k");
  EXPECT_TRUE(kept.leaf_titles.empty());
}

TEST(SessionBuilder, GivesSummariesWithTheLeafTheyBelongTo) {
  SessionBuilder builder;
  feed(builder, {meta().title(TitleKind::summary, "one", "k1")});
  EXPECT_EQ(builder.take().leaf_titles, (std::vector<LeafTitle>{{hash64("k1"), "one", true}}));
  feed(builder, {meta().title(TitleKind::summary, "two", "k2")});
  EXPECT_EQ(builder.take().leaf_titles, (std::vector<LeafTitle>{{hash64("k2"), "two", true}}));
}

TEST(SessionBuilder, HandsOutProblemsAndUnknownThingsOnce) {
  SessionBuilder builder;
  builder.problem(transcript::ProblemKind::oversized, 7);
  builder.unknown("type x");
  builder.unknown("type x");
  const auto problems = builder.take_problems();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].line, 7U);
  EXPECT_EQ(builder.take_unknown(),
            (std::vector<std::pair<std::string, std::uint64_t>>{{"type x", 2}}));
  EXPECT_TRUE(builder.take_problems().empty());
  EXPECT_TRUE(builder.take_unknown().empty());
}

// Turn rows ---------------------------------------------------------------------------------------

TEST(SessionBuilder, SaysWhereATurnBegins) {
  const Kept kept = keep({meta().place(0, 1), prompt("a").place(10, 2), says("x").place(20, 3),
                          prompt("b").place(30, 4)});
  EXPECT_EQ(kept.turns.at(0).offset, 10U);
  EXPECT_EQ(kept.turns.at(0).line, 2U);
  EXPECT_EQ(kept.turns.at(1).offset, 30U);
  EXPECT_EQ(kept.turns.at(1).line, 4U);
}

TEST(SessionBuilder, GivesOnlyTurnsThatGrew) {
  SessionBuilder builder;
  feed(builder, {prompt("a"), prompt("b")});
  EXPECT_EQ(builder.take().turns.size(), 2U);
  EXPECT_TRUE(builder.take().turns.empty());
  feed(builder, {meta().title(TitleKind::ai, "t")});
  EXPECT_TRUE(builder.take().turns.empty());
  feed(builder, {says("x")});
  const Delta delta = builder.take();
  ASSERT_EQ(delta.turns.size(), 1U);
  EXPECT_EQ(delta.turns[0].number, 1U);
}

TEST(SessionBuilder, MarksAbandonedTurnsInOneReadingAndInTwo) {
  const Drafts before{prompt("a").key("1"), says("x").key("2").after("1"),
                      prompt("b").key("3").after("2"), says("y").key("4").after("3")};
  const Draft rewind = prompt("c").key("5").after("2");
  Drafts all = before;
  all.push_back(rewind);
  SessionBuilder at_once;
  feed(at_once, all);
  const Delta delta = at_once.take();
  ASSERT_EQ(delta.turns.size(), 3U);
  EXPECT_FALSE(delta.turns[0].abandoned);
  EXPECT_TRUE(delta.turns[1].abandoned);

  SessionBuilder builder;
  feed(builder, before);
  builder.take();
  feed(builder, {rewind});
  EXPECT_EQ(builder.take().abandoned, (std::vector<TurnNumber>{1}));
}

// Lineage -----------------------------------------------------------------------------------------

TEST(SessionBuilder, GivesAReplayedTurnTheSameOriginAndContent) {
  const Drafts shared{prompt("a").key("1").at(5), says("x").key("2").message("m"),
                      calls("Read", "t", "/f").key("3").message("m")};
  Drafts fork{meta().title(TitleKind::custom, "fork")};
  for (Draft item : shared) fork.push_back(item.cwd("/elsewhere").branch("other").place(99, 9));
  EXPECT_EQ(keep(shared).turns.at(0).origin, keep(fork).turns.at(0).origin);
  EXPECT_EQ(keep(shared).turns.at(0).content, keep(fork).turns.at(0).content);

  fork.push_back(says("but then").key("4"));
  EXPECT_EQ(keep(shared).turns.at(0).origin, keep(fork).turns.at(0).origin);
  EXPECT_NE(keep(shared).turns.at(0).content, keep(fork).turns.at(0).content);
}

TEST(SessionBuilder, TellsTurnsOfDifferentRecordsApart) {
  const Kept kept = keep({prompt("yes").key("1"), prompt("yes").key("2"), prompt("no").key("3")});
  EXPECT_NE(kept.turns.at(0).origin, kept.turns.at(1).origin);
  EXPECT_NE(kept.turns.at(1).origin, kept.turns.at(2).origin);
}

TEST(SessionBuilder, NeverChangesTheOriginOfATurnThatBeganWithoutAPrompt) {
  const Draft start = says("x").key("1");
  EXPECT_EQ(keep({start}).turns.at(0).origin, keep({start, joined("b")}).turns.at(0).origin);
}

// Going on later ----------------------------------------------------------------------------------

TEST(SessionBuilder, CountsPendingBytesUntilTheyAreTaken) {
  SessionBuilder builder;
  EXPECT_EQ(builder.pending_bytes(), 0U);
  feed(builder, {prompt("four"), says("five!")});
  EXPECT_EQ(builder.pending_bytes(), 9U);
  builder.take();
  EXPECT_EQ(builder.pending_bytes(), 0U);
}

TEST(SessionBuilder, GoesOnFromItsState) {
  SessionBuilder first;
  Kept kept;
  feed(first, {prompt("a").key("1"), calls("Read", "t", "/f").key("2"), queued("b")});
  kept.apply(first.take());
  auto second = SessionBuilder::restore(kept.state, kept.keys);
  ASSERT_TRUE(second.ok());
  feed(*second,
       {calls("Read", "t", "/f").key("2"), result("t", "int x;").key("3"), prompt("b").key("4")});
  kept.apply(second->take());
  EXPECT_EQ(kept.text(0, Surface::tool), "Read\n/f\nint x;");
  EXPECT_EQ(kept.text(0, Surface::user_prompt), "a");
  EXPECT_EQ(kept.text(1, Surface::user_prompt), "b");
  EXPECT_EQ(kept.facts.records, 5U);
  EXPECT_TRUE(kept.open.empty());
}

TEST(SessionBuilder, RefusesEveryTruncationOfItsState) {
  SessionBuilder builder;
  feed(builder, {note("n"), prompt("a").key("1").cwd("/w"), thinks("h").message("m"), queued("b"),
                 calls("Bash", "t", "yore list").message("m"), link("2", "1")});
  const Delta delta = builder.take();
  ASSERT_TRUE(SessionBuilder::restore(delta.state, delta.new_keys).ok());
  for (std::size_t size = 0; size < delta.state.size(); ++size) {
    const auto restored = SessionBuilder::restore(delta.state.substr(0, size), delta.new_keys);
    ASSERT_FALSE(restored.ok()) << size;
    EXPECT_EQ(restored.error().code, Errc::corrupt);
  }
  EXPECT_FALSE(SessionBuilder::restore(delta.state + '\0', delta.new_keys).ok());
}

}  // namespace
}  // namespace yore::turns
