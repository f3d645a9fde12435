#include "transcript/spec/places.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"
#include "transcript/spec/fenced_calls.hpp"
#include "transcript/spec/plain_path.hpp"
#include "transcript/spec/typed_text.hpp"

namespace yore::transcript {
namespace {

// "id=…,directory=…" of what fits, "no" of what does not.
std::string captured(std::string_view pattern, std::string_view name) {
  const auto fits = match_name(pattern, name);
  if (!fits) return "no";
  return std::string(fits->get("id")) + "|" + std::string(fits->get("directory"));
}

TEST(Places, ANameHasOneReading) {
  EXPECT_EQ(captured("{id}.jsonl", "a.b.jsonl"), "a.b|");
  EXPECT_EQ(captured("{id}.jsonl", ".jsonl"), "no") << "a capture is never empty";
  EXPECT_EQ(captured("*.jsonl", ".jsonl"), "|");
  EXPECT_EQ(captured("????-*Z_{id}.jsonl", "2026-05Z_Z_x.jsonl"), "Z_x|") << "runs are short";
  EXPECT_EQ(captured("{directory}-{id}", "a-b-c"), "b-c|a");
  EXPECT_EQ(captured("{id}-{id}", "a-a"), "a|");
  EXPECT_EQ(captured("{id}-{id}", "a-b"), "no") << "the same name, the same text";
  EXPECT_EQ(captured("a?c", "abc"), "|");
  EXPECT_EQ(captured("a?c", "ac"), "no");
  EXPECT_EQ(captured("", ""), "|");
  EXPECT_EQ(captured("*a*b*c*", std::string(200, 'a') + "b"), "no");
}

TEST(Places, FillsInWhatIsKnown) {
  Captures captures;
  captures.set("id", "s1");
  EXPECT_EQ(fill_pattern("message/{id}/{any}*.json", captures), "message/s1/{any}*.json");
}

class Finding : public testing::Test {
 protected:
  void put(const std::string& name) {
    const std::string path = path_join(folder_.path(), name);
    ASSERT_TRUE(make_directories(std::string(path_dirname(path))).ok());
    ASSERT_TRUE(write_file_atomically(path, "x").ok());
  }
  std::vector<std::string> find(std::string_view pattern, const std::vector<std::string>& skip = {},
                                int depth = kMostFolders) {
    std::vector<std::string> found;
    PlaceFinder finder(folder_.path(), {}, listing_);
    const auto add = [&](const std::string& path, const Captures&) {
      found.push_back(path.substr(folder_.path().size() + 1));
    };
    const Status status = finder.find(pattern, skip, add, depth);
    EXPECT_TRUE(status.ok());
    return found;
  }

  fake::TempDir folder_;
  Listing listing_;
};

using Paths = std::vector<std::string>;

TEST_F(Finding, LooksNoDeeperThanThePatternSays) {
  for (const char* name :
       {"a.jsonl", "p/a.jsonl", "p/q/a.jsonl", "p/q/r/s/a.jsonl", "p/q/r/s/t/a.jsonl", "p/a.txt"}) {
    put(name);
  }
  EXPECT_EQ(find("{id}.jsonl"), (Paths{"a.jsonl"}));
  EXPECT_EQ(find("{directory}/{id}.jsonl"), (Paths{"p/a.jsonl"}));
  EXPECT_EQ(find("**/{id}.jsonl"),
            (Paths{"a.jsonl", "p/a.jsonl", "p/q/a.jsonl", "p/q/r/s/a.jsonl"}))
      << "four folders at most";
  EXPECT_EQ(find("**/{id}.jsonl", {"q"}), (Paths{"a.jsonl", "p/a.jsonl"}));
}

TEST_F(Finding, PassesOverFoldersOnlyAndGoesOnlySoDeep) {
  for (const char* name : {".x.md", ".git/.x.md", "p/.x.md", "p/q/.x.md"}) put(name);
  EXPECT_EQ(find("**/.x.md", {".*/"}), (Paths{".x.md", "p/.x.md", "p/q/.x.md"}));
  EXPECT_EQ(find("**/.x.md", {".*/"}, 1), (Paths{".x.md", "p/.x.md"}));
  EXPECT_EQ(find("**/.x.md", {".*"}), (Paths{}));
}

TEST_F(Finding, SaysWhenItsRootIsNotThere) {
  PlaceFinder finder(folder_.path() + "/nowhere", {}, listing_);
  EXPECT_FALSE(finder.find("{id}", {}, [](const std::string&, const Captures&) {}).ok());
}

TEST(PlainPath, ReadsTheAddressOfAFolder) {
  std::string storage;
  const auto plain = [&](std::string_view text) { return std::string(plain_path(text, storage)); };
  EXPECT_EQ(plain("/home/ann/app"), "/home/ann/app");
  EXPECT_EQ(plain("file:///home/ann/my%20app"), "/home/ann/my app");
  EXPECT_EQ(plain("file://host/srv/%E2%82%AC"), "/srv/€");
  EXPECT_EQ(plain("file:///a%2"), "/a%2") << "no escape";
  EXPECT_EQ(plain("file:///a%zz"), "/a%zz");
  EXPECT_EQ(plain("file://"), "");
  EXPECT_EQ(plain(""), "");
}

TEST(FencedCalls, AreBlocksNamedAfterATool) {
  const std::vector<std::string> tools = {"shell", "save"};
  const auto calls = [&](std::string_view text) {
    std::string all;
    for (const FencedCall& call : fenced_calls(text, tools)) {
      all.append(call.tool).append("(").append(call.argument).append("|").append(call.body) += ")";
    }
    return all;
  };
  EXPECT_EQ(calls("I look.\n```shell\nls\npwd\n```\nDone."), "shell(|ls\npwd)");
  EXPECT_EQ(calls("```save a b.c\nint x;\n```\n```c\nint y;\n```"), "save(a b.c|int x;)");
  EXPECT_EQ(calls("```shell\nls"), "shell(|ls)") << "never closed";
  EXPECT_EQ(calls("```shell\n```"), "shell(|)");
  EXPECT_EQ(calls("say ```shell or so"), "");
  EXPECT_EQ(calls("```text\n```shell\nls\n```"), "") << "inside of another";
}

TEST(TypedText, TakesOffWhatWasPutAround) {
  const std::vector<TypedRule> rules = {
      {TypedAction::strip, "<reminder>"},  {TypedAction::unwrap, "<query>"},
      {TypedAction::drop, "[interrupted"}, {TypedAction::machine, "<timer>"},
      {TypedAction::command, "/"},         {TypedAction::note, "<reminder>Compacted"}};
  const auto text = [&](std::string_view words) {
    return std::string(typed_text(words, rules).text);
  };
  const auto action = [&](std::string_view words) { return typed_text(words, rules).action; };
  EXPECT_EQ(text("go on"), "go on");
  EXPECT_EQ(text("<reminder>a</reminder>\n<reminder>b</reminder> go on"), "go on");
  EXPECT_EQ(text("<reminder>only this</reminder>"), "");
  EXPECT_EQ(text("<reminder>never closed"), "<reminder>never closed");
  EXPECT_EQ(text("what is <reminder>x</reminder>?"), "what is <reminder>x</reminder>?");
  EXPECT_EQ(text("<reminder>a</reminder><query>\ntidy\n</query>"), "tidy");
  EXPECT_EQ(action("[interrupted by the user]"), TypedAction::drop);
  EXPECT_EQ(action("<reminder>a</reminder> [interrupted]"), TypedAction::drop);
  EXPECT_EQ(action("<timer>look</timer>"), TypedAction::machine);
  EXPECT_EQ(action("<timer>look</timer> and more"), TypedAction::strip) << "a tag holds all of it";
  EXPECT_EQ(action("/compact"), TypedAction::command);
  EXPECT_EQ(action("<reminder>Compacted: a</reminder> b"), TypedAction::note);
  EXPECT_EQ(text("<reminder>Compacted: a</reminder> b"), "b");
}

}  // namespace
}  // namespace yore::transcript
