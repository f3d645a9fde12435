// list, show and projects as people and scripts see them.
#include <gtest/gtest.h>
#include <unistd.h>

#include "e2e/sandbox.hpp"
#include "text/utf8.hpp"

namespace yore::e2e {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

// Everything but newline below space, DEL, and the two ways to write C1.
bool has_controls(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const text::Char c = text::decode_at(text, at);
    if (c.code_point != '\n' && c.code_point < 0x20) return true;
    if (c.code_point >= 0x7F && c.code_point < 0xA0) return true;
    if (c.code_point == 0x202E || c.is_stray()) return true;
    at += c.size_bytes;
  }
  return false;
}

class Reading : public testing::Test {
 protected:
  // Two sessions in two projects; the second is the newer one.
  void write_two() {
    box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 2));
    fake::ClaudeLines lines(kSecond, "/home/ann/code/shop");
    lines.set_time(from_ms(1'765'000'000'000));
    box_.write_session("shop", kSecond,
                       lines.prompt("Why is the cart empty?") + lines.answer("A cookie expired.") +
                           lines.custom_title("Empty cart"));
  }
  Sandbox box_;
};

TEST_F(Reading, ListShowsTheNewestFirstInAlignedColumns) {
  write_two();
  const Ran ran = box_.run({"list"});
  EXPECT_EQ(ran.code, 0);
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 3U) << ran.out << ran.err;
  EXPECT_TRUE(lines[0].starts_with("ID        ")) << ran.out;
  EXPECT_TRUE(lines[1].starts_with("2b3c4d5e  ")) << ran.out;
  EXPECT_TRUE(has(lines[1], "shop") && lines[1].ends_with("  Empty cart")) << ran.out;
  EXPECT_TRUE(lines[2].starts_with("1a2b3c4d  ")) << ran.out;
  EXPECT_EQ(lines[0].find("TITLE"), lines[1].find("Empty cart"));
  EXPECT_EQ(lines[0].find("TITLE"), lines[2].find("Question 0"));
}

TEST_F(Reading, TheFirstCommandIndexesAndSaysSo) {
  write_two();
  const Ran first = box_.run({"list"});
  EXPECT_TRUE(has(first.err, "No index yet")) << first.err;
  EXPECT_TRUE(has(first.err, "2 sessions: 2 new")) << first.err;
  const Ran second = box_.run({"list"});
  EXPECT_EQ(second.err, "");
  EXPECT_EQ(second.out, first.out);
}

TEST_F(Reading, QuietPrintsDataOnly) {
  write_two();
  const Ran ran = box_.run({"list", "--quiet"});
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(lines_of(ran.out).size(), 3U);
}

TEST_F(Reading, ListSeesWhatWasWrittenSinceTheLastRun) {
  write_two();
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"].size(), 2U);
  const std::string id = "3c4d5e6f-0000-4000-8000-000000000003";
  box_.write_session("blog", id, conversation(id, "later", 1));
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"].size(), 3U);
}

TEST_F(Reading, ListGoesOnBehindACursor) {
  write_two();
  const auto first = box_.run({"list", "--json", "-n", "1"}).json();
  EXPECT_EQ(first["conversations"][0]["session_id"], kSecond);
  const std::string cursor = first["next_cursor"];
  const auto rest = box_.run({"list", "--json", "--cursor", cursor}).json();
  ASSERT_EQ(rest["conversations"].size(), 1U);
  EXPECT_EQ(rest["conversations"][0]["session_id"], kFirst);
  EXPECT_FALSE(rest.contains("next_cursor"));
  const Ran wrong = box_.run({"list", "--cursor", cursor + "x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("--cursor: not a cursor of this list"), std::string::npos) << wrong.err;
}

TEST_F(Reading, ListJsonHasTheFieldsOfTheContract) {
  write_two();
  const auto json = box_.run({"--json", "list", "-n", "1"}).json();
  ASSERT_EQ(json["conversations"].size(), 1U);
  const auto& entry = json["conversations"][0];
  EXPECT_EQ(entry["session_id"], kSecond);
  EXPECT_EQ(entry["project"], "shop");
  EXPECT_EQ(entry["summary"], "Empty cart");
  EXPECT_EQ(entry["slug"], "");
  EXPECT_EQ(entry["turn_count"], 1);
  EXPECT_EQ(entry["cwd"], "/home/ann/code/shop");
  EXPECT_EQ(entry["git_branch"], "main");
  EXPECT_EQ(entry["agent"], "claude-code");
  EXPECT_EQ(entry["first_timestamp"], "2025-12-06T05:46:47.000Z");
  EXPECT_FALSE(entry.contains("parent_session_id"));
}

TEST_F(Reading, ListFilters) {
  write_two();
  EXPECT_EQ(lines_of(box_.run({"list", "-p", "SHOP"}).out).size(), 2U);
  EXPECT_EQ(lines_of(box_.run({"list", "-a", "claude-code"}).out).size(), 3U);
  EXPECT_EQ(lines_of(box_.run({"list", "-u", "2025-11-01"}).out).size(), 2U);
  EXPECT_EQ(lines_of(box_.run({"list", "--pattern", "*-shop"}).out).size(), 2U);
  const Ran none = box_.run({"list", "--until", "2001-01-01"});
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.err, "No sessions match.\n");
}

TEST_F(Reading, AProjectWithoutSessionsIsNamed) {
  write_two();
  const Ran ran = box_.run({"list", "-p", "nowhere"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "No sessions found for project nowhere")) << ran.err;
  const Ran json = box_.run({"list", "-p", "nowhere", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(json.json()["error"]["kind"], "not_found");
  EXPECT_EQ(json.json()["error"]["message"], "No sessions found for project nowhere");
}

TEST_F(Reading, ListShowsTheFirstPromptInPlaceOfASlug) {
  fake::ClaudeLines lines(kFirst);
  lines.set_slug("velvet-puzzling-eclipse");
  box_.write_session("blog", kFirst, lines.prompt("Move the feed") + lines.answer("Moved."));
  const Ran ran = box_.run({"list"});
  EXPECT_TRUE(has(ran.out, "Move the feed")) << ran.out;
  EXPECT_FALSE(has(ran.out, "velvet")) << ran.out;
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"][0]["summary"],
            "velvet-puzzling-eclipse");
}

TEST_F(Reading, ListCountsEmptySessionsAndSubAgents) {
  write_two();
  const std::string empty = "4d5e6f70-0000-4000-8000-000000000004";
  box_.write_session("blog", empty, fake::ClaudeLines(empty).custom_title("Nothing yet"));
  box_.write_session("blog", std::string(kFirst) + "/subagents/agent-a1b2c3d4e5",
                     conversation(kFirst, "digging", 1));
  const Ran ran = box_.run({"list"});
  EXPECT_EQ(lines_of(ran.out).size(), 3U) << ran.out;
  EXPECT_TRUE(has(ran.err, "1 empty session left out.\n")) << ran.err;
  EXPECT_TRUE(has(ran.err, "1 sub-agent session hidden, --subagents shows it.\n")) << ran.err;
  EXPECT_TRUE(has(box_.run({"list", "--subagents"}).out, "agent-a1b2c3d4"));
}

TEST_F(Reading, ShortIdsGrowWhenTheyAreAlike) {
  const std::string a = "1a2b3c4d-1111-4000-8000-000000000001";
  const std::string b = "1a2b3c4d-2222-4000-8000-000000000002";
  box_.write_session("blog", a, conversation(a, "one", 1));
  box_.write_session("blog", b, conversation(b, "two", 1));
  const Ran list = box_.run({"list"});
  EXPECT_TRUE(has(list.out, "1a2b3c4d-1 ")) << list.out;
  const Ran ambiguous = box_.run({"show", "1a2b3c4d"});
  EXPECT_EQ(ambiguous.code, 2);
  EXPECT_EQ(ambiguous.out, "");
  EXPECT_TRUE(has(ambiguous.err, a) && has(ambiguous.err, b)) << ambiguous.err;
  EXPECT_EQ(box_.run({"show", "1a2b3c4d", "--json"}).json()["error"]["kind"], "ambiguous");
  EXPECT_EQ(box_.run({"show", "1a2b3c4d-1"}).code, 0);
}

TEST_F(Reading, WideLettersLineUpAndNarrowScreensAreKept) {
  fake::ClaudeLines lines(kFirst, "/home/ann/code/検索");
  box_.write_session("--", kFirst,
                     lines.prompt("全文検索の分かち書きはどうすればよいですか、長い質問です") +
                         lines.answer("形態素解析です。"));
  box_.write_session("shop", kSecond, conversation(kSecond, "words", 1, "/home/ann/code/shop"));
  for (const char* columns : {"40", "60", "80"}) {
    box_.set_env("COLUMNS", columns);
    const auto rows = lines_of(box_.run({"list"}).out);
    ASSERT_EQ(rows.size(), 3U);
    for (const std::string& row : rows) {
      EXPECT_LE(text::display_width(row), std::stoul(columns)) << row;
    }
    const auto column = [](const std::string& row, std::string_view part) {
      return text::display_width(row.substr(0, row.find(part)));
    };
    const std::size_t title = column(rows[0], "TITLE");
    EXPECT_TRUE(column(rows[1], "全文検索の") == title || column(rows[2], "全文検索の") == title);
  }
}

TEST_F(Reading, ShowPrintsHeaderAndTurns) {
  const std::string path = box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 1));
  const Ran ran = box_.run({"show", "1a2b"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "Question 0 about feeds\n"
            "  session   1a2b3c4d-0000-4000-8000-000000000001\n"
            "  agent     Claude Code\n"
            "  project   blog\n"
            "  folder    /home/ann/code/blog\n"
            "  branch    main\n"
            "  model     claude-sonnet-4-5\n"
            "  time      2025-10-09 08:53\n"
            "  turns     1\n"
            "  source    ~" +
                path.substr(box_.home().size()) +
                "\n"
                "\n"
                "── turn 0 · 2025-10-09 08:53 ──\n"
                "You:\n"
                "  Question 0 about feeds\n"
                "\n"
                "  • Bash grep feeds notes\n"
                "\n"
                "Claude:\n"
                "  Answer 0 about feeds\n");
}

TEST_F(Reading, ShowPages) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 24));
  const Ran first = box_.run({"show", "1a2b"});
  EXPECT_TRUE(first.err.ends_with("turns 0–9 of 24, next: yore show 1a2b3c4d --offset 10\n"))
      << first.err;
  const Ran last = box_.run({"show", "1a2b", "--offset", "20"});
  EXPECT_EQ(last.err, "turns 20–23 of 24\n");
  EXPECT_TRUE(has(last.out, "Answer 23") && !has(last.out, "Answer 19"));
  EXPECT_EQ(box_.run({"show", "1a2b", "--offset", "24"}).code, 1);
  const auto json = box_.run({"show", "1a2b", "--offset", "3", "--limit", "2", "--json"}).json();
  EXPECT_EQ(json["total_turns"], 24);
  EXPECT_EQ(json["offset"], 3);
  EXPECT_EQ(json["limit"], 2);
  EXPECT_EQ(json["next_offset"], 5);
  EXPECT_EQ(json["turns"][1]["turn_number"], 4);
  EXPECT_EQ(json["turns"][1]["user_text"], "Question 4 about feeds");
}

TEST_F(Reading, ShowOneTurn) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 3));
  const Ran ran = box_.run({"show", "1a2b", "--turn", "2"});
  EXPECT_TRUE(ran.out.starts_with("── turn 2 · ")) << ran.out;
  EXPECT_FALSE(has(ran.out, "Question 1"));
  const auto json = box_.run({"show", "1a2b", "--turn", "2", "--json"}).json();
  EXPECT_EQ(json["session_id"], kFirst);
  EXPECT_EQ(json["turn_number"], 2);
  EXPECT_EQ(json["assistant_text"], "Answer 2 about feeds");
  EXPECT_EQ(json["tools_used"][0]["tool"], "Bash");
  EXPECT_EQ(json["tools_used"][0]["command"], "grep feeds notes");
}

TEST_F(Reading, ShowSaysWhatDoesNotExist) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 3));
  const Ran turn = box_.run({"show", "1a2b", "--turn", "3"});
  EXPECT_EQ(turn.code, 1);
  EXPECT_TRUE(has(turn.err, "Turn 3 out of range (session has 3 turns)")) << turn.err;
  const Ran session = box_.run({"show", "ffff"});
  EXPECT_EQ(session.code, 1);
  EXPECT_TRUE(has(session.err, "Unknown session_id: ffff")) << session.err;
  EXPECT_EQ(box_.run({"show", "ffff", "--json"}).json()["error"]["message"],
            "Unknown session_id: ffff");
}

TEST_F(Reading, ASessionWhoseFileIsGoneIsReadFromTheIndex) {
  const std::string path = box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 2));
  EXPECT_EQ(box_.run({"index"}).code, 0);
  ASSERT_EQ(::unlink(path.c_str()), 0);
  const Ran ran = box_.run({"show", "1a2b"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran.out, "source is gone, read from the index")) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "Answer 1 about feeds")) << ran.out;
}

TEST_F(Reading, ProjectsAreCounted) {
  write_two();
  const auto json = box_.run({"projects", "--json"}).json();
  ASSERT_EQ(json["projects"].size(), 2U);
  EXPECT_EQ(json["projects"][0]["project"], "shop");
  EXPECT_EQ(json["projects"][1]["project"], "blog");
  EXPECT_EQ(json["projects"][1]["sessions"], 1);
  EXPECT_EQ(json["projects"][1]["turns"], 2);
  EXPECT_EQ(json["projects"][1]["path"], "/home/ann/code/blog");
  const auto rows = lines_of(box_.run({"projects"}).out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[1].starts_with("shop ")) << rows[1];
}

TEST_F(Reading, NothingInATranscriptControlsTheTerminal) {
  const std::string evil = "\x1b]0;owned\x07 \x1b[2J\x1b[31mred \u202e\u009b1mback \x08\x7f end";
  fake::ClaudeLines lines(kFirst, "/home/ann/code/" + evil);
  lines.set_branch(evil);
  box_.write_session("blog", kFirst,
                     lines.prompt("Prompt " + evil) + lines.tool_call("Bash", {{"command", evil}}) +
                         lines.answer("Answer " + evil) + lines.custom_title("Title " + evil) +
                         lines.of_type(evil));
  for (const std::vector<std::string>& args : {std::vector<std::string>{"list"},
                                               {"show", "1a2b"},
                                               {"show", "1a2b", "--turn", "0"},
                                               {"projects"},
                                               {"status"},
                                               {"doctor"},
                                               {"agents"},
                                               {"resume", "1a2b"},
                                               {"show", evil},
                                               {"list", "--json"},
                                               {"show", "1a2b", "--json"},
                                               {"status", "--json"},
                                               {"projects", "--json"},
                                               {"resume", "1a2b", "--json"},
                                               {"show", evil, "--json"}}) {
    const Ran ran = box_.run(args);
    EXPECT_FALSE(has_controls(ran.out)) << args[0] << ": " << ran.out;
    EXPECT_FALSE(has_controls(ran.err)) << args[0] << ": " << ran.err;
    EXPECT_NE(ran.code, 3) << args[0] << ran.err;
  }
  EXPECT_EQ(box_.run({"show", "1a2b", "--turn", "0", "--json"}).json()["user_text"],
            "Prompt " + evil);
}

TEST_F(Reading, ColoursOnlyWhereTheyBelong) {
  write_two();
  EXPECT_FALSE(has(box_.run({"list"}).out, "\x1b["));
  EXPECT_TRUE(has(box_.run({"list", "--color", "always"}).out, "\x1b[36m"));
  EXPECT_TRUE(has(box_.run_on_terminal({"list"}, 80).out, "\x1b[36m"));
  EXPECT_FALSE(has(box_.run_on_terminal({"list", "--color", "never"}, 80).out, "\x1b["));
  EXPECT_TRUE(has(box_.run({"show", "1a2b", "--color=always"}).out, "\x1b[36mYou:\x1b[0m"));
  EXPECT_TRUE(has(box_.run({"show", "1a2b", "--color=always"}).out, "\x1b[32mClaude:\x1b[0m"));
  box_.set_env("NO_COLOR", "1");
  EXPECT_FALSE(has(box_.run_on_terminal({"list"}, 80).out, "\x1b["));
}

TEST_F(Reading, TheRealWidthOfTheTerminalCounts) {
  write_two();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  const Ran ran = box_.run_on_terminal({"list", "--color", "never"}, 30);
  for (std::string row : lines_of(ran.out)) {
    if (row.ends_with("\r")) row.pop_back();
    EXPECT_LE(text::display_width(row), 30U) << row;
  }
}

TEST_F(Reading, AClosedPipeEndsQuietly) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 400));
  EXPECT_EQ(box_.run({"index"}).code, 0);
  const Ran ran = box_.run_into_closed_pipe({"show", "1a2b", "--limit", "400", "--quiet"});
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.code, 0);
}

}  // namespace
}  // namespace yore::e2e
