// list_conversations: rows, filters, and pages that miss nothing.
#include <gtest/gtest.h>

#include <set>

#include "mcp/tools/answers.hpp"
#include "text/utf8.hpp"
#include "unit/mcp/recalled.hpp"

namespace yore::mcp {
namespace {

using fake::ClaudeLines;

class Listing : public Recalled {
 protected:
  void SetUp() override {
    write("b10g-0001", "blog", 1, {{"why is the parrot blue", "It is a norwegian parrot."}});
    write("b10g-0002", "blog", 5, {{"feed the parrot", "Fed it."}, {"again", "Done."}});
    write("5h0p-0001", "shop", 3, {{"sell a parrot", "Sold it."}});
    index();
  }
  Texts listed(const Json& arguments = Json::object()) {
    return list(arguments).ids("conversations");
  }
  std::string refused(const Json& arguments) {
    const Told told = list(arguments);
    EXPECT_TRUE(told.is_error) << told.text;
    return told.error();
  }
  // All pages, one after the other.
  Texts pages(Json arguments, std::size_t* count = nullptr) {
    Texts ids;
    for (std::size_t page = 1;; ++page) {
      const Told told = list(arguments);
      EXPECT_FALSE(told.is_error) << told.text;
      EXPECT_LE(text::count_chars(told.text), kPageChars);
      const Texts more = told.ids("conversations");
      ids.insert(ids.end(), more.begin(), more.end());
      if (count != nullptr) *count = page;
      if (!told.json.contains("next_cursor") || page > 1000) return ids;
      arguments["cursor"] = told.json["next_cursor"];
    }
  }
};

TEST_F(Listing, HasTheFieldsOfTheContractNewestFirst) {
  const Told told = list();
  EXPECT_EQ(keys(told.json), (Texts{"conversations"}));
  EXPECT_EQ(told.ids("conversations"), (Texts{"b10g-0002", "5h0p-0001", "b10g-0001"}));
  const Json& row = told.json["conversations"][0];
  EXPECT_EQ(keys(row), (Texts{"session_id", "project", "summary", "slug", "first_timestamp",
                              "last_timestamp", "turn_count", "cwd", "git_branch", "agent"}));
  EXPECT_EQ(row["summary"], "feed the parrot");
  EXPECT_EQ(row["turn_count"], 2);
  EXPECT_EQ(row["cwd"], "/home/ann/code/blog");
  EXPECT_EQ(row["git_branch"], "main");
}

TEST_F(Listing, NarrowsByProjectAgentAndTime) {
  EXPECT_EQ(listed({{"project", "shop"}}), (Texts{"5h0p-0001"}));
  EXPECT_EQ(listed({{"agent", "CLAUDE-CODE"}}).size(), 3U);
  EXPECT_EQ(listed({{"agent", "openclaw"}}), Texts{});
  EXPECT_EQ(listed({{"since", "2026-02-22"}, {"until", "2026-02-24"}}), (Texts{"5h0p-0001"}));
  EXPECT_NE(refused({{"since", "once"}}).find("since must be a time"), std::string::npos);
  EXPECT_NE(refused({{"project", Json::object()}}).find("project must be"), std::string::npos);
}

TEST_F(Listing, SaysWhyItIsEmpty) {
  EXPECT_EQ(list({{"project", "zoo"}}).note(), "No sessions found for project zoo.");
  EXPECT_EQ(list({{"project", "shop"}, {"since", "1h"}}).note(), "No conversations match.");
  EXPECT_EQ(list({{"since", "1h"}}).note(), "No conversations match.");
  const Told typo = list({{"agent", "codexx"}});
  EXPECT_EQ(typo.note().find("no agent \"codexx\"; did you mean codex? known agents: "), 0U)
      << typo.note();
  EXPECT_EQ(list({{"agent", "openclaw"}}).note(), "There are no sessions of OpenClaw.");
  EXPECT_FALSE(list({{"project", "zoo"}}).is_error);
}

TEST_F(Listing, ShowsSubagentsWhenAskedFor) {
  ClaudeLines lines("agent-d00d", "/home/ann/code/blog");
  machine.write(machine.session_path("-home-ann-code-blog", "b10g-0001/subagents/agent-d00d"),
                lines.prompt("look") + lines.answer("seen"));
  index();
  EXPECT_EQ(listed().size(), 3U);
  const Told told = list({{"include_subagents", true}});
  EXPECT_EQ(told.ids("conversations").back(), "b10g-0001/agent-d00d");
  EXPECT_EQ(told.json["conversations"].back()["parent_session_id"], "b10g-0001");
}

TEST_F(Listing, LimitsAndGoesOnBehindTheCursor) {
  const Told told = list({{"limit", 2}});
  EXPECT_EQ(told.ids("conversations"), (Texts{"b10g-0002", "5h0p-0001"}));
  const std::string cursor = told.json["next_cursor"];
  const Told rest = list({{"limit", 2}, {"cursor", cursor}});
  EXPECT_EQ(rest.ids("conversations"), (Texts{"b10g-0001"}));
  EXPECT_FALSE(rest.json.contains("next_cursor"));
  EXPECT_NE(refused({{"limit", 0}}).find("from 1 to 100"), std::string::npos);
  EXPECT_EQ(list({{"limit", 101}}).note(), "limit was reduced to 100, its maximum.");
  EXPECT_EQ(listed({{"limit", 3}}).size(), 3U);
  EXPECT_FALSE(list({{"limit", 3}}).json.contains("next_cursor"));
}

TEST_F(Listing, RefusesACursorThatIsNotItsOwn) {
  const std::string cursor = list({{"limit", 1}}).json["next_cursor"];
  for (const std::string& wrong :
       {std::string("abc"), cursor.substr(0, cursor.size() - 1), "0" + cursor, cursor + " ",
        std::string("2"), std::string(300, '.')}) {
    EXPECT_NE(refused({{"cursor", wrong}}).find("cursor is not one of this list"),
              std::string::npos)
        << wrong;
  }
  EXPECT_EQ(listed({{"cursor", ""}}).size(), 3U);  // as if left out
}

TEST_F(Listing, PagesGiveEverySessionOnceWhateverTheirSize) {
  std::set<std::string> all = {"b10g-0001", "b10g-0002", "5h0p-0001"};
  for (int i = 0; i < 140; ++i) {
    const std::string id = "5e55-" + std::to_string(1000 + i);
    // Many of one time: the order among them must be firm, too.
    write(id, "many", i % 5, {{"prompt number " + std::to_string(i), "answer"}});
    all.insert(id);
  }
  index();
  for (const int limit : {1, 7, 50, 100}) {
    const Texts ids = pages({{"limit", limit}});
    EXPECT_EQ(ids.size(), all.size()) << limit;
    EXPECT_EQ((std::set<std::string>(ids.begin(), ids.end())), all) << limit;
  }
}

TEST_F(Listing, PagesKeepWithinTheBudgetHoweverLongTheRows) {
  for (int i = 0; i < 12; ++i) {
    const std::string id = "10n9-" + std::to_string(1000 + i);
    ClaudeLines lines(id, "/home/ann/code/" + std::string(3000, 'd'));
    lines.set_branch(std::string(900, '\x02'));
    lines.set_time(day(7));
    machine.write(machine.session_path("-home-ann-code-long", id),
                  lines.prompt("long") + lines.answer("rows") +
                      lines.custom_title(std::string(5000, '\x01')));
  }
  index();
  std::size_t count = 0;
  const Texts ids = pages(Json::object(), &count);
  EXPECT_EQ(ids.size(), 15U);
  EXPECT_GT(count, 1U);
  const Json row = list({{"limit", 1}}).json["conversations"][0];
  EXPECT_EQ(row["git_branch"], std::string(500, '\x02'));
  EXPECT_EQ(row["truncated"]["git_branch"]["total"], 900);
  EXPECT_EQ(row["truncated"]["cwd"]["shown"], 500);
}

TEST_F(Listing, ASessionThatGrowsMeanwhileNeitherRepeatsNorHidesOthers) {
  for (int i = 0; i < 6; ++i) {
    write("5e55-" + std::to_string(1000 + i), "many", i + 10, {{"prompt", "answer"}});
  }
  index();
  const Told first = list({{"limit", 3}});
  EXPECT_EQ(first.ids("conversations"), (Texts{"5e55-1005", "5e55-1004", "5e55-1003"}));
  // The last one shown moves to the top.
  write("5e55-1003", "many", 20, {{"prompt", "answer"}, {"more", "of it"}});
  index();
  const Told second = list({{"limit", 3}, {"cursor", first.json["next_cursor"]}});
  EXPECT_EQ(second.ids("conversations"), (Texts{"5e55-1002", "5e55-1001", "5e55-1000"}));
}

TEST_F(Listing, SaysWhenTheListEnds) {
  const Told first = list({{"limit", 2}});
  machine.remove(machine.session_path("-home-ann-code-blog", "b10g-0001"));
  ingest::IndexOptions options;
  options.forget_missing = true;
  machine.index(options);
  const Told told = list({{"cursor", first.json["next_cursor"]}});
  EXPECT_EQ(told.json["conversations"], Json::array());
  EXPECT_EQ(told.note(), "The list ends here.");
}

}  // namespace
}  // namespace yore::mcp
