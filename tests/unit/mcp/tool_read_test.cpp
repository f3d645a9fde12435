// read_turn and read_conversation.
#include <gtest/gtest.h>

#include "mcp/tools/answers.hpp"
#include "mcp/tools/turn_pieces.hpp"
#include "text/utf8.hpp"
#include "unit/mcp/recalled.hpp"

namespace yore::mcp {
namespace {

using fake::ClaudeLines;

constexpr const char* kId = "5e55-0001";

class ReadingTools : public Recalled {
 protected:
  void SetUp() override {
    ClaudeLines lines(kId, "/home/ann/code/blog");
    path = machine.write(
        machine.session_path("-home-ann-code-blog", kId),
        lines.prompt("first question") + lines.tool_call("Bash", {{"command", "ls -l"}}) +
            lines.tool_result("a b") + lines.answer("first answer") +
            lines.prompt("second question") + lines.tool_call("Read", {{"file_path", "/x/y.cc"}}) +
            lines.tool_result("int x;") + lines.answer("second answer") +
            lines.prompt("third question") + lines.answer("third answer"));
    index();
  }
  Told turn(Json arguments) {
    if (!arguments.contains("session_id")) arguments["session_id"] = kId;
    if (!arguments.contains("turn_number")) arguments["turn_number"] = 0;
    return read_turn(arguments);
  }
  Told page(Json arguments = Json::object()) {
    if (!arguments.contains("session_id")) arguments["session_id"] = kId;
    return read_conversation(arguments);
  }
  // A session of one long turn.
  void write_long(const std::string& prompt, const std::string& answer, int tools) {
    ClaudeLines lines("10n9-0001", "/home/ann/code/blog");
    std::string bytes = lines.prompt(prompt);
    for (int i = 0; i < tools; ++i) {
      bytes += lines.tool_call("Bash", {{"command", "make target-" + std::to_string(i)}});
      bytes += lines.tool_result("done");
    }
    machine.write(machine.session_path("-home-ann-code-blog", "10n9-0001"),
                  bytes + lines.answer(answer) + lines.prompt("short") + lines.answer("one"));
    index();
  }
  std::string path;
};

TEST_F(ReadingTools, ATurnHasTheFieldsOfTheContract) {
  const Told told = turn({{"turn_number", 1}});
  EXPECT_EQ(keys(told.json), (Texts{"session_id", "turn_number", "timestamp", "user_text",
                                    "assistant_text", "tools_used"}));
  EXPECT_EQ(told.json["session_id"], kId);
  EXPECT_EQ(told.json["turn_number"], 1);
  EXPECT_EQ(told.json["user_text"], "second question");
  EXPECT_EQ(told.json["assistant_text"], "second answer");
  EXPECT_EQ(told.json["tools_used"], Json::parse(R"([{"tool":"Read","file":"/x/y.cc"}])"));
}

TEST_F(ReadingTools, UnknownSessionsAndTurnsHaveTheErrorsOfTheContract) {
  EXPECT_EQ(turn({{"session_id", "nope"}}).json, (Json{{"error", "Unknown session_id: nope"}}));
  EXPECT_EQ(page({{"session_id", "nope"}}).json, (Json{{"error", "Unknown session_id: nope"}}));
  EXPECT_EQ(turn({{"turn_number", 3}}).json,
            (Json{{"error", "Turn 3 out of range (session has 3 turns)"}}));
}

TEST_F(ReadingTools, APrefixIsEnoughUnlessItNamesSeveral) {
  EXPECT_EQ(turn({{"session_id", "5e55"}}).json["user_text"], "first question");
  write("5e55-0002", "blog", 1, {{"a", "b"}});
  index();
  for (const Told& told : {turn({{"session_id", "5e55"}}), page({{"session_id", "5e55"}})}) {
    EXPECT_EQ(told.error(),
              "'5e55' names several sessions: 5e55-0002, 5e55-0001. Give more of the id.");
  }
}

TEST_F(ReadingTools, ManyCandidatesAreCountedNotListed) {
  for (int i = 10; i < 30; ++i) {
    write("ca5e-" + std::to_string(i), "blog", i, {{"title\nwith  two lines", "b"}});
  }
  index();
  const std::string error = turn({{"session_id", "ca5e"}}).error();
  EXPECT_NE(error.find("ca5e-29, ca5e-28, "), std::string::npos) << error;
  EXPECT_NE(error.find("ca5e-20 and 10 more. Give more of the id."), std::string::npos) << error;
  EXPECT_EQ(error.find("title"), std::string::npos) << error;
}

TEST_F(ReadingTools, ArgumentsAreChecked) {
  const auto wrong = [](const Told& told, std::string_view part) {
    EXPECT_TRUE(told.is_error) << told.text;
    EXPECT_NE(told.error().find(part), std::string::npos) << told.text;
  };
  wrong(read_turn({{"turn_number", 0}}), "session_id is required.");
  wrong(read_turn({{"session_id", kId}}), "turn_number is required.");
  wrong(turn({{"session_id", " "}}), "session_id must not be empty.");
  wrong(turn({{"turn_number", -1}}), "turn_number must be a whole number from 0");
  wrong(turn({{"turn_number", 1.5}}), "turn_number must be a whole number");
  wrong(turn({{"turn_number", "one"}}), "not \"one\"");
  wrong(turn({{"offset", -1}}), "offset must be a whole number from 0");
  wrong(turn({{"max_chars", 0}}), "max_chars must be a whole number from 1 to 40000, not 0.");
  wrong(read_conversation({{"limit", 1}}), "session_id is required.");
  wrong(page({{"offset", -1}}), "offset must be a whole number from 0");
  wrong(page({{"limit", 0}}), "limit must be a whole number from 1 to 100, not 0.");
  wrong(turn({{"session_id", std::string(501, 'x')}}), "session_id must have at most 500");
  EXPECT_EQ(turn({{"turn_number", "2"}}).json["user_text"], "third question");
  EXPECT_EQ(turn({{"session_id", " 5e55-0001\n"}}).json["user_text"], "first question");
  EXPECT_EQ(turn({{"turn_number", 4'294'967'294}}).error(),
            "Turn 4294967294 out of range (session has 3 turns)");
}

TEST_F(ReadingTools, ATurnIsReadFromTheStoreWhenItsFileIsGone) {
  machine.remove(path);
  const Told told = turn({{"turn_number", 1}});
  EXPECT_EQ(told.json["assistant_text"], "second answer");
  EXPECT_EQ(told.json["source_missing"], true);
  EXPECT_EQ(page().json["turns"][2]["source_missing"], true);
}

TEST_F(ReadingTools, ATurnIsReadAgainFromItsFile) {
  ClaudeLines lines(kId);
  machine.write(path, lines.prompt("another question") + lines.answer("another answer"));
  EXPECT_EQ(turn({}).json["user_text"], "another question");  // not indexed yet
}

TEST_F(ReadingTools, ALongTurnComesInPiecesThatMakeItWhole) {
  const std::string prompt = std::string(300, 'p') + " ñ";
  const std::string answer = std::string(70'000, 'a') + "end";
  write_long(prompt, answer, 30);
  Json arguments = {{"session_id", "10n9"}, {"turn_number", 0}};
  Told told = read_turn(arguments);
  EXPECT_EQ(told.json["user_text"], prompt);
  EXPECT_EQ(told.json["assistant_text"].get<std::string>().size(), 40'000U - 302);
  EXPECT_EQ(told.json["truncated"]["assistant_text"]["shown"], 40'000 - 302);
  EXPECT_EQ(told.json["truncated"]["assistant_text"]["total"], 70'003);
  EXPECT_EQ(told.json["truncated"]["tools_used"]["shown"], 0);
  EXPECT_EQ(told.json["truncated"]["tools_used"]["total"], 30);
  EXPECT_FALSE(told.json["truncated"].contains("user_text"));
  EXPECT_EQ(told.json["next_offset"], 40'000);
  std::string said =
      told.json["user_text"].get<std::string>() + told.json["assistant_text"].get<std::string>();
  arguments["offset"] = told.json["next_offset"];
  told = read_turn(arguments);
  said +=
      told.json["user_text"].get<std::string>() + told.json["assistant_text"].get<std::string>();
  EXPECT_EQ(said, prompt + answer);
  EXPECT_EQ(told.json["tools_used"].size(), 30U);
  EXPECT_EQ(told.json["truncated"]["user_text"]["shown"], 0);
  EXPECT_FALSE(told.json.contains("next_offset"));
}

TEST_F(ReadingTools, MaxCharsIsWhatIsGiven) {
  const Told told = turn({{"max_chars", 20}});
  EXPECT_EQ(told.json["user_text"], "first question");
  EXPECT_EQ(told.json["assistant_text"], "first ");
  EXPECT_EQ(told.json["next_offset"], 20);
  const Told next = turn({{"max_chars", 20}, {"offset", 20}});
  EXPECT_EQ(next.json["user_text"], "");
  EXPECT_EQ(next.json["assistant_text"], "answer");
  const Told more = turn({{"max_chars", 90'000}});
  EXPECT_EQ(more.note(), "max_chars was reduced to 40000, its maximum.");
}

TEST_F(ReadingTools, AnOffsetBehindTheEndIsSaidNotRefused) {
  const Told told = turn({{"turn_number", 2}, {"offset", 9000}});
  EXPECT_FALSE(told.is_error);
  EXPECT_EQ(told.json["user_text"], "");
  EXPECT_EQ(told.note(), "offset lies behind the end: the turn has 26 characters.");
}

TEST_F(ReadingTools, AConversationHasTheFieldsOfTheContract) {
  const Told told = page();
  EXPECT_EQ(keys(told.json), (Texts{"session_id", "project", "cwd", "git_branch", "total_turns",
                                    "offset", "limit", "turns"}));
  EXPECT_EQ(told.json["session_id"], kId);
  EXPECT_EQ(told.json["project"], "blog");
  EXPECT_EQ(told.json["cwd"], "/home/ann/code/blog");
  EXPECT_EQ(told.json["total_turns"], 3);
  EXPECT_EQ(told.json["offset"], 0);
  EXPECT_EQ(told.json["limit"], 10);
  ASSERT_EQ(told.json["turns"].size(), 3U);
  EXPECT_EQ(told.json["turns"][1], turn({{"turn_number", 1}}).json);
}

TEST_F(ReadingTools, AConversationIsPagedByTurns) {
  const Told told = page({{"offset", 1}, {"limit", 1}});
  EXPECT_EQ(told.json["turns"].size(), 1U);
  EXPECT_EQ(told.json["turns"][0]["turn_number"], 1);
  EXPECT_EQ(told.json["next_offset"], 2);
  EXPECT_FALSE(page({{"offset", 2}, {"limit", 1}}).json.contains("next_offset"));
  EXPECT_EQ(page({{"limit", 1000}}).note(), "limit was reduced to 100, its maximum.");
  const Told beyond = page({{"offset", 7}});
  EXPECT_EQ(beyond.json["turns"], Json::array());
  EXPECT_EQ(beyond.note(), "offset lies behind the end: the session has 3 turns.");
}

TEST_F(ReadingTools, APageHoldsWholeTurnsWithinItsBudget) {
  std::vector<std::pair<std::string, std::string>> turns;
  for (int i = 0; i < 30; ++i) {
    turns.emplace_back("question " + std::to_string(i), std::string(3000, 'x'));
  }
  write("9a9e-0001", "blog", 2, turns);
  index();
  std::size_t seen = 0;
  Json arguments = {{"session_id", "9a9e"}, {"limit", 30}};
  while (true) {
    const Told told = read_conversation(arguments);
    EXPECT_LE(text::count_chars(told.text), kPageChars);
    for (const Json& each : told.json["turns"]) {
      EXPECT_EQ(each["turn_number"], seen++);
      EXPECT_EQ(each["assistant_text"].get<std::string>().size(), 3000U);
      EXPECT_FALSE(each.contains("truncated"));
    }
    if (!told.json.contains("next_offset")) break;
    ASSERT_GT(told.json["turns"].size(), 5U);
    EXPECT_EQ(told.json["next_offset"], seen);
    arguments["offset"] = told.json["next_offset"];
  }
  EXPECT_EQ(seen, 30U);
}

TEST_F(ReadingTools, ATurnTooLongForAPageIsCutThereAndSaysSo) {
  write_long(std::string(50'000, 'p'), std::string(60'000, '\n') + "end", 400);
  const Told told = page({{"session_id", "10n9"}});
  EXPECT_LE(text::count_chars(told.text), kPageChars);
  EXPECT_GT(text::count_chars(told.text), kPageChars - 2 * kNoteChars);
  ASSERT_EQ(told.json["turns"].size(), 1U);
  const Json& cut = told.json["turns"][0]["truncated"];
  EXPECT_EQ(keys(cut), (Texts{"user_text", "assistant_text", "tools_used"}));
  EXPECT_GT(cut["user_text"]["shown"], 5000);
  EXPECT_EQ(cut["user_text"]["total"], 50'000);
  EXPECT_GT(cut["assistant_text"]["shown"], 2500);
  EXPECT_GT(cut["tools_used"]["shown"], 50);
  EXPECT_EQ(told.note(), "Turn 0 is too long for a page; read_turn gives all of it.");
  EXPECT_EQ(told.json["next_offset"], 1);
}

}  // namespace
}  // namespace yore::mcp
