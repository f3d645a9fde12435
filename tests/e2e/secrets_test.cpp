// A secret in every field of every output is never shown.
#include <gtest/gtest.h>

#include <random>

#include "e2e/mcp_client.hpp"
#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

// Made up, and put together here so that no scanner of sources finds a token.
std::string made_up(std::string_view prefix, unsigned seed, std::size_t size = 36) {
  constexpr std::string_view kAll =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::mt19937 random(seed);
  std::string out(prefix);
  for (std::size_t i = 0; i < size; ++i) out += kAll[random() % kAll.size()];
  return out;
}

class SecretBox : public SearchBox {
 protected:
  std::string secret(std::string_view prefix = "ghp_") {
    secrets_.push_back(made_up(prefix, static_cast<unsigned>(secrets_.size() + 1)));
    return secrets_.back();
  }

  // A session with a secret of its own in everything that it is made of.
  void write_secrets() {
    const std::string cwd = "/home/ann/code/" + secret();
    fake::ClaudeLines lines(kFirst, cwd);
    lines.set_branch("fix/" + secret());
    const std::string padding(185, 'x');
    std::string text =
        together({lines.prompt("Why is the zebra refused with " + secret() + " here?"),
                  lines.thinking("The zebra key " + secret("glpat-") + " is old."),
                  lines.tool_call("Bash", {{"command", "echo zebra\n" + secret() + "\ncurl"}}),
                  lines.tool_result("zebra output " + secret("npm_") + " end"),
                  lines.tool_call("Bash", {{"command", "zebra " + padding + " " + secret()}}),
                  lines.tool_call("Read", {{"file_path", "/srv/" + secret() + "/zebra.txt"}}),
                  lines.tool_result("{\"a\":\"b\\n" + secret("sk-ant-api03-") + "\"}"),
                  lines.answer("Use the zebra token " + secret() + " instead."),
                  lines.prompt("And a second zebra: psql postgres://app:" + secret("") + "@db/x"),
                  lines.answer("Done with zebra."), lines.custom_title("Zebra " + secret("gho_"))});
    text = replaced(text, "claude-opus", "claude-" + secret("") + "-opus");
    const std::string transcript = box_.write_session("shop", kFirst, text);
    // And in what lies beside it.
    const std::string folder = transcript.substr(0, transcript.rfind('/'));
    box_.write(folder + "/memory/MEMORY.md", "An ostrich key: " + secret() + "\n");
    box_.write(box_.in_home(".claude/recalls/" + secret() + ".md"), "ostrich: " + secret());
    box_.write(box_.in_home(".claude/history.jsonl"),
               nlohmann::json{{"display", "Is the ostrich token " + secret() + " still good?"},
                              {"timestamp", 1'760'000'000'000},
                              {"project", "/home/ann/code/" + secret()},
                              {"sessionId", kThird}}
                       .dump() +
                   "\n");
  }

  // Neither a secret nor the second half of one.
  void expect_none(const std::string& shown, const std::string& where) {
    for (const std::string& secret : secrets_) {
      const std::string body = secret.substr(secret.size() - 36);
      EXPECT_FALSE(has(shown, body)) << where << " shows " << secret;
      EXPECT_FALSE(has(shown, body.substr(0, 12))) << where << " begins " << secret;
      EXPECT_FALSE(has(shown, body.substr(24))) << where << " ends " << secret;
    }
  }

  Texts secrets_;
};

TEST_F(SecretBox, NoCommandShowsASecret) {
  write_secrets();
  const Texts lines[] = {{"index"},
                         {"search", "zebra", "--explain", "-C", "2"},
                         {"search", "zebra output", "--type", "tool"},
                         {"search", "zebra key", "--type", "thinking"},
                         {"search", "zebra", "--max-chars", "45"},
                         {"search", secrets_[2]},
                         {"search", "--mode", "keyword", "\"" + secrets_[2] + "\"", "--explain"},
                         {"search", "nothing-of-it", "-p", secrets_[0]},
                         {"search", "ostrich", "--explain"},
                         {"search", "ostrich", "--surface", "note"},
                         {"show", kThird},
                         {"show", "claude-code:memory"},
                         {"list"},
                         {"show", kFirst},
                         {"show", kFirst, "--turn", "0"},
                         {"show", secrets_[3]},
                         {"projects"},
                         {"resume", kFirst},
                         {"status"},
                         {"doctor"},
                         {"agents"},
                         {"forget", kFirst, "--dry-run"},
                         {}};
  for (const Texts& line : lines) {
    for (const bool json : {false, true}) {
      Texts args = line;
      if (json) args.insert(args.begin(), "--json");
      const Ran ran = box_.run(args);
      std::string where = json ? "--json" : "plain";
      for (const std::string& word : line) where += " " + word.substr(0, 20);
      expect_none(ran.out + ran.err, where);
    }
  }
  EXPECT_EQ(box_.run({"--json", "search", "ostrich"}).json()["results"].size(), 3U);
  const auto hit = box_.run({"--json", "search", "zebra"}).json()["results"][0];
  EXPECT_GT(hit.value("masked", 0), 0);
  expect_none(box_.run({"chunk", hit["chunk_id"]}).out, "chunk");
  const Ran chunk = box_.run({"--json", "chunk", hit["chunk_id"]});
  expect_none(chunk.out, "chunk --json");
  EXPECT_TRUE(has(chunk.out, "[masked:"));
}

TEST_F(SecretBox, NoToolShowsASecret) {
  write_secrets();
  (void)box_.run({"index"});
  McpClient client(box_);
  client.initialize();
  const auto call = [&](const char* tool, const McpClient::Json& arguments) {
    const std::string shown = client.call(tool, arguments).dump();
    expect_none(shown, std::string(tool) + " " + arguments.dump().substr(0, 60));
    return shown;
  };
  EXPECT_TRUE(has(call("search_conversations", {{"query", "zebra"}}), "results"));
  call("search_conversations", {{"query", "zebra output"}, {"surfaces", "tool"}});
  EXPECT_TRUE(has(call("search_conversations", {{"query", "ostrich"}}), "note"));
  call("search_conversations", {{"query", secrets_[2]}});
  call("search_conversations", {{"query", "zebra"}, {"since", secrets_[2]}});
  call("list_conversations", McpClient::Json::object());
  call("list_conversations", {{"project", secrets_[0]}});
  call("read_conversation", {{"session_id", kFirst}});
  call("read_conversation", {{"session_id", secrets_[2]}});
  // Pages of every size end somewhere in every mask.
  for (int offset = 0; offset < 160; offset += 7) {
    call("read_turn",
         {{"session_id", kFirst}, {"turn_number", 0}, {"offset", offset}, {"max_chars", 23}});
  }
  EXPECT_TRUE(has(call("read_turn", {{"session_id", kFirst}, {"turn_number", 0}}), "[masked:"));
}

TEST_F(SecretBox, AKeyThatLiesInTwoPassagesIsNotShown) {
  fake::ClaudeLines lines(kFirst);
  std::string block =
      "-----BEGIN RSA PRIVATE "
      "KEY-----\n";
  for (unsigned i = 0; i < 30; ++i) {
    secrets_.push_back(made_up("", 100 + i, 64));
    block += secrets_.back() + "\n";
  }
  block +=
      "-----END RSA PRIVATE "
      "KEY-----\n";
  box_.write_session(
      "shop", kFirst,
      together({lines.prompt("zebra " + block), lines.answer("A zebra."), lines.prompt("narwhal"),
                lines.tool_call("Bash", {{"command", "cat key"}}),
                lines.tool_result("walrus\n" + block), lines.answer("Read.")}));
  for (const char* word : {"zebra", "walrus", "narwhal"}) {
    expect_none(box_.run({"--json", "search", word}).out, word);
    expect_none(box_.run({"search", word, "-C", "3"}).out, word);
  }
  // Found by a line in the middle of the key.
  for (const std::size_t line : {std::size_t{5}, std::size_t{15}, std::size_t{25}}) {
    auto json = box_.run({"--json", "search", secrets_[line]}).json();
    json.erase("query");  // nobody can tell that such a line alone is one of a key
    expect_none(json.dump(), "by a line of it");
    McpClient client(box_);
    client.initialize();
    expect_none(client.call("search_conversations", {{"query", secrets_[line]}}).dump(), "tool");
  }
}

TEST_F(SecretBox, RevealShowsThemOnATerminalOnly) {
  const std::string token = secret();
  fake::ClaudeLines lines(kFirst);
  box_.write_session("shop", kFirst, lines.prompt("zebra " + token) + lines.answer("Yes."));
  const Ran refused = box_.run({"--reveal", "show", kFirst});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "terminal"));
  expect_none(refused.out + refused.err, "refused");
  expect_none(box_.run_on_terminal({"show", kFirst}, 120).out, "terminal");
  EXPECT_TRUE(has(box_.run_on_terminal({"--reveal", "show", kFirst}, 120).out, token));
  EXPECT_TRUE(has(box_.run_on_terminal({"search", "zebra", "--reveal"}, 120).out, token));
}

TEST_F(SecretBox, TheSettingsSwitchMaskingOff) {
  const std::string token = secret();
  fake::ClaudeLines lines(kFirst);
  box_.write_session("shop", kFirst, lines.prompt("zebra " + token) + lines.answer("Yes."));
  const std::string settings = box_.in_home(".config/yore/config.toml");
  box_.write(settings, "[privacy]\nmask = \"off\"\n");
  EXPECT_TRUE(has(box_.run({"show", kFirst}).out, token));
  box_.write(settings, "[privacy]\nmask = \"output\"\n");
  expect_none(box_.run({"show", kFirst}).out, "output");
  box_.write(settings, "[privacy]\nmask = \"index\"\n");
  expect_none(box_.run({"show", kFirst}).out, "index");
  expect_none(box_.run({"index", "--no-embed"}).out, "index");
  box_.write(settings, "[privacy]\nmask = \"sometimes\"\n");
  EXPECT_EQ(box_.run({"show", kFirst}).code, 2);
}

}  // namespace
}  // namespace yore::e2e
