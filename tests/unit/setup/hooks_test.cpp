// The hooks of `yore setup --recall` in a home that is full of the user's own files.
#include <gtest/gtest.h>

#include "setup/hooks.hpp"
#include "unit/setup/setup_home.hpp"

namespace yore::setup {
namespace {

class SetupRecall : public SetupHome {
 protected:
  // Files of the user at the places of all hooks, too; those of agents that hold both are filled
  // already.
  void fill_hooks(Look look) const {
    for (const Hook& hook : hooks()) {
      const std::string path = resolve(hook.file, env());
      if (!hook.text.empty() || fs::exists(path)) continue;
      if (look != Look::absent) put(path, sample(hook.format, look));
    }
  }
  [[nodiscard]] std::vector<HookState> states() const {
    const auto ledger = load_ledger(data(), real_file_system());
    return ledger ? look_at_hooks(world(), *ledger) : std::vector<HookState>{};
  }
  static SetupRequest with_recall() { return {{}, "", true}; }
};

TEST_F(SetupRecall, IsTakenBackByteForByteWithEverythingElse) {
  for (const Look look : kLooks) {
    SCOPED_TRACE(static_cast<int>(look));
    make_home();
    fill(look);
    fill_hooks(look);
    const auto before = picture();
    const Plan plan = set_up(with_recall());
    EXPECT_EQ(deeds(plan, Deed::refused), "");
    EXPECT_EQ(states().size(), hooks().size());
    for (const HookState& each : states()) {
      EXPECT_TRUE(each.there && each.works) << each.path;
      EXPECT_EQ(each.command, program_) << each.path;
    }
    EXPECT_FALSE(set_up(with_recall()).writes());
    EXPECT_FALSE(set_up().writes()) << "without --recall the hooks stay";
    EXPECT_EQ(deeds(undo(), Deed::refused), "");
    EXPECT_EQ(picture(), before);
    EXPECT_FALSE(fs::exists(data())) << "nothing is left of it";
  }
}

TEST_F(SetupRecall, ComesAfterASetupWithoutItAndGoesWithIt) {
  make_home();
  fill(Look::comments);
  const auto before = picture();
  set_up();
  EXPECT_TRUE(states().empty());
  const Plan plan = set_up(with_recall());
  EXPECT_EQ(deeds(plan, Deed::refused), "");
  EXPECT_EQ(states().size(), hooks().size());
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(SetupRecall, LeavesHooksOfOthersInTheSameList) {
  const std::string text =
      "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          "
      "{\"type\": \"command\", \"command\": \"date\"}\n        ]\n      }\n    ]\n  }\n}\n";
  const std::string path = place(".claude/settings.json", text);
  set_up({{"claude-code"}, "", true});
  const Json json = Json::parse(*read_file(path));
  ASSERT_EQ(json["hooks"]["UserPromptSubmit"].size(), 2U);
  EXPECT_EQ(json["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"], "date");
  EXPECT_EQ(json["hooks"]["SessionStart"].size(), 1U);
  const std::string command = json["hooks"]["SessionStart"][0]["hooks"][0]["command"];
  EXPECT_EQ(command, hook_command("claude-code", program_));
  EXPECT_EQ(command.front(), '\'') << "there is a space in the path";
  // The agent writes the file anew, with another order.
  Json rewritten = json;
  rewritten["model"] = "opus";
  std::swap(rewritten["hooks"]["UserPromptSubmit"][0], rewritten["hooks"]["UserPromptSubmit"][1]);
  put(path, rewritten.dump(4));
  EXPECT_EQ(deeds(undo(), Deed::refused), "");
  Json left = Json::parse(text);
  left["model"] = "opus";
  EXPECT_EQ(Json::parse(*read_file(path)), left);
}

TEST_F(SetupRecall, GoesOutOfFilesThatTheirAgentsRewrote) {
  make_home();
  fill(Look::plain);
  fill_hooks(Look::plain);
  const auto before = picture();
  set_up(with_recall());
  const auto ledger = load_ledger(data(), real_file_system());
  ASSERT_TRUE(ledger);
  for (const Row& row : ledger->rows) {
    if (row.whole) continue;
    const std::string text = *read_file(row.path);
    const Format format = row.entries.front().entry.format;
    if (format == Format::toml) {
      put(row.path, "rewritten = true\n" + text);
    } else if (format == Format::yaml) {
      put(row.path, "rewritten: true\n" + text);
    } else {
      Json json = Json::parse(text);
      json["rewritten"] = true;
      put(row.path, json.dump(4));
    }
  }
  EXPECT_EQ(deeds(undo(), Deed::refused), "");
  for (const Row& row : ledger->rows) {
    if (row.whole) continue;
    SCOPED_TRACE(row.path);
    const std::string was = before.contains(row.path) ? before.at(row.path) : "";
    const std::string original = was.substr(was.find(':') + 1);
    const Format format = row.entries.front().entry.format;
    if (format == Format::toml || format == Format::yaml) {
      EXPECT_EQ(*read_file(row.path),
                (format == Format::toml ? "rewritten = true\n" : "rewritten: true\n") + original);
    } else {
      Json wanted = original.empty() ? Json::object() : Json::parse(original);
      wanted["rewritten"] = true;
      EXPECT_EQ(Json::parse(*read_file(row.path)), wanted);
    }
  }
}

TEST_F(SetupRecall, FollowsAProgramThatMoved) {
  make_home();
  fill(Look::odd_indent);
  fill_hooks(Look::odd_indent);
  const auto before = picture();
  set_up(with_recall());
  const std::string old = program_;
  program_ = home() + "/else where/yore";
  fs::create_directories(home() + "/else where");
  fs::rename(old, program_);
  for (const HookState& each : states()) EXPECT_FALSE(each.works) << each.path;
  EXPECT_EQ(deeds(set_up(), Deed::refused), "") << "--recall need not be said again";
  for (const HookState& each : states()) EXPECT_EQ(each.command, program_) << each.path;
  undo();
  fs::rename(program_, old);
  fs::remove(home() + "/else where");
  EXPECT_EQ(picture(), before);
}

TEST_F(SetupRecall, KilledAtAnyCallIsFinishedOrTakenBackByTheNext) {
  const auto prepare = [&] {
    make_home();
    fs::remove_all(data());
    place(".gemini/settings.json", "{\n  // mine\n  \"a\": 1\n}\n");
    place(".kimi-code/config.toml", "model = \"x\"\n");
    fs::create_directories(home() + "/.pi/agent");
  };
  prepare();
  const auto before = picture();
  const fake::FaultyFileSystem counting;
  set_up(with_recall(), counting);
  const std::size_t calls = counting.calls();
  const auto complete = picture();
  ASSERT_GT(calls, 10U);
  for (std::size_t at = 0; at < calls; ++at) {
    SCOPED_TRACE("killed at call " + std::to_string(at));
    for (const bool go_on : {false, true}) {
      prepare();
      set_up(with_recall(), fake::FaultyFileSystem(fake::Fault::crash, at));
      if (go_on) {
        set_up(with_recall());
        ASSERT_EQ(picture(), complete);
      }
      undo();
      ASSERT_EQ(picture(), before);
    }
  }
}

TEST(SetupHookFiles, StartTheProgramWithNothingLeftToFillIn) {
  for (const Hook& hook : hooks()) {
    const std::string program = "/a b/it's \"q\"/yore";
    const std::string text = hook_text(hook, program);
    EXPECT_EQ(text.empty(), hook.text.empty());
    EXPECT_EQ(text.find("\"@"), std::string::npos);
    if (!text.empty()) {
      EXPECT_EQ(program_in(hook_text(hook, "/a b/yore")), "/a b/yore");
    }
    for (const Entry& entry : entries_of(hook, program)) {
      EXPECT_NE(marked_text(entry.value, kHookMark), nullptr);
    }
  }
}

TEST(SetupHookTable, StandsInTheDocumentation) {
  const auto page = read_file(YORE_SOURCE_DIR "/docs/mcp.md");
  ASSERT_TRUE(page);
  EXPECT_NE(page->find(hooks_markdown()), std::string::npos)
      << "docs/mcp.md wants what yore setup --markdown prints";
}

}  // namespace
}  // namespace yore::setup
