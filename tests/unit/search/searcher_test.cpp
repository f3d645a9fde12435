// One question from its words to the page, over a machine with a few conversations.
#include "search/searcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::search {
namespace {

using fake::ClaudeLines;
using Ids = std::vector<std::string>;

class Searching : public testing::Test {
 protected:
  Searching() { request_.mode = SearchMode::keyword; }

  static Time day(int number) {
    return from_ms(1'760'000'000'000) + std::chrono::hours{24 * number};
  }
  static ClaudeLines lines_of(const std::string& session, int at_day) {
    ClaudeLines lines(session, "/home/ann/code/blog");
    lines.set_time(day(at_day));
    return lines;
  }
  void write(const std::string& session, int at_day,
             const std::vector<std::pair<std::string, std::string>>& turns) {
    ClaudeLines lines = lines_of(session.substr(session.rfind('/') + 1), at_day);
    std::string bytes;
    for (const auto& [prompt, answer] : turns) bytes += lines.prompt(prompt) + lines.answer(answer);
    world_.write(world_.session_path("-home-ann-code-blog", session), bytes);
  }
  Searcher open() {
    world_.index();
    auto searcher = Searcher::open(world_.world(), world_.settings(), {});
    if (!searcher) throw std::runtime_error(searcher.error().message);
    return std::move(*searcher);
  }
  SearchAnswer ask(std::string query) {
    Searcher searcher = open();
    request_.query = std::move(query);
    auto answer = searcher.search(request_);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return answer ? std::move(*answer) : SearchAnswer{};
  }
  static Ids places(const SearchAnswer& answer) {
    Ids ids;
    for (const Hit& hit : answer.hits) {
      ids.push_back(hit.session.uid + "#" + std::to_string(hit.turn_number));
    }
    return ids;
  }

  fake::FakeWorld world_;
  SearchRequest request_;
};

// The run -----------------------------------------------------------------------------------------

TEST_F(Searching, OneSessionTakesNoMoreThanItsPlaces) {
  write("aaaa", 1, {{"gasket", "1"}, {"gasket", "2"}, {"gasket", "3"}, {"gasket", "4"}});
  write("bbbb", 2, {{"a gasket that somebody else has asked for", "5"}});
  request_.per_session = 2;
  const Ids found = places(ask("gasket"));
  EXPECT_EQ(found.size(), 3U);
  EXPECT_EQ(std::ranges::count(found, "bbbb#0"), 1);
  request_.per_session = 0;
  EXPECT_EQ(places(ask("gasket")).size(), 5U);
  request_.per_session = 2;
  request_.session = "aaaa";  // who asks for one session wants it whole
  EXPECT_EQ(places(ask("gasket")).size(), 4U);
}

TEST_F(Searching, ALimitCutsAndThatIsSaid) {
  for (int i = 1; i <= 4; ++i) write("aaa" + std::to_string(i), i, {{"gasket", "fine"}});
  request_.limit = 4;
  EXPECT_FALSE(ask("gasket").more);
  request_.limit = 3;
  const SearchAnswer answer = ask("gasket");
  EXPECT_EQ(answer.hits.size(), 3U);
  EXPECT_TRUE(answer.more);
  EXPECT_EQ(answer.hits[0].rank, 1U);
  EXPECT_EQ(answer.hits[2].rank, 3U);
  EXPECT_EQ(answer.hits[0].percent, 100);
}

TEST_F(Searching, ByTimeTheNewestComesFirstHoweverWellItFits) {
  write("aaaa", 1, {{"gasket gasket gasket", "gasket"}});
  write("bbbb", 2, {{"a long question in which a gasket is mentioned once", "fine"}});
  EXPECT_EQ(places(ask("gasket")), (Ids{"aaaa#0", "bbbb#0"}));
  request_.sort = SortBy::time;
  EXPECT_EQ(places(ask("gasket")), (Ids{"bbbb#0", "aaaa#0"}));
}

TEST_F(Searching, ATurnThatTheQueryNamesByItsIdIsFoundFirst) {
  write("aaaa", 1, {{"gasket", "fine"}, {"kettle", "fine"}});
  const std::string chunk = ask("kettle").hits.at(0).chunk_id;
  EXPECT_EQ(places(ask(chunk)), (Ids{"aaaa#1"}));
}

TEST_F(Searching, SubAgentsAndTheAskersOwnSessionAreLeftOutAndCounted) {
  write("aaaa", 1, {{"gasket", "fine"}});
  write("bbbb", 2, {{"gasket", "fine"}});
  write("aaaa/subagents/agent-d00d", 3, {{"gasket", "found"}});
  request_.current_session = "bbbb";
  SearchAnswer answer = ask("gasket");
  EXPECT_EQ(places(answer), (Ids{"aaaa#0"}));
  EXPECT_EQ(answer.hidden.subagents, 1U);
  EXPECT_EQ(answer.hidden.current, 1U);
  request_.current_session = "";
  request_.subagents = true;
  answer = ask("gasket");
  EXPECT_EQ(answer.hits.size(), 3U);
  EXPECT_FALSE(answer.hidden.any());
}

TEST_F(Searching, AProjectThatDoesNotExistIsAnErrorOrANote) {
  write("aaaa", 1, {{"gasket", "fine"}});
  Searcher searcher = open();
  request_.query = "gasket";
  request_.projects = {"shop"};
  EXPECT_EQ(searcher.search(request_).error().message, "No sessions found for project shop");
  request_.projects_must_exist = false;
  const auto answer = searcher.search(request_);
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->hits.empty());
  EXPECT_EQ(answer->notes, (Ids{"No sessions found for project shop."}));
}

TEST_F(Searching, AQueryWithoutAWordIsRefused) {
  write("aaaa", 1, {{"gasket", "fine"}});
  Searcher searcher = open();
  request_.query = " \t ";
  EXPECT_EQ(searcher.search(request_).error().code, Errc::invalid_argument);
}

TEST_F(Searching, AnAgentWithoutSessionsIsMentioned) {
  write("aaaa", 1, {{"gasket", "fine"}});
  request_.agents = {"codex"};
  const SearchAnswer answer = ask("gasket");
  EXPECT_TRUE(answer.hits.empty());
  EXPECT_EQ(answer.notes.size(), 1U);
}

TEST_F(Searching, CoverageCountsThePassages) {
  write("aaaa", 1, {{"gasket", "fine"}, {"kettle", "fine"}});
  EXPECT_EQ(ask("gasket").coverage.passages, 4U);
}

// The page ----------------------------------------------------------------------------------------

TEST_F(Searching, AHitSaysWhereItMatchedTheFoundSurfaceFirst) {
  ClaudeLines lines = lines_of("aaaa", 1);
  world_.write(world_.session_path("-home-ann-code-blog", "aaaa"),
               lines.prompt("where is the gasket") + lines.thinking("the gasket may be lost") +
                   lines.tool_call("Bash", {{"command", "find gasket"}}) +
                   lines.tool_result("gasket") + lines.answer("looking for the gasket") +
                   lines.answer("It lay under the kettle: a gasket, a gasket and a gasket"));
  const SearchAnswer answer = ask("gasket");
  ASSERT_EQ(answer.hits.size(), 1U);
  const Hit& hit = answer.hits.front();
  Ids surfaces = hit.surfaces;
  std::erase(surfaces, "title");  // it is made of the prompt
  EXPECT_EQ(surfaces,
            (Ids{"assistant_summary", "user_prompt", "assistant_full", "tool", "thinking"}));
  EXPECT_EQ(hit.snippet_surface, "assistant_summary");
  EXPECT_EQ(hit.line, 1U);
  EXPECT_EQ(hit.turn_number, 0U);
  EXPECT_NE(hit.snippet.text.find("gasket"), std::string::npos);
  EXPECT_FALSE(hit.snippet.spans.empty());
  ASSERT_EQ(hit.messages.size(), 2U);
  EXPECT_EQ(hit.messages[0].role, "user");
  EXPECT_EQ(hit.messages[1].content.substr(hit.conclusion_begin),
            "It lay under the kettle: a gasket, a gasket and a gasket");
}

TEST_F(Searching, OnlySurfacesThatWereSearchedAreNamed) {
  write("aaaa", 1, {{"the gasket", "a gasket"}});
  request_.surfaces = {"user_prompt"};
  EXPECT_EQ(ask("gasket").hits.at(0).surfaces, (Ids{"user_prompt"}));
}

TEST_F(Searching, NeighboursComeAlongWhenTheyAreAskedFor) {
  write("aaaa", 1, {{"one", "1"}, {"two", "2"}, {"gasket", "3"}, {"four", "4"}, {"five", "5"}});
  request_.context = 1;
  const SearchAnswer answer = ask("gasket");
  ASSERT_EQ(answer.hits.size(), 1U);
  Ids said;
  for (const Message& message : answer.hits[0].messages) {
    said.push_back(std::string(message.is_hit ? "*" : "") + message.content);
  }
  EXPECT_EQ(said, (Ids{"two", "2", "*gasket", "*3", "four", "4"}));
}

TEST_F(Searching, ATurnThatOtherSessionsHoldAsWellIsShownOnceAndCounted) {
  ClaudeLines lines = lines_of("aaaa", 1);
  const std::string bytes = lines.prompt("gasket") + lines.answer("fine");
  for (const char* const session : {"aaaa", "bbbb", "cccc"}) {
    world_.write(world_.session_path("-home-ann-code-blog", session), bytes);
  }
  const SearchAnswer answer = ask("gasket");
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits[0].copies, 2U);
}

TEST_F(Searching, AShortChunkIdNamesTheTurn) {
  write("aaaa", 1, {{"gasket", "fine"}, {"kettle", "boils"}});
  const SearchAnswer answer = ask("kettle");
  ASSERT_EQ(answer.hits.size(), 1U);
  const Hit& hit = answer.hits[0];
  EXPECT_EQ(hit.chunk_id.size(), 12U);
  EXPECT_EQ(hit.chunk_short, hit.chunk_id.substr(0, 8));
  Searcher searcher = open();
  const auto chunk = searcher.chunk(hit.chunk_short, 0);
  ASSERT_TRUE(chunk.ok()) << chunk.error().message;
  EXPECT_EQ(chunk->chunk_id, hit.chunk_id);
  EXPECT_EQ(chunk->turn_number, 1U);
  EXPECT_EQ(searcher.chunk("", 0).error().code, Errc::not_found);
  EXPECT_EQ(searcher.chunk("zzzz", 0).error().code, Errc::not_found);
}

TEST_F(Searching, TheExplanationAddsUpToTheScore) {
  write("aaaa", 1, {{"gasket", "fine"}});
  request_.explain = true;
  const SearchAnswer answer = ask("gasket");
  ASSERT_EQ(answer.hits.size(), 1U);
  const std::vector<ScorePart>& parts = answer.hits[0].explain;
  const auto value = [&](std::string_view name) {
    const auto found = std::ranges::find(parts, name, &ScorePart::name);
    return found == parts.end() ? -1 : found->value;
  };
  EXPECT_GT(value("term gasket"), 0);
  EXPECT_EQ(value("coverage"), 1);
  EXPECT_DOUBLE_EQ(value("score"), answer.hits[0].score);
  EXPECT_DOUBLE_EQ(value("relevance") * value("recency"), value("score"));
  request_.explain = false;
  EXPECT_TRUE(ask("gasket").hits.at(0).explain.empty());
}

}  // namespace
}  // namespace yore::search
