#include "service/search_answers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "text/utf8.hpp"

namespace yore::service {
namespace {

using Texts = std::vector<std::string>;

Texts keys(const Json& json) {
  Texts names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

search::SearchAnswer answer_with_one_hit() {
  search::SearchAnswer answer;
  answer.query = "jwt";
  answer.seconds = 0.0041237;
  answer.coverage = {10, 9, 800, 70, 6};
  search::Hit hit;
  hit.rank = 1;
  hit.score = 12.345678;
  hit.session.uid = "1a2b";
  hit.session.agent = "claude-code";
  hit.session.project = "shop";
  hit.session.project_path = "/code/shop";
  hit.session.path = "/x/1a2b.jsonl";
  hit.session.title = "Tokens";
  hit.turn_number = 3;
  hit.line = 17;
  hit.chunk_id = "a2ffd9f70123";
  hit.timestamp = *parse_iso8601("2026-02-10T08:19:22.658Z");
  hit.surfaces = {"user_prompt", "tool"};
  hit.messages = {{"user", "What is a JWT?", 3, true}, {"assistant", "A token.", 3, true}};
  hit.snippet.text = "What is a JWT?";
  hit.resume = {"claude", "--resume", "1 b"};
  answer.hits.push_back(std::move(hit));
  return answer;
}

TEST(SearchJson, HasTheFieldsOfTheContractInItsOrder) {
  const Json json = to_json(answer_with_one_hit(), 0);
  EXPECT_EQ(keys(json), (Texts{"query", "mode", "results", "total_results", "more",
                               "search_time_ms", "coverage"}));
  EXPECT_EQ(keys(json["coverage"]), (Texts{"files_known", "files_indexed", "behind_bytes",
                                           "passages", "passages_embedded"}));
  EXPECT_EQ(keys(json["results"][0]),
            (Texts{"rank", "score", "project", "project_path", "agent", "session_id",
                   "session_path", "line", "turn_number", "chunk_id", "title", "timestamp",
                   "surfaces", "messages", "resume"}));
  EXPECT_EQ(keys(json["results"][0]["messages"][0]), (Texts{"role", "content"}));
}

TEST(SearchJson, HoldsWhatWasFound) {
  const Json json = to_json(answer_with_one_hit(), 0);
  EXPECT_EQ(json["mode"], "keyword");
  EXPECT_EQ(json["total_results"], 1);
  EXPECT_EQ(json["more"], false);
  EXPECT_EQ(json["search_time_ms"].dump(), "4.124");
  EXPECT_EQ(json["coverage"]["behind_bytes"], 800);
  const Json& hit = json["results"][0];
  EXPECT_EQ(hit["score"].dump(), "12.3457");
  EXPECT_EQ(hit["line"], 17);
  EXPECT_EQ(hit["timestamp"], "2026-02-10T08:19:22.658Z");
  EXPECT_EQ(hit["surfaces"], (Texts{"user_prompt", "tool"}));
  EXPECT_EQ(hit["messages"][1]["content"], "A token.");
  EXPECT_EQ(hit["resume"], "claude --resume '1 b'");
}

TEST(SearchJson, SaysWhatIsSpecialAboutAHit) {
  search::SearchAnswer answer = answer_with_one_hit();
  answer.notes = {"One.", "Two."};
  answer.hidden.subagents = 2;
  answer.more = true;
  search::Hit& hit = answer.hits.front();
  hit.copies = 2;
  hit.abandoned = true;
  hit.source_missing = true;
  hit.resume.clear();
  hit.explain = {{"bm25", 1.23456789, "jwt 1.2"}};
  const Json json = to_json(answer, 0);
  EXPECT_EQ(keys(json), (Texts{"query", "mode", "results", "total_results", "more", "note",
                               "hidden", "search_time_ms", "coverage"}));
  EXPECT_EQ(json["note"], "One. Two.");
  EXPECT_EQ(json["hidden"], (Json{{"subagents", 2}, {"automated", 0}, {"current", 0}}));
  const Json& shown = json["results"][0];
  const Texts names = keys(shown);
  EXPECT_EQ(Texts(names.end() - 6, names.end()),
            (Texts{"messages", "copies", "abandoned", "source_missing", "resume", "explain"}));
  EXPECT_EQ(shown["copies"], 2);
  EXPECT_EQ(shown["resume"], "");
  EXPECT_EQ(shown["explain"].dump(), R"([{"name":"bm25","value":1.2346,"detail":"jwt 1.2"}])");
}

TEST(SearchJson, CutsMessagesAndSaysSo) {
  const Json json = to_json(answer_with_one_hit(), 8);
  const Json& messages = json["results"][0]["messages"];
  EXPECT_EQ(messages[0].dump(), R"({"role":"user","content":"What is ",)"
                                R"("truncated":{"content":{"shown":8,"total":14}}})");
  EXPECT_EQ(messages[1].dump(), R"({"role":"assistant","content":"A token."})");
}

TEST(SearchJson, MessagesNameTheirTurnOnceThereAreNeighbours) {
  search::SearchAnswer answer = answer_with_one_hit();
  answer.hits.front().messages.insert(answer.hits.front().messages.begin(),
                                      search::Message{"user", "Before", 2, false});
  const Json json = to_json(answer, 0);
  const Json& messages = json["results"][0]["messages"];
  EXPECT_EQ(messages[0]["turn_number"], 2);
  EXPECT_EQ(messages[1]["turn_number"], 3);
}

TEST(SearchJson, NothingFoundIsAnEmptyList) {
  const Json json = to_json(search::SearchAnswer{}, 0);
  EXPECT_TRUE(json["results"].is_array());
  EXPECT_EQ(json["total_results"], 0);
  EXPECT_FALSE(json.contains("hidden"));
}

TEST(McpJson, TellsHowLikelyAHitIsAndWhatItIsWhereThatIsNotAConversationOfThisMachine) {
  search::SearchAnswer answer = answer_with_one_hit();
  search::Hit& hit = answer.hits.front();
  EXPECT_FALSE(to_compact_json(answer)["results"][0].contains("relevance"));
  EXPECT_FALSE(to_compact_json(answer)["results"][0].contains("machine"));
  EXPECT_FALSE(to_compact_json(answer)["results"][0].contains("kind"));
  hit.relevance = 0.87654;
  hit.session.host = "attic";
  hit.kind = search::kind_name(store::Standing::note);
  for (const Json& json : {to_compact_json(answer), to_json(answer, 0)}) {
    const Json& result = json["results"][0];
    EXPECT_EQ(result["relevance"], 0.88);
    EXPECT_EQ(result["machine"], "attic");
    EXPECT_EQ(result["kind"], "note");
  }
  hit.kind = search::kind_name(store::Standing::prompts);
  EXPECT_EQ(to_compact_json(answer)["results"][0]["kind"], "prompts");
}

TEST(McpJson, HasTheFieldsOfTheContractInItsOrder) {
  search::SearchAnswer answer = answer_with_one_hit();
  answer.notes = {"One."};
  answer.hidden.current = 1;
  answer.hits.front().copies = 1;
  for (int i = 0; i < 100; ++i) answer.hits.front().snippet.text += " äöüß";
  const Json json = to_compact_json(answer);
  EXPECT_EQ(keys(json), (Texts{"results", "total_results", "more", "hidden", "note", "coverage"}));
  EXPECT_EQ(keys(json["results"][0]),
            (Texts{"session_id", "project", "turn_number", "score", "snippet", "timestamp", "agent",
                   "title", "chunk_id", "surfaces", "copies"}));
  const auto snippet = json["results"][0]["snippet"].get<std::string>();
  EXPECT_EQ(text::first_chars(snippet, 300), snippet);
  EXPECT_GT(snippet.size(), 300U);
}

TEST(ChunkJson, HoldsTheTurnsAsShowDoes) {
  search::ChunkAnswer answer;
  answer.chunk_id = "a2ffd9f70123";
  answer.session.uid = "1a2b";
  answer.session.project = "shop";
  answer.session.agent = "claude-code";
  answer.turn_number = 1;
  turns::WholeTurn turn;
  turn.number = 1;
  turn.user_text = "Why?";
  answer.turns = {turn};
  const Json json = to_json(answer);
  EXPECT_EQ(keys(json),
            (Texts{"chunk_id", "session_id", "project", "agent", "turn_number", "turns"}));
  EXPECT_EQ(json["turns"][0], to_json(turn, "1a2b", false));
  answer.source_missing = true;
  EXPECT_EQ(to_json(answer)["source_missing"], true);
}

}  // namespace
}  // namespace yore::service
