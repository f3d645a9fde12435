// search and chunk as people and scripts see them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "e2e/sandbox.hpp"
#include "text/utf8.hpp"

namespace yore::e2e {
namespace {

using Texts = std::vector<std::string>;
using Ordered = nlohmann::ordered_json;

constexpr const char* kThird = "3c4d5e6f-0000-4000-8000-000000000003";

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

Texts keys(const Ordered& json) {
  Texts names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

class Search : public testing::Test {
 protected:
  // Three sessions: blog (feeds, long ago), shop (carts, with thinking and tools), shop again.
  void write_three() {
    fake::ClaudeLines blog(kFirst);
    blog.set_branch("feature/atom");
    box_.write_session(
        "blog", kFirst,
        blog.prompt("Why is the feed of the blog empty?") +
            blog.tool_call("Read", {{"file_path", "/home/ann/code/blog/src/feed.py"}}) +
            blog.tool_result("def feed(): return walrus") +
            blog.answer("The feed is empty because the query asks for drafts.") +
            blog.prompt("Then fix it, please.") + blog.answer("Fixed: only posts are asked for.") +
            blog.prompt("Thanks!") + blog.answer("You are welcome."));
    fake::ClaudeLines shop(kSecond, "/home/ann/code/shop");
    shop.set_time(from_ms(1'765'000'000'000));
    box_.write_session("shop", kSecond,
                       shop.prompt("Why is the cart empty?") +
                           shop.thinking("Perhaps the zebra cookie.") +
                           shop.tool_call("Bash", {{"command", "grep -r cookie src"}}) +
                           shop.tool_result("src/cart.js: cookie maxAge is narwhal") +
                           shop.answer("The session cookie of the cart expired.") +
                           shop.custom_title("Empty cart"));
    fake::ClaudeLines third(kThird, "/home/ann/code/shop");
    third.set_time(from_ms(1'766'000'000'000));
    box_.write_session("shop", kThird,
                       third.prompt("Add a wishlist page") +
                           third.answer("Added parseWishList and a page for it."));
  }

  // Ids of the sessions found, best first.
  Texts found(Texts args) {
    args.insert(args.begin(), "search");
    args.emplace_back("--json");
    Texts ids;
    for (const auto& hit : box_.run(args).json()["results"]) ids.push_back(hit["session_id"]);
    return ids;
  }

  Sandbox box_;
};

TEST_F(Search, WithoutAnIndexItBuildsOneAndAnswers) {
  write_three();
  const Ran first = box_.run({"search", "wishlist"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.err, "No index yet, reading the transcripts first.\n")) << first.err;
  EXPECT_TRUE(has(first.out, "You: Add a wishlist page")) << first.out;
  const Ran second = box_.run({"search", "wishlist"});
  EXPECT_EQ(second.err, "");
  EXPECT_TRUE(has(second.out, "You: Add a wishlist page")) << second.out;
}

TEST_F(Search, LooksAsPromised) {
  write_three();
  const std::string out = box_.run({"search", "wishlist"}).out;
  const std::size_t age = out.find(" | ");
  const std::size_t arrow = out.find("  → yore chunk ");
  ASSERT_TRUE(age != std::string::npos && arrow != std::string::npos) << out;
  const std::string id = out.substr(arrow + 17, 8);
  EXPECT_EQ(out.substr(0, age), "[1] Project: shop");
  EXPECT_EQ(out.substr(out.find(" ago | ") + 7, arrow - out.find(" ago | ") - 7),
            "100%\n"
            "\n"
            "  You: Add a wishlist page\n"
            "\n"
            "  Claude: Added parseWishList and a page for it.\n"
            "\n");
  EXPECT_TRUE(has(out, "  → yore chunk " + id +
                           "\n\n─────────────────────────────────────────────────\n"
                           "Found 1 result in 0."))
      << out;
  EXPECT_TRUE(out.ends_with("s\n"));
  EXPECT_EQ(box_.run({"chunk", id}).code, 0);
}

TEST_F(Search, NothingFoundIsSaidWithASuggestion) {
  write_three();
  const Ran ran = box_.run({"search", "xylophone", "-q"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "");
  const Ran loud = box_.run({"search", "xylophone"});
  EXPECT_TRUE(has(loud.err, "Nothing found for: xylophone\n")) << loud.err;
  EXPECT_TRUE(
      has(box_.run({"search", "cart", "-p", "blog", "--tool", "Bash"}).err, "fewer filters"));
  const Ran json = box_.run({"search", "xylophone", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(json.json()["results"].is_array());
  EXPECT_EQ(json.json()["total_results"], 0);
}

TEST_F(Search, AnEmptyQueryIsWrongUse) {
  for (const Texts& args :
       {Texts{"search"}, {"search", ""}, {"search", " ", "\t"}, {"search", "--"}}) {
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("yore: Query required\n")) << ran.err;
  }
  const Ran json = box_.run({"search", "--json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(json.json()["error"]["message"], "Query required");
  EXPECT_EQ(json.json()["error"]["kind"], "invalid_argument");
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir()));
}

TEST_F(Search, WrongUseIsOneSentenceAndAHint) {
  const std::pair<Texts, const char*> cases[] = {
      {{"-t", "asistant"}, "yore: --type: there is no 'asistant'\n  did you mean assistant?\n"},
      {{"-t", "x"}, "yore: --type: there is no 'x'\n  one of user, assistant, tool, thinking\n"},
      {{"--surface", "titel"}, "yore: --surface: there is no 'titel'\n  did you mean title?\n"},
      {{"-a", "nobody"}, "yore: unknown agent 'nobody'\n"},
      {{"--since", "whenever"}, "yore: --since: 'whenever' is not a time\n"},
      {{"--half-life", "0"}, "yore: --half-life: want a number of days above 0 or off, not '0'\n"},
      {{"--half-life", "soon"}, "yore: --half-life: want"},
      {{"--sort", "size"}, "yore: --sort: want one of relevance, time, not 'size'\n"},
      {{"-n", "0"}, "yore: --limit: want a whole number from 1 on, not '0'\n"},
      {{"--mode", "magic"}, "yore: --mode: there is no 'magic'\n"},
      {{"--mode", "semantic"}, "yore: semantic search is not built yet\n"},
      {{"-zeta"}, "yore: unknown flag '-zeta'\n  words that begin with - go behind --\n"},
  };
  for (const auto& [flags, sentence] : cases) {
    Texts args = {"search", "word"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 2) << flags.front();
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with(sentence)) << ran.err;
  }
  EXPECT_EQ(box_.run({"search", "x", "--mode", "semantic", "--json"}).json()["error"]["kind"],
            "unsupported");
}

TEST_F(Search, AProjectWithoutSessionsIsNamed) {
  write_three();
  const Ran ran = box_.run({"search", "cart", "-p", "nowhere"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "yore: No sessions found for project nowhere\n")) << ran.err;
  const Ran json = box_.run({"search", "cart", "-p", "nowhere", "--json"});
  EXPECT_EQ(json.json()["error"]["message"], "No sessions found for project nowhere");
  EXPECT_EQ(box_.run({"search", "cart project:nowhere"}).code, 1);
}

TEST_F(Search, NoTranscriptsAtAllNamesThePlaces) {
  const Ran ran = box_.run({"search", "anything"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "No transcripts found. Looked in:\n")) << ran.err;
  EXPECT_TRUE(has(ran.err, "~/.claude/projects\n") && has(ran.err, "yore demo")) << ran.err;
  EXPECT_EQ(box_.run({"search", "anything", "--json"}).json()["results"].size(), 0U);
}

TEST_F(Search, JsonHasTheFieldsOfTheContractInTheirOrder) {
  write_three();
  const Ran ran = box_.run({"--json", "search", "empty", "cart"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Ordered json = Ordered::parse(ran.out);
  EXPECT_EQ(keys(json), (Texts{"query", "mode", "results", "total_results", "more",
                               "search_time_ms", "coverage"}));
  EXPECT_EQ(json["query"], "empty cart");
  EXPECT_EQ(json["mode"], "keyword");
  EXPECT_EQ(json["total_results"], json["results"].size());
  EXPECT_EQ(keys(json["coverage"]), (Texts{"files_known", "files_indexed", "behind_bytes",
                                           "passages", "passages_embedded"}));
  EXPECT_EQ(json["coverage"]["files_known"], 3);
  EXPECT_EQ(json["coverage"]["files_indexed"], 3);
  EXPECT_EQ(json["coverage"]["behind_bytes"], 0);
  EXPECT_GT(json["coverage"]["passages"], 3);
  const Ordered& hit = json["results"][0];
  EXPECT_EQ(keys(hit), (Texts{"rank", "score", "project", "project_path", "agent", "session_id",
                              "session_path", "line", "turn_number", "chunk_id", "title",
                              "timestamp", "surfaces", "messages", "resume"}));
  EXPECT_EQ(hit["rank"], 1);
  EXPECT_GT(hit["score"], 0);
  EXPECT_EQ(hit["project"], "shop");
  EXPECT_EQ(hit["project_path"], "/home/ann/code/shop");
  EXPECT_EQ(hit["agent"], "claude-code");
  EXPECT_EQ(hit["session_id"], kSecond);
  EXPECT_TRUE(std::filesystem::exists(hit["session_path"].get<std::string>()));
  EXPECT_EQ(hit["line"], 1);
  EXPECT_EQ(hit["turn_number"], 0);
  EXPECT_EQ(hit["chunk_id"].get<std::string>().size(), 12U);
  EXPECT_EQ(hit["title"], "Empty cart");
  EXPECT_EQ(hit["timestamp"], "2025-12-06T05:46:47.000Z");
  EXPECT_EQ(
      hit["messages"],
      (Ordered{{{"role", "user"}, {"content", "Why is the cart empty?"}},
               {{"role", "assistant"}, {"content", "The session cookie of the cart expired."}}}));
  EXPECT_EQ(hit["resume"], std::string("claude --resume ") + kSecond);
}

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
  EXPECT_EQ(found({"is", "the"}).size(), 3U) << "only stop words";
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
  box_.write_session("a", kFirst,
                     tool.prompt("Look around") + tool.tool_call("Bash", {{"command", "ls"}}) +
                         tool.tool_result("gizmo gizmo gizmo") + tool.answer("Done."));
  fake::ClaudeLines thinking(kSecond);
  box_.write_session("a", kSecond,
                     thinking.prompt("Look around") + thinking.thinking("gizmo gizmo gizmo") +
                         thinking.answer("Done."));
  fake::ClaudeLines asked(said);
  box_.write_session("a", said,
                     asked.prompt("Where do we keep the parts of the gizmo that broke last week?") +
                         asked.answer("In the store room."));
  const Texts ids = found({"gizmo"});
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_EQ(ids.front(), said);
}

TEST_F(Search, TheLimitIsClampedWithANote) {
  write_three();
  const Ran ran = box_.run({"search", "empty", "-n", "500"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran.err, "At most 100 results are shown.\n")) << ran.err;
  EXPECT_EQ(box_.run({"search", "empty", "-n", "500", "--json"}).json()["note"],
            "At most 100 results are shown.");
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
    box_.write_session("blog", id, lines.prompt("How to bake bread?") + lines.answer("Slowly."));
  }
  EXPECT_EQ(found({"bread"}), (Texts{kSecond, kFirst}));
}

TEST_F(Search, TheContextOfAHitIsShown) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 5));
  const Ran ran = box_.run({"search", "\"question 2\"", "-C", "1"});
  EXPECT_TRUE(has(ran.out,
                  "%\n\n  You: Question 1 about feeds\n  Claude: Answer 1 about feeds\n\n"
                  "  You: Question 2 about feeds\n\n  Claude: Answer 2 about feeds\n\n"
                  "  You: Question 3 about feeds\n  Claude: Answer 3 about feeds\n\n  →"))
      << ran.out;
  const auto json = box_.run({"search", "\"question 2\"", "-C", "1", "--json"}).json();
  const auto& messages = json["results"][0]["messages"];
  ASSERT_EQ(messages.size(), 6U);
  EXPECT_EQ(messages[0]["turn_number"], 1);
  EXPECT_EQ(messages[2]["content"], "Question 2 about feeds");
  EXPECT_EQ(messages[5]["turn_number"], 3);
}

TEST_F(Search, LongMessagesAreCutForPeopleAndWholeInJson) {
  std::string words;
  for (int i = 0; i < 400; ++i) words += "lorem ipsum ";
  fake::ClaudeLines lines(kFirst);
  box_.write_session("blog", kFirst,
                     lines.prompt("Write filler") + lines.answer(words + "pelican " + words));
  const Ran ran = box_.run({"search", "pelican"});
  EXPECT_TRUE(has(ran.out, "\n  Claude: …")) << ran.out;
  EXPECT_TRUE(has(ran.out, "pelican") && has(ran.out, "\n  [truncated - ")) << ran.out;
  EXPECT_LT(ran.out.size(), 1500U);
  const auto whole = box_.run({"search", "pelican", "--json"}).json();
  EXPECT_EQ(whole["results"][0]["messages"][1]["content"], words + "pelican " + words);
  const auto cut = box_.run({"search", "pelican", "--json", "--max-chars", "11"}).json();
  const auto& message = cut["results"][0]["messages"][1];
  EXPECT_EQ(message["content"], "lorem ipsum");
  EXPECT_EQ(message["truncated"]["content"]["shown"], 11);
  EXPECT_EQ(message["truncated"]["content"]["total"], 2 * words.size() + 8);
}

TEST_F(Search, ExplainShowsThePartsOfAScore) {
  write_three();
  const Ran ran = box_.run({"search", "cart", "--explain"});
  EXPECT_TRUE(has(ran.out, "\n  recency ")) << ran.out;
  const auto json = box_.run({"search", "cart", "--explain", "--json"}).json();
  const auto& parts = json["results"][0]["explain"];
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.back()["name"], "score");
  EXPECT_EQ(parts.back()["value"], json["results"][0]["score"]);
  EXPECT_FALSE(box_.run({"search", "cart", "--json"}).json()["results"][0].contains("explain"));
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
  box_.write_session(
      "blog", lines.session(),
      lines.prompt(std::string("What did we do in ") + kFirst + "?") + lines.answer("Feeds."));
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
  box_.write_session(
      "blog", kFirst,
      "{broken\n\xff\xfe\n" + prompt + "[]\nnull\n{\"type\":\n" + lines.answer("In the pond."));
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

TEST_F(Search, NothingInATranscriptControlsTheTerminal) {
  const std::string evil = "\x1b]0;owned\x07 \x1b[2J\x1b[31mred \u202e\u009b1mback \x08\x7f end";
  fake::ClaudeLines lines(kFirst, "/home/ann/code/" + evil);
  lines.set_branch(evil);
  box_.write_session("blog", kFirst,
                     lines.prompt("Prompt gecko " + evil) +
                         lines.tool_call("Bash", {{"command", "kiwi " + evil}}) +
                         lines.thinking("lemur " + evil) + lines.answer("Answer gecko " + evil) +
                         lines.custom_title("Title " + evil) + lines.prompt("Next " + evil));
  const auto is_safe = [](const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const text::Char c = text::decode_at(text, at);
      if ((c.code_point < 0x20 && c.code_point != '\n') || c.is_stray()) return false;
      if ((c.code_point >= 0x7F && c.code_point < 0xA0) || c.code_point == 0x202E) return false;
      at += c.size_bytes;
    }
    return true;
  };
  const std::string chunk =
      box_.run({"search", "gecko", "--json"}).json()["results"][0]["chunk_id"];
  for (const Texts& args : {Texts{"search", "gecko"},
                            {"search", "kiwi", "-C", "1", "--explain"},
                            {"search", "lemur"},
                            {"search", "end", "--json"},
                            {"search", evil},
                            {"search", "xylophone " + evil + " +zzz"},
                            {"chunk", chunk},
                            {"chunk", chunk, "-C", "1", "--json"},
                            {"chunk", evil}}) {
    const Ran ran = box_.run(args);
    EXPECT_TRUE(is_safe(ran.out)) << args[1] << ran.out;
    EXPECT_TRUE(is_safe(ran.err)) << args[1] << ran.err;
    EXPECT_NE(ran.code, 3) << ran.err;
    EXPECT_FALSE(has(ran.out, "owned\n"));
  }
}

TEST_F(Search, ColoursOnlyWhereTheyBelong) {
  write_three();
  EXPECT_FALSE(has(box_.run({"search", "cart"}).out, "\x1b["));
  const std::string painted = box_.run({"search", "cart", "--color", "always"}).out;
  for (const char* part :
       {"\x1b[1;36m[1]\x1b[0m Project: \x1b[32mshop\x1b[0m", "\x1b[36mYou:\x1b[0m",
        "\x1b[32mClaude:\x1b[0m", "\x1b[1;33mcart\x1b[0m"}) {
    EXPECT_TRUE(has(painted, part)) << painted;
  }
  EXPECT_TRUE(has(box_.run_on_terminal({"search", "cart"}, 80).out, "\x1b[1;33mcart\x1b[0m"));
  EXPECT_FALSE(has(box_.run_on_terminal({"search", "cart", "--color", "never"}, 80).out, "\x1b["));
  EXPECT_FALSE(has(box_.run({"search", "cart", "--json", "--color", "always"}).out, "\x1b["));
  box_.set_env("NO_COLOR", "1");
  EXPECT_FALSE(has(box_.run_on_terminal({"search", "cart"}, 80).out, "\x1b["));
}

TEST_F(Search, TheRealWidthOfTheTerminalCounts) {
  write_three();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  std::string out = box_.run_on_terminal({"search", "empty", "--color", "never"}, 30).out;
  EXPECT_TRUE(has(out, "──────────────────────────────\r\n")) << out;
  EXPECT_FALSE(has(out, "───────────────────────────────")) << out;
  for (std::size_t end; (end = out.find("\r\n")) != std::string::npos; out.erase(0, end + 2)) {
    EXPECT_LE(text::display_width(out.substr(0, end)), 30U) << out.substr(0, end);
  }
}

TEST_F(Search, ChunkShowsOneTurnInFull) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 5));
  const std::string id =
      box_.run({"search", "\"question 2\"", "--json"}).json()["results"][0]["chunk_id"];
  const Ran ran = box_.run({"chunk", id.substr(0, 8)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "  session   1a2b3c4d-0000-4000-8000-000000000001\n")) << ran.out;
  EXPECT_TRUE(
      ran.out.ends_with("── turn 2 · 2025-10-09 08:54 ──\n"
                        "You:\n"
                        "  Question 2 about feeds\n"
                        "\n"
                        "  • Bash grep feeds notes\n"
                        "\n"
                        "Claude:\n"
                        "  Answer 2 about feeds\n"))
      << ran.out;
  EXPECT_FALSE(has(ran.out, "Question 1") || has(ran.out, "Question 3"));
  EXPECT_EQ(ran.err, "the session: yore show 1a2b3c4d\n");
  const Ran around = box_.run({"chunk", id, "-C", "1"});
  EXPECT_TRUE(has(around.out, "Question 1") && has(around.out, "Question 3")) << around.out;
  EXPECT_FALSE(has(around.out, "Question 0") || has(around.out, "Question 4")) << around.out;
}

TEST_F(Search, ChunkJsonHoldsTheTurnsAsShowDoes) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 5));
  const std::string id =
      box_.run({"search", "\"question 2\"", "--json"}).json()["results"][0]["chunk_id"];
  const Ordered json = Ordered::parse(box_.run({"chunk", id, "-C", "1", "--json"}).out);
  EXPECT_EQ(keys(json),
            (Texts{"chunk_id", "session_id", "project", "agent", "turn_number", "turns"}));
  EXPECT_EQ(json["chunk_id"], id);
  EXPECT_EQ(json["turn_number"], 2);
  ASSERT_EQ(json["turns"].size(), 3U);
  EXPECT_EQ(json["turns"][1],
            Ordered::parse(box_.run({"show", "1a2b", "--turn", "2", "--json"}).out));
}

TEST_F(Search, ChunkSaysWhatDoesNotExist) {
  write_three();
  const Ran unknown = box_.run({"chunk", "0123456789ab"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(unknown.out, "");
  EXPECT_TRUE(has(unknown.err, "yore: Unknown chunk: 0123456789ab\n")) << unknown.err;
  EXPECT_EQ(box_.run({"chunk", "0123456789ab", "--json"}).json()["error"]["kind"], "not_found");
  const Ran session = box_.run({"chunk", "1a2b3c4d-0000"});
  EXPECT_EQ(session.code, 1);
  EXPECT_TRUE(has(session.err, "that is a session: yore show 1a2b3c4d-0000\n")) << session.err;
  EXPECT_EQ(box_.run({"chunk"}).code, 2);
}

// Many turns, so that some ids begin alike.
TEST_F(Search, AnAmbiguousChunkListsTheCandidates) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 3000));
  const auto hits =
      box_.run({"search", "feeds", "-n", "100", "--per-session", "0", "--json"}).json()["results"];
  ASSERT_EQ(hits.size(), 100U);
  for (const auto& hit : hits) {
    const std::string start = hit["chunk_id"].get<std::string>().substr(0, 4);
    const Ran ran = box_.run({"chunk", start, "--no-refresh"});
    if (ran.code == 0) continue;
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, "yore: '" + start + "' names several chunks\n")) << ran.err;
    EXPECT_TRUE(has(ran.err, "\n  " + hit["chunk_id"].get<std::string>())) << ran.err;
    return;
  }
  FAIL() << "no two of 3000 ids begin alike";
}

// The scenarios that any search of transcripts must get right.
TEST_F(Search, TheOrdinaryCases) {
  write_three();
  box_.write_session("broken", "5e6f7a8b-0000-4000-8000-000000000005", "{\"type\":\"user\",\n");
  const Ran first = box_.run({"search", "wishlist", "--json"});  // no index: builds one
  EXPECT_EQ(first.json()["results"][0]["session_id"], kThird);
  for (const auto& hit : box_.run({"search", "empty", "-p", "shop", "--json"}).json()["results"]) {
    EXPECT_EQ(hit["project"], "shop");
  }
  for (const auto& hit :
       box_.run({"search", "empty", "--since", "2025-12-01", "--json"}).json()["results"]) {
    EXPECT_GE(hit["timestamp"].get<std::string>(), "2025-12-01");
  }
}

}  // namespace
}  // namespace yore::e2e
