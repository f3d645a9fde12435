// Stars, tags and names as people use them.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <thread>

#include "e2e/mcp_client.hpp"
#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

class MarksOfPeople : public SearchBox {
 protected:
  void SetUp() override {
    write_three();
    ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  }
  std::string chunk_of(const std::string& words) {
    return box_.run({"search", words, "--json"}).json()["results"][0]["chunk_id"];
  }
};

TEST_F(MarksOfPeople, AStarOnATurnAndOnASession) {
  const std::string chunk = chunk_of("wishlist");
  const Ran starred = box_.run({"star", chunk.substr(0, 8), "1a2b3c4d"});
  EXPECT_EQ(starred.code, 0) << starred.err;
  EXPECT_EQ(starred.out,
            "Starred: Add a wishlist page\n"
            "Starred: Why is the feed of the blog empty?\n");
  EXPECT_EQ(box_.run({"star", chunk}).err, "It was there already.\n");

  const Ran all = box_.run({"star"});
  EXPECT_TRUE(has(all.out, "★") && has(all.out, chunk) && has(all.out, "1a2b3c4d")) << all.out;
  const auto json = box_.run({"star", "--json"}).json()["marks"];
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["chunk_id"], chunk);
  EXPECT_EQ(json[0]["turn_number"], 0);
  EXPECT_EQ(json[1]["session_id"], kFirst);
  EXPECT_FALSE(json[1].contains("turn_number"));

  const auto found = box_.run({"search", "is:starred", "--json"}).json();
  ASSERT_EQ(found["results"].size(), 4U) << found;
  EXPECT_EQ(found["results"][0]["chunk_id"], chunk) << "newest first";
  EXPECT_EQ(found["results"][0]["starred"], true);
  EXPECT_EQ(box_.run({"search", "--starred", "--json"}).json()["results"], found["results"]);
  EXPECT_EQ(box_.run({"list", "--starred", "--json"}).json()["conversations"].size(), 2U);
  EXPECT_TRUE(has(box_.run({"list"}).out, "★ Why is the feed")) << box_.run({"list"}).out;
  EXPECT_TRUE(has(box_.run({"search", "wishlist"}).out, "| ★"));

  EXPECT_EQ(box_.run({"star", chunk, "--remove"}).out, "No longer starred: Add a wishlist page\n");
  EXPECT_EQ(box_.run({"star", chunk, "--remove"}).code, 1) << "it was not there";
  EXPECT_EQ(box_.run({"search", "is:starred", "--json"}).json()["results"].size(), 3U);
}

TEST_F(MarksOfPeople, TagsAndNames) {
  EXPECT_EQ(box_.run({"tag", "2b3c4d5e", "cart", "Bug"}).code, 0);
  EXPECT_EQ(box_.run({"tag", "1a2b3c4d", "--turn", "1", "bug"}).code, 0);
  EXPECT_EQ(found({"tag:bug"}), (Texts{kSecond, kFirst}));
  EXPECT_EQ(found({"--tag", "cart"}), Texts{kSecond});
  const auto hit = box_.run({"search", "cookie", "--json"}).json()["results"][0];
  EXPECT_EQ(hit["tags"], (nlohmann::json{"cart", "Bug"}));
  EXPECT_TRUE(has(box_.run({"show", "2b3c4d5e"}).out, "#cart #Bug"));
  EXPECT_EQ(box_.run({"tag", "cart", "--json"}).json()["marks"].size(), 1U);
  EXPECT_EQ(box_.run({"tag", "nosuch"}).code, 1);

  EXPECT_EQ(box_.run({"name", "2b3c4d5e", "the", "cookie", "hunt"}).code, 0);
  EXPECT_TRUE(has(box_.run({"show", "the cookie hunt"}).out, "Empty cart"));
  EXPECT_TRUE(has(box_.run({"list", "hunt"}).out, "the cookie hunt: Empty cart"));
  EXPECT_EQ(box_.run({"list", "hunt", "--json"}).json()["conversations"][0]["name"],
            "the cookie hunt");
  EXPECT_EQ(box_.run({"tag", "2b3c4d5e", "--remove"}).code, 0);
  EXPECT_EQ(found({"tag:bug"}), Texts{kFirst});
  EXPECT_EQ(box_.run({"name", "2b3c4d5e", "--remove"}).code, 0);
  EXPECT_EQ(box_.run({"show", "the cookie hunt"}).code, 1);
}

TEST_F(MarksOfPeople, WrongUsesAreSentences) {
  EXPECT_EQ(box_.run({"star", "nosuchid"}).code, 1);
  EXPECT_EQ(box_.run({"star", "nosuchid"}).err,
            "yore: Unknown id: nosuchid\n  the id of a session (yore list) or of a turn (yore "
            "search)\n");
  EXPECT_EQ(box_.run({"star", "--remove"}).code, 2);
  EXPECT_EQ(box_.run({"star", "1a2b3c4d", "--turn", "99"}).code, 1);
  EXPECT_EQ(box_.run({"tag", "1a2b3c4d", "two words"}).code, 2);
  EXPECT_EQ(box_.run({"name", "1a2b3c4d"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir() + "/keep/keep.db"));
  EXPECT_EQ(box_.run({"star"}).code, 0);
  EXPECT_EQ(box_.run({"search", "is:starred"}).code, 1);
}

TEST_F(MarksOfPeople, TwentyProcessesAtOnceLoseNoMark) {
  std::vector<Sandbox::Started> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(box_.start({"tag", i % 2 == 0 ? kFirst : kSecond, "t" + std::to_string(i)}));
  }
  for (const Sandbox::Started& each : all) {
    int status = 0;
    ASSERT_EQ(::waitpid(each.pid, &status, 0), each.pid);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(box_.run({"tag", "--json"}).json()["marks"].size(), 20U);
}

TEST_F(MarksOfPeople, ForgettingASessionTakesItsMarks) {
  EXPECT_EQ(box_.run({"star", kFirst}).code, 0);
  EXPECT_EQ(box_.run({"tag", chunk_of("wishlist"), "page"}).code, 0);
  EXPECT_EQ(box_.run({"forget", kFirst, "--yes"}).code, 0);
  EXPECT_EQ(box_.run({"star", "--json"}).json()["marks"].size(), 0U);
  EXPECT_EQ(box_.run({"tag", "--json"}).json()["marks"].size(), 1U);
}

TEST_F(MarksOfPeople, FiltersAloneAnswerNewestFirst) {
  EXPECT_EQ(found({"tool:Bash"}), Texts{kSecond});
  EXPECT_EQ(found({"file:feed.py"}), Texts{kFirst});
  EXPECT_EQ(found({"--project", "shop"}), (Texts{kThird, kSecond}));
  EXPECT_EQ(box_.run({"search"}).code, 2) << "no filter, no words";
  EXPECT_EQ(box_.run({"search", "tool:Nosuch"}).code, 1);
}

TEST_F(MarksOfPeople, AreToldOverMcpAndFiltersAloneAnswerThere) {
  ASSERT_EQ(box_.run({"tag", kSecond, "cart"}).code, 0);
  McpClient client(box_);
  client.initialize();
  const auto tagged = client.call("search_conversations", {{"query", "tag:cart"}});
  ASSERT_EQ(tagged["results"].size(), 1U) << tagged;
  EXPECT_EQ(tagged["results"][0]["tags"], nlohmann::json{"cart"});
  const auto used = client.call("search_conversations", {{"query", "file:feed.py"}});
  EXPECT_EQ(used["results"][0]["session_id"], kFirst);
  // What is marked while the server runs is known to it at once.
  ASSERT_EQ(box_.run({"star", kFirst}).code, 0);
  EXPECT_EQ(client.call("search_conversations", {{"query", "is:starred"}})["results"].size(), 3U);
  const auto listed = client.call("list_conversations", {{"project", "shop"}});
  EXPECT_EQ(listed["conversations"][1]["tags"], nlohmann::json{"cart"}) << listed;
}

TEST_F(MarksOfPeople, WordsNarrowTheList) {
  const auto listed = [&](Texts args) {
    args.insert(args.begin(), {"list", "--json"});
    Texts ids;
    const auto json = box_.run(args).json();
    for (const auto& row : json["conversations"]) ids.push_back(row["session_id"]);
    return ids;
  };
  EXPECT_EQ(listed({"empty"}), (Texts{kSecond, kFirst})) << "a title and a first prompt";
  EXPECT_EQ(listed({"empty", "cart"}), Texts{kSecond});
  EXPECT_EQ(listed({"shop"}), (Texts{kThird, kSecond}));
  EXPECT_EQ(listed({"pterodactyl"}), Texts{});
}

TEST_F(MarksOfPeople, KeywordModeNeverAnswersByMeaning) {
  const auto json = box_.run({"search", "pterodactyl", "--mode", "keyword", "--json"}).json();
  EXPECT_TRUE(json["results"].empty());
  EXPECT_FALSE(json.contains("closest"));
}

}  // namespace
}  // namespace yore::e2e
