// chunk: one turn in full.
#include <gtest/gtest.h>

#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

class Chunk : public SearchBox {};

TEST_F(Chunk, ShowsOneTurnInFull) {
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
  EXPECT_FALSE(has(around.out, "Answer 0") || has(around.out, "Answer 4")) << around.out;
}

TEST_F(Chunk, JsonHoldsTheTurnsAsShowDoes) {
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

TEST_F(Chunk, SaysWhatDoesNotExist) {
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
TEST_F(Chunk, AnAmbiguousIdListsTheCandidates) {
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

}  // namespace
}  // namespace yore::e2e
