#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/commands.hpp"

namespace yore::cli {
namespace {

std::string message(const std::vector<std::string>& args) {
  const auto parsed = parse(args);
  return parsed ? "" : parsed.error().message;
}

std::string hint(const std::vector<std::string>& args) {
  const auto parsed = parse(args);
  return parsed ? "" : parsed.error().hint;
}

TEST(Parse, TakesGlobalFlagsBeforeAndAfterTheCommand) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--json", "--quiet", "list"},
        {"list", "--json", "--quiet"},
        {"--json", "list", "--quiet"}}) {
    const auto parsed = parse(args);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->command->name, "list");
    EXPECT_TRUE(parsed->globals.json);
    EXPECT_TRUE(parsed->globals.quiet);
  }
}

TEST(Parse, TakesOneSourceForEachFlag) {
  const auto parsed = parse({"--source", "openclaw:/a", "--source=openclaw:/b", "list"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->globals.sources, (std::vector<std::string>{"openclaw:/a", "openclaw:/b"}));
  EXPECT_EQ(parsed->command->name, "list");
}

TEST(Parse, WithoutACommandThereIsNone) {
  const auto parsed = parse({});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->command, nullptr);
  EXPECT_EQ(parsed->text, "");
}

TEST(Parse, NamesAnUnknownCommandAndTheClosest) {
  EXPECT_EQ(message({"lsit"}), "unknown command 'lsit'");
  EXPECT_EQ(hint({"lsit"}), "did you mean: yore list");
  EXPECT_EQ(hint({"frobnicate"}), "see: yore --help");
  EXPECT_EQ(message({"--json", "lsit"}), "unknown command 'lsit'");
}

TEST(Parse, NamesAnUnknownFlagAndTheClosest) {
  EXPECT_EQ(message({"list", "--projct", "x"}), "unknown flag '--projct'");
  EXPECT_EQ(hint({"list", "--projct", "x"}), "did you mean --project?");
  EXPECT_EQ(message({"--frobnicate=3"}), "unknown flag '--frobnicate'");
  EXPECT_EQ(hint({"status", "-Z"}), "see: yore status --help");
  EXPECT_EQ(hint({"list", "-Z"}), "words that begin with - go behind --");
}

TEST(Parse, TakesNothingForNoValue) {
  EXPECT_EQ(message({"forget", "aaaa", "--match=", "--dry-run"}), "--match needs a value");
  EXPECT_EQ(message({"forget", "-p", ""}), "the word behind -p is empty");
  EXPECT_EQ(message({"tag", "", "release"}), "a word is empty");
  EXPECT_TRUE(parse({"search", ""})) << "which has a sentence of its own for that";
  EXPECT_TRUE(parse({"list", "--", ""}));
}

TEST(Parse, WantsWholeNumbers) {
  EXPECT_EQ(message({"list", "-n", "many"}), "--limit: want a whole number from 1 on, not 'many'");
  EXPECT_NE(message({"list", "-n", "0"}), "");
  EXPECT_NE(message({"show", "x", "--turn", "-1"}), "");
  EXPECT_NE(message({"show", "x", "--turn", "99999999999"}), "");
}

TEST(Parse, NamesWhatIsMissing) {
  EXPECT_EQ(message({"show"}), "SESSION is missing");
  EXPECT_EQ(message({"list", "--project"}), "--project needs a value");
}

TEST(Parse, RefusesWordsThatACommandHasNoUseFor) {
  EXPECT_EQ(message({"projects", "extra"}), "'extra' is one word too many for yore projects");
  EXPECT_EQ(message({"show", "a", "b"}), "'b' is one word too many for yore show");
}

TEST(Parse, ASessionMayBeCalledLikeACommand) {
  const auto parsed = parse({"show", "list"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->command->name, "show");
}

TEST(Parse, TakesAnyNumberOfWordsForAQuery) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"search"},
                                               {"search", ""},
                                               {"search", "nginx", "502", "-n", "3", "again"},
                                               {"search", "list", "show", "index"},
                                               {"search", "[a,b]", "{}", "-1"},
                                               {"search", "a", "--", "-b", "--json", "--"},
                                               {"search", "--", "-b"},
                                               {"--json", "search", "-p", "x", "a", "--", "-b"}}) {
    const auto parsed = parse(args);
    ASSERT_TRUE(parsed) << args.back() << ": " << parsed.error().message;
    EXPECT_EQ(parsed->command->name, "search");
    EXPECT_EQ(parsed->text, "");
    EXPECT_EQ(parsed->globals.json, args.front() == "--json");
  }
}

TEST(Parse, AWordThatLooksLikeAFlagGoesBehindTwoDashes) {
  EXPECT_EQ(message({"search", "a", "-zeta", "b"}), "unknown flag '-zeta'");
  EXPECT_EQ(hint({"search", "a", "-zeta", "b"}), "words that begin with - go behind --");
  EXPECT_EQ(hint({"search", "a", "--subagent"}), "did you mean --subagents?");
  EXPECT_EQ(message({"search", "a", "-n", "many"}),
            "--limit: want a whole number from 1 on, not 'many'");
}

TEST(Parse, TwoDashesEndTheFlagsOfEveryCommand) {
  const auto parsed = parse({"show", "--", "-x"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->command->name, "show");
  EXPECT_EQ(message({"status", "--", "x"}), "'x' is one word too many for yore status");
}

TEST(Parse, APatternMayBeginWithADashAsProjectFoldersDo) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"mcp", "-home-ann-*"},
        {"mcp", "--pattern", "-home-ann-*"},
        {"mcp", "--source", "openclaw:/x", "-home-ann-*", "--debounce", "50"},
        {"-q", "mcp", "-home-ann-*"},
        {"list", "--pattern", "-home-ann-*"}}) {
    const auto parsed = parse(args);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->globals.pattern, "-home-ann-*");
    EXPECT_EQ(parsed->text, "");
  }
  EXPECT_EQ(parse({"mcp", "*-shop"})->command->name, "mcp");
  EXPECT_NE(parse({"mcp", "-h"})->text.find("[PATTERN]"), std::string::npos);
  EXPECT_EQ(message({"mcp", "--debounc", "5"}), "unknown flag '--debounc'");
  EXPECT_EQ(message({"list", "-home-ann-*", "mcp"}), message({"list", "-home-ann-*"}));
}

TEST(Parse, ChecksTheColorWord) {
  EXPECT_EQ(message({"list", "--color", "blue"}),
            "--color: want one of auto, always, never, not 'blue'");
  EXPECT_EQ(parse({"list", "--color=never"})->globals.color, ColorMode::never);
}

TEST(Help, ListsEveryCommandOnceAndNothingElse) {
  const auto parsed = parse({"--help"});
  ASSERT_TRUE(parsed);
  for (const Command& command : commands()) {
    EXPECT_NE(parsed->text.find("\n  " + std::string(command.name) + " "), std::string::npos);
  }
  for (const char* missing : {"browse", "recalls"}) {
    EXPECT_EQ(parsed->text.find(missing), std::string::npos) << missing;
  }
}

TEST(Help, EveryFlagIsExplainedAndHasOneMeaning) {
  const Catalogue all = catalogue();
  ASSERT_EQ(all.commands.size(), commands().size());
  for (const CommandInfo& command : all.commands) {
    std::vector<std::string> names;
    std::vector<FlagInfo> flags = command.flags;
    flags.insert(flags.end(), all.everywhere.begin(), all.everywhere.end());
    for (const FlagInfo& flag : flags) {
      EXPECT_FALSE(flag.help.empty()) << command.command->name << " " << flag.names;
      for (const std::string& name : {flag.short_name(), flag.long_name()}) {
        if (name.empty()) continue;
        EXPECT_EQ(std::ranges::count(names, name), 0) << command.command->name << " " << name;
        names.push_back(name);
      }
    }
  }
}

TEST(Help, NamesTheWaysToSearch) {
  const auto parsed = parse({"search", "--help"});
  ASSERT_TRUE(parsed);
  EXPECT_NE(parsed->text.find("--mode MODE"), std::string::npos);
  for (const char* mode : {"semantic", "hybrid", "keyword"}) {
    EXPECT_NE(parsed->text.find(mode), std::string::npos) << mode;
  }
}

TEST(Help, OfACommandNamesItsFlagsEvenWhenTheRestIsWrong) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"show", "--help"}, {"show", "--turn", "x", "--help"}}) {
    const auto parsed = parse(args);
    ASSERT_TRUE(parsed);
    EXPECT_NE(parsed->text.find("--turn N"), std::string::npos);
    EXPECT_NE(parsed->text.find("--json"), std::string::npos);
  }
}

TEST(Help, FitsEightyColumns) {
  std::vector<std::vector<std::string>> all = {{"--help"}};
  for (const Command& command : commands()) all.push_back({std::string(command.name), "--help"});
  for (const auto& args : all) {
    const std::string text = parse(args)->text;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      EXPECT_LE(end - begin, 84U) << text.substr(begin, end - begin);  // bytes: "…" has three
    }
  }
}

}  // namespace
}  // namespace yore::cli
