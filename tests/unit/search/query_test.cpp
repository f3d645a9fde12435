#include "search/query.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace yore::search {
namespace {

using Kind = QueryPart::Kind;
using Mark = QueryPart::Mark;
using Parts = std::vector<QueryPart>;
using Texts = std::vector<std::string>;

// The whole query as one part of bare words: nothing in it was taken for anything else.
void expect_text(const std::string& query) {
  const ParsedQuery parsed = parse_query(query);
  EXPECT_EQ(parsed.parts, (Parts{{Kind::words, Mark::none, query}})) << query;
  EXPECT_EQ(parsed.hints, Texts{}) << query;
  ParsedQuery without_parts = parsed;
  without_parts.parts.clear();
  EXPECT_EQ(without_parts, ParsedQuery{}) << query;
}

TEST(ParseQuery, JoinsNeighbouringBareWords) {
  EXPECT_EQ(parse_query("").parts, Parts{});
  EXPECT_EQ(parse_query(" \t\n").parts, Parts{});
  EXPECT_EQ(parse_query("  nginx \n config ").parts,
            (Parts{{Kind::words, Mark::none, "nginx config"}}));
  EXPECT_EQ(parse_query("one project:x two").parts, (Parts{{Kind::words, Mark::none, "one two"}}));
}

TEST(ParseQuery, KnowsPhrasesMarksAndPrefixes) {
  EXPECT_EQ(parse_query("a \"b c\" +d -e f* +\"g h\" -\"i\" +j* -k*").parts,
            (Parts{{Kind::words, Mark::none, "a"},
                   {Kind::phrase, Mark::none, "b c"},
                   {Kind::words, Mark::required, "d"},
                   {Kind::words, Mark::excluded, "e"},
                   {Kind::prefix, Mark::none, "f"},
                   {Kind::phrase, Mark::required, "g h"},
                   {Kind::phrase, Mark::excluded, "i"},
                   {Kind::prefix, Mark::required, "j"},
                   {Kind::prefix, Mark::excluded, "k"}}));
}

TEST(ParseQuery, AMarkBeforeAnySpaceIsText) {
  for (const std::string space : {" ", "\u00a0", "\u3000"}) {
    EXPECT_EQ(parse_query("+" + space + "redis").parts,
              (Parts{{Kind::words, Mark::none, "+ redis"}}));
    EXPECT_EQ(parse_query("-" + space).parts, (Parts{{Kind::words, Mark::none, "-"}}));
  }
}

TEST(ParseQuery, AMarkedWordStaysApart) {
  EXPECT_EQ(parse_query("-a b c +d").parts, (Parts{{Kind::words, Mark::excluded, "a"},
                                                   {Kind::words, Mark::none, "b c"},
                                                   {Kind::words, Mark::required, "d"}}));
}

TEST(ParseQuery, AFlagOfAPastedCommandIsNoExclusion) {
  expect_text("go test ./internal/prune -race -count=200");
  expect_text("helm rollback ledger-api -n prod");
  expect_text("openssl dgst -sha256 -binary | base64");
  expect_text("docker run --rm -it alpine");
  expect_text("git commit -m fix -a");
  // Nothing here but words: it is a wish.
  EXPECT_EQ(parse_query("cache -redis").parts,
            (Parts{{Kind::words, Mark::none, "cache"}, {Kind::words, Mark::excluded, "redis"}}));
}

TEST(ParseQuery, AnUnclosedQuoteEndsWithTheText) {
  EXPECT_EQ(parse_query("x \"b c").parts,
            (Parts{{Kind::words, Mark::none, "x"}, {Kind::phrase, Mark::none, "b c"}}));
  EXPECT_EQ(parse_query("\"").parts, Parts{});
  EXPECT_EQ(parse_query("\"\" +\"  \"").parts, Parts{});
  // Standing apart it is punctuation.
  EXPECT_EQ(parse_query("expected \" but got }").parts,
            (Parts{{Kind::words, Mark::none, "expected \" but got }"}}));
}

TEST(ParseQuery, TakesFields) {
  const ParsedQuery parsed = parse_query(
      "project:shop +project:\"my app\" agent:codex branch:feat/x model:opus file:http.cc "
      "tool:Bash session:1a2b has:tool word");
  EXPECT_EQ(parsed.projects, (Texts{"shop", "my app"}));
  EXPECT_EQ(parsed.agents, Texts{"codex"});
  EXPECT_EQ(parsed.branches, Texts{"feat/x"});
  EXPECT_EQ(parsed.models, Texts{"opus"});
  EXPECT_EQ(parsed.files, Texts{"http.cc"});
  EXPECT_EQ(parsed.tools, Texts{"Bash"});
  EXPECT_EQ(parsed.sessions, Texts{"1a2b"});
  EXPECT_TRUE(parsed.has_tool);
  EXPECT_EQ(parsed.parts, (Parts{{Kind::words, Mark::none, "word"}}));
  EXPECT_EQ(parsed.hints, Texts{});
}

TEST(ParseQuery, AFieldWithoutAValueIsText) {
  expect_text("project: shop");
  expect_text("which file:");
  EXPECT_EQ(parse_query("project:\"\" x").projects, Texts{});
}

TEST(ParseQuery, APathNeedsQuotesBehindFile) {
  EXPECT_EQ(parse_query("file:\"/src/net\"").files, Texts{"/src/net"});
  expect_text("file:///home/ann/x.txt");
}

TEST(ParseQuery, AWideSpaceSeparatesToo) {
  const ParsedQuery parsed = parse_query("project:shop\u3000検索\u00a0-x");
  EXPECT_EQ(parsed.projects, Texts{"shop"});
  EXPECT_EQ(parsed.parts,
            (Parts{{Kind::words, Mark::none, "検索"}, {Kind::words, Mark::excluded, "x"}}));
}

TEST(ParseQuery, WhatPeoplePasteIsText) {
  for (const char* query :
       {"How did we fix the nginx 502, again?", "error: no such file or directory (os error 2)",
        "error:foo", "std::sort(a.begin(), a.end());",
        "http://x/y?z=1&w=2 https://example.org:8080/a", "at 12:30 on localhost:8080",
        "C:\\x C:\\Users\\ann", "import fs from node:fs", "main.cpp:42:17: error",
        "git commit --no-verify --amend", "exit status -1 or -42,", "@@ -12,7 +12,9 @@",
        "a -> b => c += d - e + f", "i++ ++i --i", "**bold** *.cpp src/* a*b", "{\"key\":3}",
        "5\" disk", "don't 'quote'", "title:x line:42 time:9 role:user name:ann style:none"}) {
    expect_text(query);
  }
}

TEST(ParseQuery, HintsAtTheFieldThatWasMeant) {
  const auto hints = [](const char* query) { return parse_query(query).hints; };
  EXPECT_EQ(hints("projct:x"), Texts{"no field \"projct:\", did you mean \"project:\"?"});
  EXPECT_EQ(hints("projects:x projects:y"),
            Texts{"no field \"projects:\", did you mean \"project:\"?"});
  EXPECT_EQ(hints("Project:x"), Texts{"no field \"Project:\", did you mean \"project:\"?"});
  EXPECT_EQ(hints("flie:x"), Texts{"no field \"flie:\", did you mean \"file:\"?"});
  EXPECT_EQ(hints("has:tests"), Texts{"\"has:\" knows only \"has:tool\""});
  EXPECT_EQ(hints("-project:x"),
            Texts{"a field cannot be excluded: \"-project:\" was searched as text"});
  // Whatever was not understood is searched for.
  EXPECT_EQ(parse_query("projct:x has:tests -agent:y").parts,
            (Parts{{Kind::words, Mark::none, "projct:x has:tests"},
                   {Kind::words, Mark::excluded, "agent:y"}}));
}

TEST(ParseQuery, KnowsMarksAndStates) {
  const ParsedQuery query = parse_query("is:starred kettle tag:release tag:\"x\" is:superseded");
  EXPECT_TRUE(query.starred);
  EXPECT_TRUE(query.superseded);
  EXPECT_EQ(query.tags, (Texts{"release", "x"}));
  EXPECT_EQ(query.parts, (Parts{{Kind::words, Mark::none, "kettle"}}));
  EXPECT_FALSE(has_no_words(query));
  EXPECT_TRUE(has_no_words(parse_query("tool:Bash is:starred -kettle")));
  EXPECT_TRUE(has_no_words(parse_query("")));
  // "is:" stands in much that is pasted: no hint.
  EXPECT_EQ(parse_query("what is:this").parts, (Parts{{Kind::words, Mark::none, "what is:this"}}));
  EXPECT_TRUE(parse_query("what is:this").hints.empty());
}

// Letters, digits and bytes beyond ASCII, in order.
std::string wordly(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || (std::isalnum(byte) != 0)) kept += c;
  }
  return kept;
}

rc::Gen<std::string> queries() {
  return rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::elementOf(std::string("ab1:+-*\"\" /\\.project")), rc::gen::arbitrary<char>()));
}

RC_GTEST_PROP(ParseQuery, KeepsEveryWordInSomePlace, ()) {
  const std::string query = *queries();
  const ParsedQuery parsed = parse_query(query);
  std::string found;
  for (const QueryPart& part : parsed.parts) {
    RC_ASSERT(!part.text.empty());
    RC_ASSERT(part.kind != Kind::prefix || part.text.find('*') == std::string::npos);
    found += wordly(part.text);
  }
  std::string spaced = query;
  for (const std::string& space : {std::string("\u00a0"), std::string("\u3000")}) {
    for (std::size_t at; (at = spaced.find(space)) != std::string::npos;) {
      spaced.replace(at, space.size(), " ");
    }
  }
  const std::string wanted = wordly(spaced);
  std::size_t in_fields = 0;
  for (const Texts* values : {&parsed.projects, &parsed.agents, &parsed.branches, &parsed.models,
                              &parsed.files, &parsed.tools, &parsed.sessions, &parsed.tags}) {
    in_fields += values->size();
  }
  const bool states = parsed.has_tool || parsed.starred || parsed.superseded;
  if (in_fields == 0 && !states && query.find(":\"\"") == std::string::npos) {
    RC_ASSERT(found == wanted);
  } else {
    RC_ASSERT(found.size() <= wanted.size());
  }
}

// The parts of a query written in marks and quotes are what was written.
RC_GTEST_PROP(ParseQuery, ReadsBackWhatItWasGiven, ()) {
  const auto word = rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcxyz_.é"))));
  Parts wanted;
  std::string query;
  const int count = *rc::gen::inRange(0, 8);
  for (int i = 0; i < count; ++i) {
    const auto kind = *rc::gen::element(Kind::words, Kind::phrase, Kind::prefix);
    const auto mark = *rc::gen::element(Mark::required, Mark::excluded);
    std::string text = "w" + *word + "w";
    if (kind == Kind::phrase) text += " " + *word;
    query += mark == Mark::required ? " +" : " -";
    query += kind == Kind::phrase ? "\"" + text + "\"" : kind == Kind::prefix ? text + "*" : text;
    wanted.push_back({kind, mark, text});
  }
  RC_ASSERT(parse_query(query).parts == wanted);
}

}  // namespace
}  // namespace yore::search
