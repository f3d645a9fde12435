#include "setup/edit/entry.hpp"

#include <gtest/gtest.h>

#include "setup/agents.hpp"
#include "setup/skill.hpp"

namespace yore::setup {
namespace {

struct Example {
  Format format;
  std::vector<std::string> keys;
  bool listed;
  std::string text;
};

Entry entry_for(const Example& example) {
  Entry entry;
  entry.format = example.format;
  entry.keys = example.keys;
  entry.listed = example.listed;
  entry.name = "yore";
  entry.value = example.listed
                    ? Json::parse(R"({"name":"yore","command":"/a b/yore","args":["mcp"]})")
                    : Json::parse(R"({"command":"/a b/yore","args":["mcp"]})");
  return entry;
}

const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples = {
      {Format::json, {"mcpServers"}, false, ""},
      {Format::json, {"mcpServers"}, false, "{}"},
      {Format::json, {"mcpServers"}, false, "{}\n"},
      {Format::json, {"mcpServers"}, false, "\xEF\xBB\xBF{\r\n\t\"a\": [1, 2]\r\n}\r\n"},
      {Format::json, {"mcpServers"}, false, R"({"a":1,"mcpServers":{}})"},
      {Format::json,
       {"mcpServers"},
       false,
       R"({"mcpServers": {"x": {"command": "x"}}, "b": null})"},
      {Format::json, {"mcp", "servers"}, false, "{\n    \"mcp\": {\n    }\n}"},
      {Format::jsonc, {"mcp"}, false, "// top\n{\n  \"a\": 1 // one\n  /* two */\n}\n// end"},
      {Format::jsonc, {"mcp"}, false, "{\n  // nothing yet\n}\n"},
      {Format::jsonc, {"mcp"}, false, "{\n  \"mcp\": {\n    \"x\": {}, // last\n  },\n}\n"},
      {Format::json5, {"mcp", "servers"}, false, "{mcp: {servers: {x: {command: 'x'}}}, n: +.5}\n"},
      {Format::toml, {"mcp_servers"}, false, ""},
      {Format::toml, {"mcp_servers"}, false, "# c\r\nmodel = \"x\" # y\r\n"},
      {Format::toml, {"mcp_servers"}, false, "[mcp_servers.x]\ncommand = '''\n[mcp]\n'''"},
      {Format::toml,
       {"mcp_servers"},
       true,
       "[[mcp_servers]]\nname = \"x\"\n\n[other]\na = [\n1,\n]\n"},
      {Format::yaml, {"extensions"}, false, ""},
      {Format::yaml,
       {"extensions"},
       false,
       "# c\nextensions:\n    x:\n        cmd: x # y\nb: |\n  t\n"},
      {Format::yaml, {"extensions"}, false, "a: \xC3\xA9\r\nextensions:\r\nb: 1\r\n"},
      {Format::yaml, {"extensions"}, false, "extensions: {}\nb: [1]"},
      {Format::yaml, {"mcpServers"}, true, "name: a\nmcpServers:\n- name: x\n  command: x"},
      {Format::yaml, {"mcpServers"}, true, "name: a\nmcpServers:\n  - name: x\n\n# end\n"},
  };
  return kExamples;
}

TEST(Entry, IsPutInFoundAndTakenBackByteForByte) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.text);
    const Entry entry = entry_for(example);
    const auto splices = insert_entry(example.text, entry);
    ASSERT_TRUE(splices) << splices.error().message;
    const auto after = apply_splices(example.text, *splices);
    ASSERT_TRUE(after);
    const auto found = find_entry(*after, entry);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, entry.value) << *after;
    EXPECT_EQ(take_back(*after, *splices), example.text);
    EXPECT_EQ(take_back_loosely(*after + "\n", *splices).value_or(example.text + "\n"),
              example.text + "\n");
  }
}

TEST(Entry, IsTakenOutOfATextThatSomebodyElseRewrote) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.text);
    const Entry entry = entry_for(example);
    const auto parents = missing_parents(example.text, entry);
    ASSERT_TRUE(parents);
    const auto after = apply_splices(example.text, *insert_entry(example.text, entry));
    const auto splices = remove_entry(*after, entry, *parents);
    ASSERT_TRUE(splices) << splices.error().message << "\n" << *after;
    const auto rest = apply_splices(*after, *splices);
    ASSERT_TRUE(rest);
    const auto found = find_entry(*rest, entry);
    ASSERT_TRUE(found) << found.error().message << "\n" << *rest;
    EXPECT_FALSE(found->has_value());
  }
}

TEST(Entry, RefusesWhatIsNotValidOrHasNoPlaceForIt) {
  const std::vector<Example> wrong = {
      {Format::json, {"m"}, false, "{\"a\": 1,}"},
      {Format::json, {"m"}, false, "{\"a\": 1 // c\n}"},
      {Format::json, {"m"}, false, "[]"},
      {Format::json, {"m"}, false, "{\"m\": []}"},
      {Format::json, {"m"}, false, "{\"m\": {}, \"m\": {}}"},
      {Format::jsonc, {"m"}, false, "{\"a\": 'x'}"},
      {Format::toml, {"m"}, false, "a = \n"},
      {Format::toml, {"m"}, false, "m = {x = 1}\n"},
      {Format::toml, {"m"}, true, "m = 1\n"},
      {Format::yaml, {"m"}, false, "m: [1]\n"},
      {Format::yaml, {"m"}, false, "a: b: c\n"},
      {Format::yaml, {"m"}, false, "a: 1\n---\nb: 1\n"},
  };
  for (const Example& example : wrong) {
    EXPECT_FALSE(insert_entry(example.text, entry_for(example))) << example.text;
  }
}

TEST(SetupAgents, HaveAnEntryThatStandsAloneInEachOfTheirFiles) {
  EXPECT_GE(agents().size(), 25U);
  for (const Agent& agent : agents()) {
    const Entry entry = entry_of(agent, "/opt/my yore/bin/yore");
    const std::string alone = entry_alone(entry);
    ASSERT_FALSE(alone.empty()) << agent.name;
    EXPECT_EQ(*find_entry(alone, entry), entry.value) << agent.name << "\n" << alone;
  }
}

TEST(Skill, IsShort) {
  EXPECT_LT(skill_text().size(), 1500U);
}

}  // namespace
}  // namespace yore::setup
