// An agent that the program has never heard of: a description in TOML is all it takes.
#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

constexpr std::string_view kSpec = R"(name = "gnome"
display_name = "Garden Gnome"
speaker = "Gnome"
resume = ["true", "{id}"]
roots = [{ base = "~/.gnome", suffix = "talks" }]
store = "lines"
dialect = "anthropic"
places = [{ pattern = "{directory}/{id}.jsonl" }]
silent = ["v"]
fields = { kind = "type", who = "role", said = "blocks", at = "time", where = "cwd" }
records = [
  { when = { role = "me" }, as = "prompt" },
  { when = { role = "gnome" }, as = "assistant" },
]
)";
constexpr std::string_view kTalk =
    R"({"kind":"talk","who":"me","said":"How do tulips grow?","at":"2026-05-02T10:00:01Z","where":"/w/garden","v":1}
{"kind":"talk","who":"gnome","said":[{"type":"text","text":"Tulips want marmalade."}],"at":"2026-05-02T10:00:02Z"}
{"kind":"talk","who":"crow","said":"caw","wind":3}
)";

class OwnAgent : public testing::Test {
 protected:
  OwnAgent() {
    box_.write(box_.in_home(".gnome/talks/garden/t1.jsonl"), kTalk);
    spec_ = box_.write(box_.in_home(".config/yore/agents/gnome.toml"), kSpec);
  }
  [[nodiscard]] bool is_found() const {
    const auto answer = box_.run({"search", "marmalade", "--json"}).json();
    return answer["results"].size() == 1 && answer["results"][0]["session_id"] == "gnome:t1";
  }

  Sandbox box_;
  std::string spec_;
};

TEST_F(OwnAgent, IsIndexedSearchedAndShown) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  EXPECT_TRUE(is_found());
  const Ran found = box_.run({"search", "marmalade", "--agent", "gnome"});
  EXPECT_NE(found.out.find("Gnome: Tulips want marmalade."), std::string::npos) << found.out;
  const auto shown = box_.run({"show", "gnome:t1", "--json"}).json();
  EXPECT_EQ(shown["total_turns"], 1);
  EXPECT_EQ(shown["turns"][0]["user_text"], "How do tulips grow?");
  const auto again = box_.run({"index", "--json"}).json();
  EXPECT_EQ(again["bytes_read"], 0) << again;
  const Ran agents = box_.run({"agents"});
  EXPECT_NE(agents.out.find("Garden Gnome (gnome)"), std::string::npos) << agents.out;
  EXPECT_EQ(box_.run({"agents", "--markdown"}).out.find("gnome"), std::string::npos);
}

TEST_F(OwnAgent, IsCheckedBeforeItIsUsed) {
  const Ran text = box_.run({"agents", "check", spec_, box_.in_home(".gnome/talks")});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("1 session, 1 turn"), std::string::npos) << text.out;
  const auto checked =
      box_.run({"agents", "check", spec_, box_.in_home(".gnome/talks"), "--json"}).json();
  EXPECT_EQ(checked["turns"], 1);
  EXPECT_EQ(checked["sessions"][0]["session_id"], "gnome:t1");
  EXPECT_EQ(checked["unknown"]["record.wind"], 1) << checked;
  EXPECT_EQ(checked["unknown"]["type talk"], 1) << checked;
  const std::string one = box_.in_home(".gnome/talks/garden/t1.jsonl");
  EXPECT_EQ(box_.run({"agents", "check", spec_, one, "--json"}).json()["turns"], 1);

  const std::string empty = std::string(path_dirname(box_.write(box_.in_home("none/x"), "")));
  EXPECT_EQ(box_.run({"agents", "check", spec_, empty}).code, 1);
  EXPECT_EQ(box_.run({"agents", "check", spec_, box_.in_home("nowhere")}).code, 1);
  EXPECT_EQ(box_.run({"agents", "check", spec_}).code, 2);
  const std::string wrong =
      box_.write(box_.in_home("wrong.toml"), std::string(kSpec) + "colour = 1\n");
  const Ran refused = box_.run({"agents", "check", wrong, empty});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("wrong.toml: line 15: unknown key 'colour'"), std::string::npos)
      << refused.err;
}

TEST_F(OwnAgent, CostsASentenceWhenItsDescriptionIsNoGoodAndNothingThatWasStored) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  box_.write_session("blog", kFirst, conversation(kFirst, "parser", 1));
  std::string hostile(kSpec);
  hostile.replace(hostile.find("{directory}"), 11, "../../..");
  box_.write(spec_, hostile);
  const Ran index = box_.run({"index", "--forget-missing"});
  EXPECT_EQ(index.code, 0) << index.err;
  EXPECT_NE(index.err.find("gnome.toml: line 8: pattern '../../../{id}.jsonl' leaves its root"),
            std::string::npos)
      << index.err;
  EXPECT_TRUE(is_found()) << "what was stored is still there";
  const auto others = box_.run({"search", "parser", "--json"}).json();
  EXPECT_EQ(others["results"][0]["session_id"], kFirst) << "the other agents go on";
  box_.write(spec_, kSpec);
  EXPECT_EQ(box_.run({"index", "--json"}).json()["bytes_read"], 0) << "it was not forgotten";
}

TEST_F(OwnAgent, CannotTakeANameThatIsTaken) {
  std::string other(kSpec);
  other.replace(other.find("gnome"), 5, "codex");
  box_.write(spec_, other);
  const Ran index = box_.run({"index"});
  EXPECT_EQ(index.code, 0);
  EXPECT_NE(index.err.find("there is an agent 'codex' already"), std::string::npos) << index.err;
}

TEST_F(OwnAgent, IsReadAgainWhenItsReadingRises) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  box_.write(spec_, "reading = 2\n" + std::string(kSpec));
  EXPECT_EQ(box_.run({"index", "--json"}).json()["bytes_read"], kTalk.size());
  EXPECT_EQ(box_.run({"index", "--json"}).json()["bytes_read"], 0);
  EXPECT_TRUE(is_found());
}

TEST_F(OwnAgent, IsResumedOnlyWhenSomebodySaysSo) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  const Ran shown = box_.run({"resume", "gnome:t1"});
  EXPECT_NE(shown.out.find("true t1"), std::string::npos) << shown.out;
  const Ran refused = box_.run({"resume", "gnome:t1", "--exec"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("true t1"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--yes"), std::string::npos) << refused.err;
  const Ran run = box_.run({"resume", "gnome:t1", "--exec", "--yes"});
  EXPECT_EQ(run.code, 0) << run.err;
}

}  // namespace
}  // namespace yore::e2e
