// yore mcp as clients see it: the real program, real pipes, real files that change.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "e2e/mcp_client.hpp"

namespace yore::e2e {
namespace {

using Json = nlohmann::json;
using fake::ClaudeLines;

class Mcp : public testing::Test {
 protected:
  Mcp() : lines_(kFirst) {
    path_ = box_.write_session("blog", kFirst,
                               lines_.prompt("why is the parrot blue") + lines_.answer("it rests"));
  }
  void append(const std::string& path, const std::string& bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
  }
  // The process that keeps the index, as status names it.
  [[nodiscard]] Json keeper() const { return box_.run({"status", "--json"}).json()["keeper"]; }
  [[nodiscard]] bool kept() const {
    const Json now = keeper();
    return now.is_object() && now["building"] == false &&
           now["watched"].get<int>() + now["polled"].get<int>() > 0;
  }

  Sandbox box_;
  ClaudeLines lines_;
  std::string path_;
};

TEST_F(Mcp, TheFirstSearchFindsWithoutAnIndex) {
  McpClient client(box_);
  client.initialize();
  const Json answer = client.call("search_conversations", {{"query", "parrot"}});
  ASSERT_EQ(answer["results"].size(), 1U) << answer;
  EXPECT_EQ(answer["results"][0]["session_id"], kFirst);
  EXPECT_EQ(answer["results"][0]["turn_number"], 0);
  EXPECT_EQ(answer["coverage"]["files_known"], 1);
}

TEST_F(Mcp, ALineThatWasAppendedIsFound) {
  McpClient client(box_);
  client.initialize();
  ASSERT_EQ(client.hits("parrot"), 1U);
  for (const char* word : {"alpaca", "bobcat", "civet"}) {
    append(path_, lines_.prompt(word));
    EXPECT_TRUE(comes_true([&] { return client.hits(word) == 1; })) << word;
  }
  // Half a line is no line; the rest makes it one.
  const std::string late = lines_.prompt("dormouse");
  append(path_, late.substr(0, late.size() / 2));
  append(path_, late.substr(late.size() / 2));
  EXPECT_TRUE(comes_true([&] { return client.hits("dormouse") == 1; }));
}

TEST_F(Mcp, WhatIsSaidBecomesSearchableByMeaningWhileTheServerRuns) {
  ClaudeLines fresh(kSecond);
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  fresh.set_time(now - std::chrono::hours{2});
  box_.write_session(
      "blog", kSecond,
      fresh.prompt("My kitten refuses to eat its food") + fresh.answer("Warm the meal a little."));
  McpClient client(box_);
  client.initialize();
  const auto embedded = [&] {
    const Json answer = client.call("search_conversations", {{"query", "kitten"}});
    return answer["coverage"]["passages_embedded"].get<int>();
  };
  EXPECT_TRUE(comes_true([&] { return embedded() == 2; }));
  const Json answer = client.call("search_conversations",
                                  {{"query", "hungry feline skips dinner"}, {"mode", "semantic"}});
  const Json& shown = answer["results"].empty() ? answer["closest"] : answer["results"];
  ASSERT_FALSE(shown.empty()) << answer;
  EXPECT_EQ(shown[0]["session_id"], kSecond);
  append(box_.home() + "/.claude/projects/-home-ann-code-blog/" + kSecond + ".jsonl",
         fresh.prompt("Does it need a doctor?"));
  EXPECT_TRUE(comes_true([&] { return embedded() == 3; }));
}

TEST_F(Mcp, NewFoldersAreFoundAndPatternsNarrow) {
  McpClient all(box_);
  McpClient some(box_, {"*-shop"});
  all.initialize();
  some.initialize();
  ASSERT_EQ(all.hits("parrot"), 1U);
  ClaudeLines other{kSecond, "/home/ann/code/shop"};
  box_.write_session("shop", kSecond, other.prompt("an egret"));
  EXPECT_TRUE(comes_true([&] { return all.hits("egret") == 1; }));
  EXPECT_TRUE(comes_true([&] { return some.hits("egret") == 1; }));
  EXPECT_EQ(some.hits("parrot"), 0U);
}

TEST_F(Mcp, FollowsRenamingTruncationAndDeletion) {
  McpClient client(box_);
  client.initialize();
  ASSERT_EQ(client.hits("parrot"), 1U);
  ClaudeLines again{kFirst};
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << again.prompt("a hyena");
  EXPECT_TRUE(comes_true([&] { return client.hits("hyena") == 1; }));
  EXPECT_EQ(client.hits("parrot"), 1U) << "what was seen stays, once";

  const std::string moved =
      std::filesystem::path(path_).parent_path().string() + "/" + kSecond + ".jsonl";
  std::filesystem::rename(path_, moved);
  EXPECT_TRUE(comes_true([&] {
    return !client.call("read_turn", {{"session_id", kSecond}, {"turn_number", 0}})
                .contains("error");
  }));
  std::filesystem::remove(moved);
  EXPECT_TRUE(comes_true([&] {
    return client.call("read_turn", {{"session_id", kSecond}, {"turn_number", 0}})
        .value("source_missing", false);
  }));
}

TEST_F(Mcp, OfTwentyServersOneKeepsAndAnotherTakesOver) {
  std::vector<std::unique_ptr<McpClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<McpClient>(box_));
    clients.back()->initialize();
  }
  ASSERT_TRUE(comes_true([&] { return kept(); }));
  std::set<int> killed;
  for (const char* word : {"ibex", "jackal", "kestrel"}) {
    append(path_, lines_.prompt(word));
    for (const auto& client : clients) {
      ASSERT_TRUE(comes_true([&] { return client->hits(word) == 1; })) << word;
    }
    const int pid = keeper()["pid"];
    EXPECT_FALSE(killed.contains(pid));
    killed.insert(pid);
    const auto victim =
        std::ranges::find_if(clients, [&](const auto& client) { return client->pid() == pid; });
    ASSERT_NE(victim, clients.end());
    (*victim)->signal(SIGKILL);
    EXPECT_EQ((*victim)->wait(), 128 + SIGKILL);
    clients.erase(victim);
    ASSERT_TRUE(comes_true([&] { return kept(); }));
  }
}

TEST_F(Mcp, SearchAndIndexWorkBesideAServer) {
  McpClient client(box_);
  client.initialize();
  ASSERT_TRUE(comes_true([&] { return kept(); }));
  for (int i = 0; i < 5; ++i) {
    const std::string word = "lemur" + std::string(static_cast<std::size_t>(i) + 1, 'x');
    append(path_, lines_.prompt(word));
    EXPECT_EQ(box_.run({"search", word, "--mode", "keyword", "--json"}).json()["total_results"], 1)
        << word;
    EXPECT_EQ(box_.run({"index"}).code, 0);
  }
  EXPECT_EQ(box_.run({"index", "--force"}).code, 0);
  EXPECT_EQ(client.hits("lemurxx"), 1U);
}

TEST_F(Mcp, EndsWithItsInputAndOnSignals) {
  for (const int number : {0, SIGINT, SIGTERM}) {
    McpClient client(box_);
    client.initialize();
    if (number == 0) {
      client.close_input();
    } else {
      client.signal(number);
    }
    EXPECT_EQ(client.wait(), 0) << number;
    EXPECT_FALSE(client.next().has_value());
  }
}

TEST_F(Mcp, EndsWhenNobodyListens) {
  McpClient client(box_);
  client.initialize();
  client.close_output();
  client.send("ping", Json::object());
  client.send("ping", Json::object());
  EXPECT_EQ(client.wait(), 0);
}

TEST_F(Mcp, HalfALineAtTheEndAndGarbageDoNoHarm) {
  McpClient client(box_);
  client.send_raw("this is not JSON\n\n\xff\xfe\n[1,2\n");
  client.initialize();
  EXPECT_EQ(client.hits("parrot"), 1U);
  client.send_raw(R"({"jsonrpc":"2.0","id":77,"meth)");
  client.close_input();
  EXPECT_EQ(client.wait(), 0);
}

TEST_F(Mcp, AThousandRequestsAtOnceAreAllAnswered) {
  McpClient client(box_);
  client.initialize();
  ASSERT_EQ(client.hits("parrot"), 1U);
  std::set<int> waiting;
  for (int i = 0; i < 1000; ++i) {
    const Json call = {{"name", "search_conversations"}, {"arguments", {{"query", "parrot"}}}};
    waiting.insert(i % 2 == 0 ? client.send("tools/call", call)
                              : client.send("tools/list", Json::object()));
  }
  while (!waiting.empty()) {
    const auto message = client.next();
    ASSERT_TRUE(message.has_value()) << waiting.size() << " unanswered";
    ASSERT_TRUE(message->contains("result")) << *message;
    EXPECT_EQ(waiting.erase((*message)["id"].get<int>()), 1U);
  }
}

TEST_F(Mcp, ACancelledSearchIsNotAnsweredAndTheRestIs) {
  McpClient client(box_);
  client.initialize();
  ASSERT_EQ(client.hits("parrot"), 1U);
  std::set<int> cancelled;
  for (int i = 0; i < 50; ++i) {
    cancelled.insert(client.send(
        "tools/call", {{"name", "search_conversations"}, {"arguments", {{"query", "parrot"}}}}));
  }
  std::string notes;
  for (const int id : cancelled) {
    notes += Json{{"jsonrpc", "2.0"},
                  {"method", "notifications/cancelled"},
                  {"params", {{"requestId", id}}}}
                 .dump() +
             "\n";
  }
  client.send_raw(notes);
  const int last = client.send("ping", Json::object());
  // Some may have been answered before the cancellation was read; after the ping none may be.
  bool ponged = false;
  while (!ponged) {
    const auto message = client.next();
    ASSERT_TRUE(message.has_value());
    ponged = (*message)["id"] == last;
  }
  const int after = client.send("ping", Json::object());
  const auto message = client.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ((*message)["id"], after);
}

TEST_F(Mcp, TheCallersOwnSessionIsLeftOut) {
  box_.set_env("CLAUDE_CODE_SESSION_ID", kFirst);
  McpClient client(box_);
  client.initialize();
  ASSERT_TRUE(comes_true([&] { return kept(); }));
  const Json hidden = client.call("search_conversations", {{"query", "parrot"}});
  EXPECT_EQ(hidden["results"].size(), 0U);
  EXPECT_EQ(hidden["hidden"]["current"], 1);
  const Json shown =
      client.call("search_conversations", {{"query", "parrot"}, {"include_current", true}});
  EXPECT_EQ(shown["results"].size(), 1U);
}

TEST_F(Mcp, StatusNamesTheKeeper) {
  EXPECT_TRUE(keeper().is_null());
  McpClient client(box_);
  client.initialize();
  ASSERT_TRUE(comes_true([&] { return kept(); }));
  EXPECT_EQ(keeper()["pid"], client.pid());
  const std::string text = box_.run({"status"}).out;
  EXPECT_NE(text.find("process " + std::to_string(client.pid()) + " watches"), std::string::npos)
      << text;
  client.close_input();
  client.wait();
  EXPECT_TRUE(keeper().is_null());
}

}  // namespace
}  // namespace yore::e2e
