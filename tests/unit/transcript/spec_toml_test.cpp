#include "transcript/spec/spec_toml.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "transcript/registry.hpp"
#include "transcript/spec/built_in_specs.hpp"
#include "transcript/spec/record_reader.hpp"

namespace yore::transcript {
namespace {

constexpr std::string_view kGood = R"(name = "droid"
roots = [{ base = "~/.factory", suffix = "sessions" }]
places = [{ pattern = "{directory}/{id}.jsonl" }]
fields = { type = "type", "message.role" = "role", "message.content" = "blocks" }
records = [{ when = { role = "user" }, as = "prompt" }]
)";

// The sentence of the error; "" when there is none.
std::string error_of(const std::string& text) {
  const auto spec = parse_agent(text, "x.toml");
  return spec.ok() ? "" : spec.error().message;
}

// Of the good description with a line more, which is line 6.
std::string error_with(const std::string& line) {
  return error_of(std::string(kGood) + line + "\n");
}

// … with one of its lines replaced.
std::string error_instead(std::string_view key, const std::string& line) {
  std::string text(kGood);
  const std::size_t begin = text.find("\n" + std::string(key) + " = ") + 1;
  text.replace(begin, text.find('\n', begin) - begin, line);
  return error_of(text);
}

TEST(SpecToml, ReadsADescription) {
  const auto spec = parse_agent(kGood, "x.toml");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  EXPECT_EQ(spec->name, "droid");
  EXPECT_EQ(spec->speaker, "droid") << "unless it is said";
  EXPECT_EQ(spec->verified, Verified::unsaid) << "likewise";
  EXPECT_EQ(spec->store, StoreKind::lines);
  ASSERT_EQ(spec->fields.size(), 3U);
  EXPECT_EQ(spec->fields[1].path, "message.role") << "in the order of the file";
  EXPECT_EQ(spec->fields[2].slot, Slot::blocks);
  ASSERT_EQ(spec->records.size(), 1U);
  EXPECT_EQ(spec->records[0].as, RecordAs::prompt);
}

TEST(SpecToml, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_EQ(error_with("colour = \"red\"").substr(0, 38), "x.toml: line 6: unknown key 'colour'; ");
  EXPECT_EQ(error_with("store = \"cloud\"").substr(0, 37), "x.toml: line 6: unknown name 'cloud';");
  EXPECT_EQ(error_with("verified = \"real\""), "");
  EXPECT_EQ(error_with("verified = \"hearsay\""),
            "x.toml: line 6: unknown name 'hearsay'; want one of source, derived, real");
  EXPECT_EQ(error_with("tree = \"yes\""), "x.toml: line 6: want true or false");
  EXPECT_EQ(error_with("reading = 0"), "x.toml: line 6: want a number from 1 to 1000000");
  EXPECT_EQ(error_with("silent = [1]"), "x.toml: line 6: want a list of texts");
  EXPECT_EQ(error_with("speaker = 5"), "x.toml: line 6: want a text in quotes");
  EXPECT_EQ(error_with("head = 1"), "x.toml: line 6: want a table");
  EXPECT_EQ(error_with("tools = [1]"), "x.toml: line 6: want a list of tables");
  EXPECT_EQ(error_with("typed = { smell = [\"x\"] }").substr(0, 36),
            "x.toml: line 6: unknown key 'smell' ");
  EXPECT_NE(error_with("= 5").find("line 6"), std::string::npos) << "not TOML at all";
}

TEST(SpecToml, RefusesSlotsAndPathsThatCanNeverMatch) {
  EXPECT_NE(
      error_instead("fields", "fields = { a = \"taste\" }").find("line 4: unknown name 'taste'"),
      std::string::npos);
  for (const char* fields : {R"({ a = "text", "a.b" = "role" })", R"({ "a..b" = "text" })",
                             R"({ "a[0]" = "text" })", R"({ "[]" = "text", "" = "role" })",
                             R"({ "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q" = "text" })"}) {
    const std::string error = error_instead("fields", std::string("fields = ") + fields);
    EXPECT_NE(error.find("line 4: path '"), std::string::npos) << fields << ": " << error;
  }
  EXPECT_NE(error_with("silent = [\"type\"]").find("both read and silent"), std::string::npos);
  EXPECT_NE(error_instead("records", "records = [{ when = { smell = \"x\" }, as = \"note\" }]")
                .find("line 5: unknown slot 'smell'"),
            std::string::npos);
  EXPECT_NE(error_instead("records", "records = [{ when = { blocks = \"x\" }, as = \"note\" }]")
                .find("is no text"),
            std::string::npos);
  EXPECT_NE(error_instead("records", "records = [{ when = { role = [] }, as = \"note\" }]")
                .find("never fits"),
            std::string::npos);
}

TEST(SpecToml, RefusesWhatLeavesItsRoots) {
  for (const char* pattern : {"../{id}.jsonl", "a/../../{id}", "/etc/{id}", "~/{id}", "a//{id}",
                              "**", "a**/{id}", "**/a/**/{id}", "{home}/{id}", "./{id}", ""}) {
    const std::string error =
        error_instead("places", "places = [{ pattern = \"" + std::string(pattern) + "\" }]");
    EXPECT_NE(error.find("x.toml: line 3: pattern '"), std::string::npos) << pattern << error;
  }
  for (const char* root :
       {R"({ base = "~/../x" })", R"({ base = "etc" })", R"({ suffix = "x" })",
        R"({ base = "~/x", suffix = "../y" })", R"({ base = "~/x", suffix = "/y" })",
        R"({ base = "~/x", env = "A B" })"}) {
    EXPECT_NE(error_instead("roots", std::string("roots = [") + root + "]").find("line 2"),
              std::string::npos)
        << root;
  }
  EXPECT_NE(error_with("inside = \"../x\"").find("line 6"), std::string::npos);
  EXPECT_NE(error_instead("roots", "roots = [{ base = \"~/\", needs = \"/etc\" }]").find("line 2"),
            std::string::npos);
}

TEST(SpecToml, RefusesAFileBesideASessionThatLiesAboveItsRoot) {
  const auto error = [](const std::string& file) {
    return error_with("beside = [{ file = \"" + file + "\", fields = { t = \"title\" } }]");
  };
  EXPECT_EQ(error("{id}.meta.json"), "");
  EXPECT_EQ(error("{directory}.json"), "") << "the name of the session's folder, without a path";
  EXPECT_EQ(error("../index.jsonl"), "") << "the place has one folder";
  for (const char* file :
       {"../../index.json", "/etc/passwd", "a/../../../x", "*.json", "{any}.json", ""}) {
    EXPECT_NE(error(file).find("x.toml: line 6: "), std::string::npos) << file;
  }
  EXPECT_NE(error_with("beside = [{ file = \"x.json\" }]").find("'fields' is missing"),
            std::string::npos);
}

TEST(SpecToml, AKeyWithADotStandsInQuotes) {
  const auto spec = parse_agent(
      std::string(kGood).replace(kGood.find("\"message.role\""), 14, "\"a.'b.c'.d\""), "x.toml");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  const auto trie = FieldTrie::make(spec->fields, {}, "record");
  ASSERT_TRUE(trie.ok());
  const FieldTrie::Node* a = trie->child(trie->root(), "a");
  ASSERT_NE(a, nullptr);
  const FieldTrie::Node* inner = trie->child(*a, "b.c");
  ASSERT_NE(inner, nullptr);
  EXPECT_NE(trie->child(*inner, "d"), nullptr);
}

TEST(SpecToml, RefusesStatementsInPlaceOfNames) {
  const std::string rows =
      "store = \"rows\"\nrows = { sessions = \"s; DROP TABLE x\", id = \"id\", messages = \"m\", "
      "session = \"s\", order = \"id\" }";
  std::string text(kGood);
  text.replace(text.find("{directory}/{id}.jsonl"), 22, "x.db");
  EXPECT_NE(error_of(text + rows).find("is no name of a table or column"), std::string::npos);
  EXPECT_NE(error_of(text + "store = \"rows\"\n").find("[rows] wants 'sessions'"),
            std::string::npos);
}

TEST(SpecToml, RefusesResumeWordsThatAreMoreThanWords) {
  for (const char* words : {R"(["{id}"])", R"(["a", "{id}{id}"])", R"(["a", "{home}"])",
                            R"(["a", ""])", R"(["a\u0007"])"}) {
    EXPECT_NE(error_with(std::string("resume = ") + words).find("line 6: 'resume'"),
              std::string::npos)
        << words;
  }
  EXPECT_EQ(error_with("resume = [\"droid\", \"--session={id}\"]"), "");
}

TEST(SpecToml, RefusesNamesThatAreNone) {
  for (const char* name : {"", "Droid", "a b", "-x", "a/b", "..", "a:b",
                           "a-name-that-is-much-longer-than-any-agent-has"}) {
    std::string text(kGood);
    text.replace(text.find("droid"), 5, name);
    EXPECT_NE(error_of(text).find("x.toml: line 1: 'name'"), std::string::npos) << name;
  }
}

TEST(SpecToml, SurvivesDescriptionsThatAreTooLarge) {
  std::string many = "fields = { ";
  for (int i = 0; i < 600; ++i) many += "k" + std::to_string(i) + " = \"text\", ";
  EXPECT_NE(error_instead("fields", many + "z = \"role\" }").find("too many fields"),
            std::string::npos);
  std::string rules = "[[tools]]\ntool = \"a\"\nshown = \"b\"\n";
  std::string megabyte(kGood);
  while (megabyte.size() < 1 << 20) megabyte += rules;
  EXPECT_NE(error_of(megabyte).find("larger than 256 KB"), std::string::npos);
  EXPECT_NE(error_of(megabyte.substr(0, 200 << 10)), "");
  const std::string deep(10'000, '[');
  EXPECT_NE(error_with("silent = " + deep), "");
  std::string tables = "x = ";
  for (int i = 0; i < 5000; ++i) tables += "{a=";
  EXPECT_NE(error_with(tables), "");
}

TEST(SpecToml, OurOwnDescriptionsAreGoodAndTheirHeadsSayTheSame) {
  for (const BuiltInSpec& built_in : built_in_specs()) {
    auto whole = parse_agent(built_in.text, built_in.file);
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const SpecHead head = built_in.head.head();
    EXPECT_EQ(head.name, whole->name);
    EXPECT_EQ(head.display_name, whole->display_name);
    EXPECT_EQ(head.speaker, whole->speaker);
    EXPECT_EQ(head.formats, whole->formats);
    EXPECT_EQ(head.verified, whole->verified);
    EXPECT_EQ(head.reading, whole->reading);
    EXPECT_TRUE(std::ranges::equal(head.resume, whole->resume));
    EXPECT_TRUE(std::ranges::equal(head.roots, whole->roots, [](const auto& a, const auto& b) {
      return a.env == b.env && a.base == b.base && a.suffix == b.suffix;
    })) << head.name;
    EXPECT_EQ(head.directory.before, whole->directory.before);
    EXPECT_EQ(head.directory.after, whole->directory.after);
    EXPECT_EQ(head.directory.replace, whole->directory.replace);
    EXPECT_EQ(head.directory.with, whole->directory.with);
    EXPECT_EQ(head.directory.drop_first, whole->directory.drop_first);
    EXPECT_TRUE(compile(std::move(*whole)).ok());
    EXPECT_NE(built_in_agents()->find(head.name), nullptr) << built_in.file;
  }
}

TEST(SpecHead, IsReadWithCommentsListsAndTablesAndEndsBeforeTheStore) {
  constexpr ConstantHead kHead = constant_head(R"(# a comment = "x"
name = "own"   # behind a value
places = [{ pattern = "a", skip = ["b",], head = true }]
roots = [
  # in a list
  { env = "OWN", base = "~/.own", suffix = "s" },
  { base = '~/x' },
]
resume = ["own", "-r"]
reading = 12
directory_name = { replace = '/\', with = "-" }

store = "rows"
speaker = "too late"
)");
  const SpecHead head = kHead.head();
  EXPECT_EQ(head.name, "own");
  EXPECT_EQ(head.speaker, "own");
  EXPECT_EQ(head.reading, 12);
  ASSERT_EQ(head.roots.size(), 2U);
  EXPECT_EQ(head.roots[0].suffix, "s");
  EXPECT_EQ(head.roots[1].base, "~/x");
  EXPECT_EQ(head.roots[1].env, "");
  EXPECT_EQ(head.resume.size(), 2U);
  EXPECT_EQ(head.directory.replace, R"(/\)");
  EXPECT_EQ(head.verified, Verified::unsaid);
}

}  // namespace
}  // namespace yore::transcript
