// What a search finds: the query language, filters, copies, freshness.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

class Search : public SearchBox {};

TEST_F(Search, EveryResultLeadsToItsPlace) {
  write_three();
  const auto json =
      box_.run({"search", "empty OR cart feed wishlist", "--json", "-n", "20"}).json();
  ASSERT_GE(json["results"].size(), 3U);
  for (const auto& hit : json["results"]) {
    EXPECT_TRUE(std::filesystem::exists(hit["session_path"].get<std::string>()));
    const auto chunk = box_.run({"chunk", hit["chunk_id"], "--json"}).json();
    EXPECT_EQ(chunk["session_id"], hit["session_id"]);
    EXPECT_EQ(chunk["turn_number"], hit["turn_number"]);
  }
}

TEST_F(Search, TheSameQuestionGetsTheSameAnswer) {
  write_three();
  const Texts args = {"search", "empty", "cart", "feed", "--json", "-n", "20"};
  auto first = box_.run(args).json();
  for (int i = 0; i < 3; ++i) {
    auto again = box_.run(args).json();
    again["search_time_ms"] = first["search_time_ms"];
    EXPECT_EQ(again, first);
  }
}

TEST_F(Search, KnowsTheQueryLanguage) {
  write_three();
  EXPECT_EQ(found({"cart"}), Texts{kSecond});
  EXPECT_EQ(found({"\"cart empty\""}), Texts{kSecond});
  EXPECT_EQ(found({"\"empty cart\"", "--surface", "user_prompt"}), Texts{});
  EXPECT_EQ(found({"empty -feed"}), Texts{kSecond});
  EXPECT_EQ(found({"--", "empty", "-feed"}), Texts{kSecond});
  EXPECT_EQ(found({"+wishlist", "cart", "empty"}), Texts{kThird});
  EXPECT_EQ(found({"wishl*"}), Texts{kThird});
  EXPECT_EQ(found({"parse_wish_list"}), Texts{kThird});
  EXPECT_EQ(found({"empty project:BLOG"}), Texts{kFirst});
  EXPECT_EQ(found({"empty", "session:2b3c"}), Texts{kSecond});
  EXPECT_EQ(found({"empty branch:atom"}), Texts{kFirst});
  EXPECT_EQ(found({"empty file:feed.py"}), Texts{kFirst});
  EXPECT_EQ(found({"empty tool:bash"}), Texts{kSecond});
  EXPECT_EQ(found({"wishlist has:tool"}), Texts{});
  EXPECT_EQ(found({"is", "the"}).size(), 2U) << "only stop words";
  const Ran hinted = box_.run({"search", "cart projct:shop"});
  EXPECT_EQ(hinted.code, 0);
  EXPECT_TRUE(has(hinted.err, "no field \"projct:\", did you mean \"project:\"?\n")) << hinted.err;
  EXPECT_TRUE(
      has(box_.run({"search", "cart projct:shop", "--json"}).json()["note"].get<std::string>(),
          "did you mean"));
}

TEST_F(Search, WhatPeoplePasteIsAQuery) {
  write_three();
  for (const char* pasted :
       {"Error: ENOENT: no such file or directory, open '/x/cart.js' (errno -2) [at a::b]",
        "why?! (cart) {\"key\": [1,2]} && || \\ ~ ^ *", "cart:*:--\"", "\"cart", "[cart]",
        "cart'\"`"}) {
    const Ran ran = box_.run({"search", pasted, "--json"});
    EXPECT_EQ(ran.code, 0) << pasted << ran.out;
    EXPECT_EQ(ran.json()["query"], pasted);
    EXPECT_EQ(ran.json()["results"][0]["session_id"], kSecond) << pasted;
  }
}

TEST_F(Search, JoinsWordsThatTheShellTookApart) {
  write_three();
  EXPECT_EQ(
      box_.run({"search", "a", "-n", "2", "b", "--json", "--", "-c", "--json"}).json()["query"],
      "a b -c --json");
}

TEST_F(Search, Filters) {
  write_three();
  const auto with = [&](Texts flags) {
    flags.insert(flags.begin(), "empty");
    return found(flags);
  };
  EXPECT_EQ(with({}).size(), 2U);
  EXPECT_EQ(with({"-p", "SHOP"}), Texts{kSecond});
  EXPECT_EQ(with({"-p", "shop", "-p", "blog"}).size(), 2U);
  EXPECT_EQ(with({"-x", "blog"}), Texts{kSecond});
  EXPECT_EQ(with({"-a", "claude-code"}).size(), 2U);
  EXPECT_EQ(with({"-a", "openclaw"}), Texts{});
  EXPECT_EQ(with({"-s", "2025-12-01"}), Texts{kSecond});
  EXPECT_EQ(with({"-u", "2025-12-01"}), Texts{kFirst});
  EXPECT_EQ(with({"--session", "1a2b"}), Texts{kFirst});
  EXPECT_EQ(with({"--branch", "ATOM"}), Texts{kFirst});
  EXPECT_EQ(with({"--model", "sonnet"}).size(), 2U);
  EXPECT_EQ(with({"--model", "opus"}), Texts{});
  EXPECT_EQ(with({"--file", "feed"}), Texts{kFirst});
  EXPECT_EQ(with({"--tool", "read"}), Texts{kFirst});
  EXPECT_EQ(with({"--has-tool"}).size(), 2U);
  EXPECT_EQ(with({"--pattern", "*-blog"}), Texts{kFirst});
  EXPECT_EQ(with({"--sort", "time"}), (Texts{kSecond, kFirst}));
  EXPECT_EQ(with({"-n", "1"}).size(), 1U);
}

TEST_F(Search, TypesAndSurfacesRestrictWhereAWordIsLookedFor) {
  write_three();
  EXPECT_EQ(found({"narwhal"}), Texts{kSecond});
  EXPECT_EQ(found({"narwhal", "-t", "tool"}), Texts{kSecond});
  EXPECT_EQ(found({"narwhal", "-t", "user", "-t", "assistant"}), Texts{});
  EXPECT_EQ(found({"zebra", "-t", "thinking"}), Texts{kSecond});
  EXPECT_EQ(found({"zebra", "-t", "tool"}), Texts{});
  EXPECT_EQ(found({"expired", "--surface", "assistant_summary"}), Texts{kSecond});
  EXPECT_EQ(found({"expired", "-t", "user"}), Texts{});
  const Ran tool = box_.run({"search", "narwhal"});
  EXPECT_TRUE(has(tool.out, "\n  Tool: ") && has(tool.out, "narwhal")) << tool.out;
  const Ran thinking = box_.run({"search", "zebra"});
  EXPECT_TRUE(has(thinking.out, "\n  Thinking: Perhaps the zebra cookie.\n")) << thinking.out;
}

TEST_F(Search, WhatWasSaidComesAboveToolOutputAndThinking) {
  const std::string said = "4d5e6f70-0000-4000-8000-000000000004";
  fake::ClaudeLines tool(kFirst);
  box_.write_session(
      "a", kFirst,
      together({tool.prompt("Look around"), tool.tool_call("Bash", {{"command", "ls"}}),
                tool.tool_result("gizmo gizmo gizmo"), tool.answer("Done.")}));
  fake::ClaudeLines thinking(kSecond);
  box_.write_session("a", kSecond,
                     together({thinking.prompt("Look around"),
                               thinking.thinking("gizmo gizmo gizmo"), thinking.answer("Done.")}));
  fake::ClaudeLines asked(said);
  box_.write_session(
      "a", said,
      together({asked.prompt("Where do we keep the parts of the gizmo that broke last week?"),
                asked.answer("In the store room.")}));
  const Texts ids = found({"gizmo"});
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_EQ(ids.front(), said);
}

TEST_F(Search, OneSessionGetsThreePlaces) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 8));
  EXPECT_EQ(found({"feeds", "-n", "10"}).size(), 3U);
  EXPECT_EQ(found({"feeds", "-n", "10", "--per-session", "5"}).size(), 5U);
  EXPECT_EQ(found({"feeds", "-n", "10", "--per-session", "0"}).size(), 8U);
  EXPECT_EQ(found({"feeds", "-n", "10", "--session", "1a2b"}).size(), 8U);
  const Ran more = box_.run({"search", "feeds", "-n", "2"});
  EXPECT_TRUE(has(more.err, "There is more: -n 4 shows it.\n")) << more.err;
}

TEST_F(Search, NewerComesFirstAmongEquals) {
  for (const auto& [id, ms] :
       {std::pair{kFirst, 1'600'000'000'000}, {kSecond, 1'766'000'000'000}}) {
    fake::ClaudeLines lines(id);
    lines.set_time(from_ms(ms));
    box_.write_session("blog", id,
                       together({lines.prompt("How to bake bread?"), lines.answer("Slowly.")}));
  }
  EXPECT_EQ(found({"bread"}), (Texts{kSecond, kFirst}));
}

TEST_F(Search, ADateInTheQuestionTellsWhichOfManyIsMeant) {
  const Time june = from_ms(1'748'952'000'000);  // 2025-06-03
  for (const auto& [id, days] : {std::pair{kFirst, 0}, {kSecond, 30}, {kThird, 61}}) {
    fake::ClaudeLines lines(id);
    lines.set_time(june + std::chrono::days{days});
    box_.write_session("blog", id,
                       together({lines.prompt("The nightly import failed again."),
                                 lines.answer("The import failed: the disk was full.")}));
  }
  const auto first = [&](const std::string& query) { return found({query}).at(0); };
  EXPECT_EQ(first("why did the import fail"), kThird);
  EXPECT_EQ(first("why did the import fail on 3 June 2025?"), kFirst);
  EXPECT_EQ(first("why did the import fail in July 2025"), kSecond);
  EXPECT_EQ(first("why did the import fail 2025-07-03"), kSecond);
  EXPECT_EQ(first("why did the import fail on June 3"), kFirst);
}

TEST_F(Search, AQuestionForADayGetsTheTurnsOfThatDay) {
  const Time june = from_ms(1'748'952'000'000);  // 2025-06-03, noon
  const auto write = [&](const char* id, int days, const std::string& prompt) {
    fake::ClaudeLines lines(id);
    lines.set_time(june + std::chrono::days{days});
    box_.write_session("blog", id, together({lines.prompt(prompt), lines.answer("Done.")}));
  };
  write(kFirst, 0, "Rename the tables.");
  write(kSecond, 30, "Is 3 June a holiday? What did we work on?");
  write(kThird, 61, "Sort the pictures.");
  EXPECT_EQ(found({"what did we do on 3 June 2025?"}), Texts{kFirst});
  EXPECT_EQ(found({"what did we work on in July 2025", "--mode", "hybrid"}), Texts{kSecond});
  EXPECT_EQ(found({"what happened on 2025-08-03"}), Texts{kThird});
  EXPECT_EQ(found({"everything since 1 July 2025"}), (Texts{kThird, kSecond}));
  EXPECT_EQ(found({"pictures in July 2025"}), Texts{kThird}) << "says what as well";
  EXPECT_EQ(found({"\"3 June\""}), Texts{kSecond}) << "a phrase is words";
  EXPECT_EQ(found({"everything since 1 July 2025", "--session", "2b3c"}), Texts{kSecond});
  const Ran none = box_.run({"search", "what did we do on 6 June 2025", "--json"});
  EXPECT_EQ(none.json()["results"].size(), 0U);
  EXPECT_EQ(none.json()["closest"][0]["session_id"], kFirst);
  EXPECT_EQ(none.json()["note"], "Nothing was said at that time; these come nearest to it.");
  const auto explained = box_.run({"search", "what did we do on 3 June 2025", "--explain"});
  EXPECT_TRUE(has(explained.out, "Rename the tables.")) << explained.out;
  const auto hit =
      box_.run({"search", "what did we do on 3 July 2025", "--json"}).json()["results"][0];
  EXPECT_EQ(hit["session_id"], kSecond);
  EXPECT_EQ(hit["surfaces"].size(), 0U)
      << "no passage of it was looked for, whatever words it holds";
}

TEST_F(Search, SubAgentsAreHiddenAndCounted) {
  write_three();
  box_.write_session("shop", std::string(kSecond) + "/subagents/agent-a1b2c3d4e5",
                     conversation(kSecond, "pangolins", 1));
  const Ran ran = box_.run({"search", "pangolins"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "1 hit in sub-agents hidden: --subagents shows it\n")) << ran.err;
  const auto json = box_.run({"search", "pangolins", "--json"}).json();
  EXPECT_EQ(json["hidden"]["subagents"], 1);
  const Ran shown = box_.run({"search", "pangolins", "--subagents"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(has(shown.out, "sub-agent")) << shown.out;
  EXPECT_EQ(found({"pangolins", "--subagents"}), Texts{std::string(kSecond) + "/agent-a1b2c3d4e5"});
}

TEST_F(Search, CopiesOfATurnAreOneHit) {
  const std::string lines = conversation(kFirst, "otters", 1);
  box_.write_session("blog", kFirst, lines);
  for (const char* id : {kSecond, kThird}) {
    box_.write_session("blog", id,
                       replaced(lines, std::string("\"sessionId\":\"") + kFirst,
                                std::string("\"sessionId\":\"") + id));
  }
  const auto json = box_.run({"search", "otters", "--json"}).json();
  ASSERT_EQ(json["results"].size(), 1U) << json.dump(2);
  EXPECT_EQ(json["results"][0]["copies"], 2);
  EXPECT_TRUE(has(box_.run({"search", "otters"}).out, "also in 2 other sessions"));
}

TEST_F(Search, AnIdAsAQueryPutsItsSessionFirst) {
  write_three();
  fake::ClaudeLines lines("4d5e6f70-0000-4000-8000-000000000004");
  box_.write_session("blog", lines.session(),
                     together({lines.prompt(std::string("What did we do in ") + kFirst + "?"),
                               lines.answer("Feeds.")}));
  EXPECT_EQ(found({kFirst}).front(), kFirst);
  EXPECT_EQ(found({std::string(kFirst).substr(0, 13)}).front(), kFirst);
  const auto cart = box_.run({"search", "cart", "--json"}).json()["results"][0];
  const auto by_chunk = box_.run({"search", cart["chunk_id"], "--json"}).json();
  EXPECT_EQ(by_chunk["results"][0]["chunk_id"], cart["chunk_id"]);
}

TEST_F(Search, AnAppendedLineIsFoundAtOnce) {
  write_three();
  EXPECT_EQ(found({"quetzal"}), Texts{});
  fake::ClaudeLines more(kThird, "/home/ann/code/shop");
  more.go_back_to(std::string(kThird) + "-1");
  std::ofstream(
      box_.in_home(std::string(".claude/projects/-home-ann-code-shop/") + kThird + ".jsonl"),
      std::ios::app)
      << replaced(more.prompt("And a quetzal in the corner"), "-0\"", "-2\"");
  EXPECT_EQ(found({"quetzal", "--no-refresh"}), Texts{});
  EXPECT_EQ(found({"quetzal"}), Texts{kThird});
}

TEST_F(Search, WithoutRefreshThereMustBeAnIndex) {
  write_three();
  const Ran ran = box_.run({"search", "cart", "--no-refresh"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "there is no index yet")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir() + "/yore.db"));
}

TEST_F(Search, BrokenLinesDoNotMatter) {
  fake::ClaudeLines lines(kFirst);
  const std::string prompt = lines.prompt("Where is the axolotl?");
  box_.write_session("blog", kFirst,
                     together({"{broken\n\xff\xfe\n", prompt, "[]\nnull\n{\"type\":\n",
                               lines.answer("In the pond.")}));
  box_.write_session("blog", kSecond, std::string("\0\0\0", 3));
  EXPECT_EQ(found({"axolotl"}), Texts{kFirst});
  EXPECT_EQ(found({"pond"}), Texts{kFirst});
}

TEST_F(Search, ASessionWhoseFileIsGoneIsStillFound) {
  write_three();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  ASSERT_EQ(::unlink(box_.in_home(std::string(".claude/projects/-home-ann-code-blog/") + kFirst +
                                  ".jsonl")
                         .c_str()),
            0);
  const Ran ran = box_.run({"search", "feed"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran.out, "source is gone")) << ran.out;
  const auto hit = box_.run({"search", "feed", "--json"}).json()["results"][0];
  EXPECT_EQ(hit["source_missing"], true);
  const Ran chunk = box_.run({"chunk", hit["chunk_id"]});
  EXPECT_EQ(chunk.code, 0) << chunk.err;
  EXPECT_TRUE(has(chunk.out, "source is gone, read from the index")) << chunk.out;
}

// The scenarios that any search of transcripts must get right.
TEST_F(Search, TheOrdinaryCases) {
  write_three();
  box_.write_session("broken", "5e6f7a8b-0000-4000-8000-000000000005", "{\"type\":\"user\",\n");
  const Ran first = box_.run({"search", "wishlist", "--json"});  // no index: builds one
  EXPECT_EQ(first.json()["results"][0]["session_id"], kThird);
  const auto in_shop = box_.run({"search", "empty", "-p", "shop", "--json"}).json();
  EXPECT_FALSE(in_shop["results"].empty());
  for (const auto& hit : in_shop["results"]) {
    EXPECT_EQ(hit["project"], "shop");
  }
  const auto lately = box_.run({"search", "empty", "--since", "2025-12-01", "--json"}).json();
  EXPECT_FALSE(lately["results"].empty());
  for (const auto& hit : lately["results"]) {
    EXPECT_GE(hit["timestamp"].get<std::string>(), "2025-12-01");
  }
}

}  // namespace
}  // namespace yore::e2e
