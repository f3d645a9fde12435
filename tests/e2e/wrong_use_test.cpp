// Every wrong use ends the same way: exit 2, one sentence on standard error and nothing on standard
// output; with --json the same as an object on standard output. Never a signal.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

using Words = std::vector<std::string>;

struct WrongUse {
  const char* sentence;  // of the message, whole
  Words words;
};

// clang-format off
const WrongUse kWrongUses[] = {
    // no such command, flag or word
    {"unknown command 'lsit'", {"lsit"}},
    {"unknown command ''", {""}},
    {"unknown flag '--frobnicate'", {"--frobnicate"}},
    {"unknown flag '--frobnicate'", {"search", "x", "--frobnicate"}},
    {"unknown flag '-Z'", {"search", "x", "-Z"}},
    {"unknown flag '--limt'", {"search", "x", "--limt=3"}},
    {"'b' is one word too many for yore show", {"show", "a", "b"}},
    {"'x' is one word too many for yore status", {"status", "x"}},
    // a value is missing
    {"SESSION is missing", {"show"}},
    {"ID is missing", {"chunk"}},
    {"SESSION is missing", {"resume"}},
    {"--limit needs a value", {"search", "x", "-n"}},
    {"--project needs a value", {"list", "-p"}},
    {"--since needs a value", {"search", "x", "--since"}},
    {"--source needs a value", {"search", "x", "--source"}},
    {"--mode needs a value", {"search", "x", "--mode"}},
    {"Query required", {"search"}},
    {"Query required", {"search", ""}},
    // not a number, or out of range
    {"--limit: want a whole number from 1 on, not 'abc'", {"search", "x", "-n", "abc"}},
    {"--limit: want a whole number from 1 on, not '-1'", {"search", "x", "-n", "-1"}},
    {"--limit: want a whole number from 1 on, not '0'", {"search", "x", "-n", "0"}},
    {"--limit: want a whole number from 1 on, not '4294967296'", {"search", "x", "-n", "4294967296"}},
    {"--limit: want a whole number from 1 on, not '1.5'", {"search", "x", "--limit=1.5"}},
    {"--limit: want a whole number from 1 on, not '0'", {"list", "-n", "0"}},
    {"--context: want a whole number from 0 on, not '1e20'", {"search", "x", "-C", "1e20"}},
    {"--context: want a whole number from 0 on, not 'x'", {"chunk", "abcd1234", "-C", "x"}},
    {"--per-session: want a whole number from 0 on, not '-2'", {"search", "x", "--per-session", "-2"}},
    {"--max-chars: want a whole number from 1 on, not '0'", {"search", "x", "--max-chars", "0"}},
    {"--turn: want a whole number from 0 on, not '-1'", {"show", "ID", "--turn", "-1"}},
    {"--offset: want a whole number from 0 on, not '-1'", {"show", "ID", "--offset", "-1"}},
    {"--limit: want a whole number from 1 on, not '0'", {"show", "ID", "--limit", "0"}},
    {"--debounce: want a whole number from 0 on, not '-1'", {"mcp", "--debounce", "-1"}},
    // not one of those that there are
    {"--color: want one of auto, always, never, not 'zz'", {"search", "x", "--color", "zz"}},
    {"--color: want one of auto, always, never, not 'blue'", {"list", "--color", "blue"}},
    {"--sort: want one of relevance, time, not 'size'", {"search", "x", "--sort", "size"}},
};
// clang-format on

// Whose sentence says more than the table should fix.
const Words kOthers[] = {
    {"search", "x", "--mode", "magic"},
    {"search", "x", "--half-life", "never"},
    {"search", "x", "--half-life", "-3"},
    {"search", "x", "--since", "whenever"},
    {"search", "x", "--until", "31-31-31"},
    {"search", "x", "--type", "song"},
    {"search", "x", "--surface", "cover"},
    {"search", "x", "-a", "nobody"},
    {"search", "x", "--source", "nonsense"},
    {"search", "x", "--source", "nobody:/x"},
    {"list", "--since", "whenever"},
    {"list", "-a", "nobody"},
    {"index", "--since", "x"},
    {"mcp", "one", "two"},
    {"embed"},
    {"--source", "nobody:/x", "status"},
};

std::string joined(const Words& words) {
  std::string all;
  for (const std::string& word : words) all += " '" + word + "'";
  return all;
}

Words with_json(Words words) {
  words.insert(words.begin(), "--json");
  return words;
}

TEST(WrongUse, IsOneSentenceAndExitTwo) {
  const Sandbox box;
  for (const WrongUse& wrong : kWrongUses) {
    const Ran ran = box.run(wrong.words);
    EXPECT_EQ(ran.code, 2) << joined(wrong.words) << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << joined(wrong.words);
    const std::string first = ran.err.substr(0, ran.err.find('\n'));
    EXPECT_EQ(first, std::string("yore: ") + wrong.sentence) << joined(wrong.words);
  }
  for (const Words& words : kOthers) {
    const Ran ran = box.run(words);
    EXPECT_EQ(ran.code, 2) << joined(words) << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << joined(words);
    EXPECT_TRUE(ran.err.starts_with("yore: ")) << joined(words) << "\n" << ran.err;
  }
}

TEST(WrongUse, IsAnObjectWithJson) {
  const Sandbox box;
  const auto check = [&box](const Words& words) -> std::string {
    const Ran ran = box.run(with_json(words));
    EXPECT_EQ(ran.code, 2) << joined(words) << "\n" << ran.out;
    EXPECT_EQ(ran.err, "") << joined(words);
    const auto answer = nlohmann::json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(answer.is_object() && answer["error"].is_object()) << joined(words) << ran.out;
    if (!answer.is_object() || !answer["error"].is_object()) return "";
    EXPECT_TRUE(answer["error"]["kind"].is_string()) << joined(words);
    EXPECT_TRUE(answer["error"].contains("hint")) << joined(words);
    return answer["error"].value("message", "");
  };
  for (const WrongUse& wrong : kWrongUses) EXPECT_EQ(check(wrong.words), wrong.sentence);
  for (const Words& words : kOthers) EXPECT_NE(check(words), "");
}

TEST(WrongUse, CostsNothing) {
  const Sandbox box;
  for (const WrongUse& wrong : kWrongUses) (void)box.run(wrong.words);
  EXPECT_FALSE(std::filesystem::exists(box.data_dir()));
}

}  // namespace
}  // namespace yore::e2e
