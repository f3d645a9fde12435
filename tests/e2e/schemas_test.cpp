// Schemas of JSON answers: the checker can fail, and every command keeps to its own. (That every
// other test's answers do is seen to by the sandbox.)
#include <set>

#include "e2e/search_box.hpp"
#include "support/schema_check.hpp"

namespace yore::e2e {
namespace {

using nlohmann::json;

std::string problem_with(const char* schema, const char* value) {
  const json parsed = json::parse(schema);
  return schema::problem(json::parse(value), parsed, parsed);
}

TEST(SchemaCheck, SeesWhatIsWrongAndWhere) {
  constexpr const char* kSchema = R"({"type":"object","required":["a"],
    "properties":{"a":{"type":"integer","minimum":0},"b":{"type":"array","items":{"enum":["x"]}},
                  "c":{"type":"string","pattern":"^[0-9]+$"},"d":{"const":true}},
    "additionalProperties":false})";
  EXPECT_EQ(problem_with(kSchema, R"({"a":1,"b":["x"],"c":"12","d":true})"), "");
  for (const char* wrong :
       {R"([])", R"({})", R"({"a":-1})", R"({"a":"1"})", R"({"a":1.5})", R"({"a":1,"b":["x","y"]})",
        R"({"a":1,"c":"1a"})", R"({"a":1,"d":false})", R"({"a":1,"new":0})"}) {
    EXPECT_NE(problem_with(kSchema, wrong), "") << wrong;
  }
  EXPECT_EQ(problem_with(kSchema, R"({"a":1,"b":["x","y"]})").substr(0, 5), "b[1]:");
}

TEST(SchemaCheck, KnowsFormsAndReferencesAndNoUnknownWord) {
  constexpr const char* kForms = R"({"oneOf":[{"$ref":"#/$defs/n"},{"type":"string"}],
    "$defs":{"n":{"type":"number"}}})";
  EXPECT_EQ(problem_with(kForms, "1"), "");
  EXPECT_EQ(problem_with(kForms, "\"x\""), "");
  EXPECT_NE(problem_with(kForms, "null"), "");
  EXPECT_NE(problem_with(R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "1"), "");
  EXPECT_EQ(problem_with(R"({"$ref":"common.json#/$defs/chunk"})", "\"0123456789ab\""), "");
  EXPECT_NE(problem_with(R"({"$ref":"common.json#/$defs/chunk"})", "\"0123\""), "");
  EXPECT_NE(problem_with(R"({"format":"date"})", "\"x\""), "");
}

class Schemas : public SearchBox {};

TEST_F(Schemas, EveryCommandKeepsToItsOwn) {
  write_three();
  const auto chunk = [&] {
    return box_.run({"search", "cart", "--json"}).json()["results"][0]["chunk_id"];
  };
  const std::vector<Texts> commands = {
      {"search", "cart", "--json", "--explain", "-C", "1", "--max-chars", "20", "--facets"},
      {"search", "walrusses", "--json", "--facets"},
      {"search", "--json"},
      {"chunk", chunk(), "--json", "-C", "1"},
      {"chunk", "ffffffff", "--json"},
      {"list", "--json", "-n", "1"},
      {"show", kFirst, "--json"},
      {"show", kFirst, "--json", "--turn", "0"},
      {"show", "nobody", "--json"},
      {"projects", "--json"},
      {"resume", kFirst, "--json"},
      {"recall", "--since-compact", kFirst, "--json"},
      {"index", "--json", "--no-embed"},
      {"index", "--json", "--dry-run"},
      {"archive", "--json", kFirst},
      {"archive", "--json", "--list"},
      {"archive", "--json", "--verify"},
      {"backup", "--json", box_.in_home("kept")},
      {"stats", "--json"},
      {"stats", "--json", "--since", "2999-01-01"},
      {"status", "--json"},
      {"--json"},
      {"agents", "--json"},
      {"doctor", "--json"},
      {"setup", "--json", "--dry-run"},
      {"setup", "--json", "--status"},
      {"forget", "--json", kFirst, "--dry-run"},
      {"frobnicate", "--json"},
  };
  std::set<std::string> seen;
  for (const Texts& words : commands) {
    const Ran ran = box_.run(words);  // the sandbox checks it
    EXPECT_FALSE(json::parse(ran.out, nullptr, false).is_discarded()) << words[0] << ran.out;
    seen.insert(words[0] + ".json");
  }
  EXPECT_TRUE(seen.contains("search.json"));
}

}  // namespace
}  // namespace yore::e2e
