// Setting up all agents in a home that is full of the user's own files, and taking it back.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/files/file.hpp"
#include "setup/apply.hpp"
#include "setup/diff.hpp"
#include "setup/wiring.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_dir.hpp"

namespace yore::setup {
namespace {

namespace fs = std::filesystem;

// What a file looks like: each of these stands at every path once.
enum class Look { absent, plain, comments, crlf, odd_indent, one_line, empty };
constexpr std::array kLooks = {Look::absent,     Look::plain,    Look::comments, Look::crlf,
                               Look::odd_indent, Look::one_line, Look::empty};

std::string json_sample(Look look, bool comments) {
  switch (look) {
    case Look::comments:
      return comments
                 ? "// mine\n{\n  \"a\": 1, // one\n  /* two */ \"b\": [1, 2] // last\n}\n// end"
                 : "{\n\n  \"a\": 1\n}\n\n\n";
    case Look::crlf:
      return "{\r\n  \"theme\": \"dark\",\r\n  \"n\": 1.50\r\n}\r\n";
    case Look::odd_indent:
      return "\t{\n\t   \"a\":{\n   \"b\":null}\n ,  \"c\" : \"\\u00e9 \xC3\xA9\"\n\t}";
    case Look::one_line:
      return R"({"a":1,"mcpServers":{"x":{"command":"x"}},"mcp":{},"servers":{}})";
    default:
      return "{\n  \"a\": true\n}\n";
  }
}

std::string toml_sample(Look look) {
  switch (look) {
    case Look::comments:
      return "# mine\nmodel = \"x\" # why\n\n[a.b]\nc = [\n  1, # one\n]\n# end";
    case Look::crlf:
      return "model = \"x\"\r\n\r\n[t]\r\na = 1\r\n";
    case Look::odd_indent:
      return "   a =    1\n\t[t]\n      b='''\n[x]\n'''\n";
    case Look::one_line:
      return "a = {b = 1}";
    default:
      return "model = \"x\"\n";
  }
}

std::string yaml_sample(Look look) {
  switch (look) {
    case Look::comments:
      return "# mine\na: 1 # why\nb:\n  # inside\n  c: \"x\"\n# end";
    case Look::crlf:
      return "a: 1\r\nb:\r\n  c: 2\r\n";
    case Look::odd_indent:
      return "a:\n        b: 1\n        c: |\n            text\n";
    case Look::one_line:
      return "{a: 1}";
    default:
      return "name: mine\na: 1\n";
  }
}

std::string sample(Format format, Look look) {
  if (look == Look::empty) return "";
  if (format == Format::toml) return toml_sample(look);
  if (format == Format::yaml) return yaml_sample(look);
  return json_sample(look, format != Format::json);
}

class Setup : public testing::Test {
 protected:
  Setup() {
    program_ = place("bin/yore", "#!/bin/sh\n");
    ::chmod(program_.c_str(), 0755);
  }

  [[nodiscard]] std::string home() const { return dir_.path() + "/my home"; }
  [[nodiscard]] std::string data() const { return dir_.path() + "/data"; }
  std::string place(const std::string& below, std::string_view bytes) const {
    return put(home() + "/" + below, bytes);
  }
  static std::string put(const std::string& path, std::string_view bytes) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  [[nodiscard]] config::World world(const FileSystem& files = real_file_system()) const {
    config::World world;
    world.env = [home = home()](std::string_view name) -> std::optional<std::string> {
      if (name == "HOME") return home;
      return std::nullopt;
    };
    world.program = program_;
    world.files = &files;
    return world;
  }
  [[nodiscard]] GetEnv env() const { return world().env; }

  // All agents are installed, with such files.
  void fill(Look look) const {
    for (const Agent& agent : agents()) {
      const std::string path = resolve(agent.file, env());
      if (look != Look::absent) {
        put(path, sample(agent.format, look));
      } else if (const std::string store = resolve(agent.found_by, env()); store != path) {
        fs::create_directories(store);
      }
    }
  }
  // Every file, folder and link below the home: what it holds, and its mode.
  [[nodiscard]] std::map<std::string, std::string> picture() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(home())) {
      std::string what = "folder";
      if (entry.is_symlink()) {
        what = "-> " + fs::read_symlink(entry.path()).string();
      } else if (entry.is_regular_file()) {
        what = std::to_string(static_cast<unsigned>(entry.status().permissions())) + ":" +
               *read_file(entry.path().string());
      }
      all[entry.path().string()] = what;
    }
    return all;
  }
  Plan set_up(const SetupRequest& request = {},
              const FileSystem& files = real_file_system()) const {
    return run(request, files, plan_setup, apply_setup);
  }
  Plan undo(const SetupRequest& request = {}, const FileSystem& files = real_file_system()) const {
    return run(request, files, plan_undo, apply_undo);
  }
  template <typename Planning, typename Applying>
  Plan run(const SetupRequest& request, const FileSystem& files, Planning planning,
           Applying applying) const {
    const auto ledger = load_ledger(data(), files);
    if (!ledger) return {};
    auto plan = planning(world(files), *ledger, request);
    EXPECT_TRUE(plan) << plan.error().message;
    if (!plan) return {};
    status_ = applying(world(files), data(), *ledger, *plan);
    return std::move(*plan);
  }
  static std::string deeds(const Plan& plan, Deed deed) {
    std::string out;
    for (const Step& step : plan.steps) {
      if (step.deed == deed) out += step.path + ": " + step.why + "\n";
    }
    return out;
  }

  fake::TempDir dir_;
  std::string program_;
  mutable Status status_;
};

TEST_F(Setup, OfAllAgentsIsTakenBackByteForByte) {
  for (const Look look : kLooks) {
    SCOPED_TRACE(static_cast<int>(look));
    fs::remove_all(home());
    program_ = place("bin/yore", "x");
    ::chmod(program_.c_str(), 0755);
    fill(look);
    const auto before = picture();
    const Plan plan = set_up();
    EXPECT_GE(plan.steps.size(), agents().size());
    EXPECT_EQ(deeds(plan, Deed::refused), "");
    EXPECT_NE(picture(), before);
    const auto ledger = load_ledger(data(), real_file_system());
    ASSERT_TRUE(ledger);
    for (const Wired& each : look_at_wiring(world(), *ledger, {})) {
      EXPECT_EQ(each.wiring, Wiring::ours) << each.path;
      EXPECT_EQ(each.command, (std::vector<std::string>{program_, "mcp"})) << each.path;
    }
    EXPECT_EQ(deeds(undo(), Deed::refused), "");
    EXPECT_EQ(picture(), before);
    EXPECT_FALSE(fs::exists(data())) << "nothing is left of it";
  }
}

TEST_F(Setup, WritesNothingTheSecondTime) {
  fill(Look::plain);
  set_up();
  const std::string path = resolve(agents()[0].file, env());
  const auto written = stat_file(path);
  const auto noted = stat_file(ledger_path(data()));
  const Plan again = set_up();
  EXPECT_FALSE(again.writes());
  EXPECT_EQ(*stat_file(path), *written);
  EXPECT_EQ(*stat_file(ledger_path(data())), *noted);
}

TEST_F(Setup, FollowsLinksAndKeepsModes) {
  const std::string real = place("dot files/cursor.json", "{\n  \"a\": 1\n}\n");
  ::chmod(real.c_str(), 0640);
  fs::create_directories(home() + "/.cursor");
  fs::create_symlink(real, home() + "/.cursor/mcp.json");
  const auto before = picture();
  set_up();
  EXPECT_TRUE(fs::is_symlink(home() + "/.cursor/mcp.json"));
  EXPECT_NE(read_file(real)->find("yore"), std::string::npos);
  EXPECT_EQ(static_cast<unsigned>(fs::status(real).permissions()), 0640U);
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(Setup, RefusesWhatItCannotEditAndGoesOnWithTheOthers) {
  const std::string broken = place(".cursor/mcp.json", "{ \"a\": ");
  const std::string foreign =
      place(".kiro/settings/mcp.json", R"({"mcpServers":{"yore":{"command":"other"}}})");
  const std::string locked = place(".junie/mcp/mcp.json", "{}");
  ::chmod(locked.c_str(), 0444);
  fs::create_directories(home() + "/.warp");
  fs::create_symlink("nowhere", home() + "/.warp/.mcp.json");
  place(".codex/config.toml", "model = \"x\"\n");
  const auto before = picture();
  const Plan plan = set_up();
  std::size_t refused = 0;
  for (const Step& step : plan.steps) {
    if (step.deed != Deed::refused) continue;
    ++refused;
    EXPECT_FALSE(step.why.empty()) << step.path;
    EXPECT_NE(step.paste.find(program_), std::string::npos) << step.path;
  }
  EXPECT_EQ(refused, 4U);
  EXPECT_NE(read_file(home() + "/.codex/config.toml")->find("[mcp_servers.yore]"),
            std::string::npos);
  EXPECT_EQ(*read_file(broken), "{ \"a\": ");
  EXPECT_NE(read_file(foreign)->find("other"), std::string::npos);
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(Setup, TakesOnlyItsEntryOutOfAFileThatWasChangedSince) {
  const std::string path = place(".cursor/mcp.json", "{\n  \"a\": 1\n}\n");
  const std::string made = home() + "/.kiro/settings/mcp.json";
  fs::create_directories(home() + "/.kiro");
  set_up();
  // The agents wrote them anew, one with something of its own.
  Json json = Json::parse(*read_file(path));
  json["mine"] = {1, 2};
  put(path, json.dump(4));
  put(made, Json::parse(*read_file(made)).dump());
  EXPECT_EQ(deeds(undo(), Deed::refused), "");
  EXPECT_EQ(Json::parse(*read_file(path)), Json::parse(R"({"a":1,"mine":[1,2]})"));
  EXPECT_FALSE(fs::exists(home() + "/.kiro/settings")) << "it held nothing but the entry";
}

TEST_F(Setup, MendsEntriesOfAProgramThatMoved) {
  for (const bool edited : {false, true}) {
    fs::remove_all(home());
    program_ = place("bin/yore", "x");
    ::chmod(program_.c_str(), 0755);
    fill(Look::comments);
    const auto before = picture();
    set_up();
    const std::string old = program_;
    program_ = home() + "/else where/yore";
    fs::create_directories(home() + "/else where");
    fs::rename(old, program_);
    if (edited) {
      for (const Agent& agent : agents()) {
        const std::string path = resolve(agent.file, env());
        put(path, *read_file(path) + "\n");
      }
    }
    auto ledger = load_ledger(data(), real_file_system());
    for (const Wired& each : look_at_wiring(world(), *ledger, {})) {
      EXPECT_EQ(each.wiring, Wiring::moved) << each.path;
    }
    EXPECT_EQ(deeds(set_up(), Deed::refused), "");
    ledger = load_ledger(data(), real_file_system());
    for (const Wired& each : look_at_wiring(world(), *ledger, {})) {
      EXPECT_EQ(each.wiring, Wiring::ours) << each.path;
      EXPECT_EQ(each.command[0], program_) << each.path;
    }
    undo();
    fs::rename(program_, old);
    fs::remove(home() + "/else where");
    if (!edited) EXPECT_EQ(picture(), before);
  }
}

TEST_F(Setup, LeavesWhatPeopleWiredThemselves) {
  const std::string text = R"({"mcpServers":{"yore":{"command":"yore","args":["mcp"]}}})";
  const std::string path = place(".cursor/mcp.json", text);
  const Plan plan = set_up({{"cursor"}, ""});
  EXPECT_EQ(plan.steps[0].deed, Deed::unchanged);
  undo();
  EXPECT_EQ(*read_file(path), text);
}

TEST_F(Setup, OfOneAgentIsTakenBackAlone) {
  fill(Look::plain);
  set_up({{"cursor", "gemini"}, ""});
  undo({{"cursor"}, ""});
  const std::string skill = home() + "/.agents/skills/yore/SKILL.md";
  EXPECT_EQ(read_file(home() + "/.cursor/mcp.json")->find("yore"), std::string::npos);
  EXPECT_NE(read_file(home() + "/.gemini/settings.json")->find("yore"), std::string::npos);
  EXPECT_TRUE(fs::exists(skill)) << "Gemini CLI reads it, too";
  undo({{"gemini"}, ""});
  EXPECT_FALSE(fs::exists(home() + "/.agents"));
}

TEST_F(Setup, WritesFilesOfAProjectOnlyWhenAsked) {
  fs::create_directories(home() + "/.claude");
  fs::create_directories(home() + "/.copilot");
  const std::string project = home() + "/code/app";
  fs::create_directories(project);
  const auto before = picture();
  const Plan plan = set_up({{}, project});
  ASSERT_EQ(plan.steps.size(), 1U) << "one file for both";
  EXPECT_EQ(plan.steps[0].path, project + "/.mcp.json");
  undo();
  EXPECT_EQ(picture(), before);
}

TEST_F(Setup, NamesTheAgentThatWasMeant) {
  const auto plan = plan_setup(world(), {}, {{"cursr"}, ""});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::invalid_argument);
  EXPECT_NE(plan.error().hint.find("cursor"), std::string::npos);
}

TEST_F(Setup, KilledAtAnyCallIsFinishedOrTakenBackByTheNext) {
  const auto prepare = [&] {
    fs::remove_all(home());
    fs::remove_all(data());
    program_ = place("bin/yore", "x");
    ::chmod(program_.c_str(), 0755);
    place(".cursor/mcp.json", "{\n  \"a\": 1\n}\n");
    place(".codex/config.toml", "model = \"x\"\n");
    fs::create_directories(home() + "/.kiro");
    place(".config/goose/config.yaml", "a: 1\n");
  };
  prepare();
  const auto before = picture();
  const fake::FaultyFileSystem counting;
  set_up({}, counting);
  const std::size_t calls = counting.calls();
  const auto complete = picture();
  const fake::FaultyFileSystem counting_undo;
  undo({}, counting_undo);
  const std::size_t undo_calls = counting_undo.calls();
  ASSERT_EQ(picture(), before);
  ASSERT_GT(calls, 20U);
  for (std::size_t at = 0; at < calls; ++at) {
    SCOPED_TRACE("setup killed at call " + std::to_string(at));
    for (const bool go_on : {false, true}) {
      prepare();
      set_up({}, fake::FaultyFileSystem(fake::Fault::crash, at));
      if (go_on) {
        set_up();
        ASSERT_EQ(picture(), complete);
      }
      undo();
      ASSERT_EQ(picture(), before);
    }
  }
  for (std::size_t at = 0; at < undo_calls; ++at) {
    SCOPED_TRACE("undo killed at call " + std::to_string(at));
    prepare();
    set_up();
    undo({}, fake::FaultyFileSystem(fake::Fault::crash, at));
    undo();
    ASSERT_EQ(picture(), before);
  }
}

TEST_F(Setup, OfALargeFileChangesOnlyTheEntry) {
  std::string text = "{\n  \"projects\": {\n";
  for (int i = 0; text.size() < (5U << 20); ++i) {
    text +=
        "    \"/home/ann/" + std::to_string(i) + "\": {\"history\": [\"some words\", 1, null]},\n";
  }
  text += "    \"last\": {}\n  }\n}\n";
  const std::string path = place(".claude.json", text);
  const Plan plan = set_up({{"claude-code"}, ""});
  EXPECT_LT(diff_text(plan.steps[0].was.bytes, plan.steps[0].after).size(), 1000U);
  EXPECT_GT(read_file(path)->size(), text.size());
  undo();
  EXPECT_EQ(*read_file(path), text);
}

TEST(SetupDiff, ShowsTheLinesThatChangeAndNoOthers) {
  EXPECT_EQ(diff_text("a\nsecret\nb\n", "a\nsecret\nb\nc\n"), "@@ line 4 @@\n+c\n");
  EXPECT_EQ(diff_text("{\n \"a\": 1\n}\n", "{\n \"a\": 1,\n \"b\": 2\n}\n"),
            "@@ line 2 @@\n- \"a\": 1\n+ \"a\": 1,\n+ \"b\": 2\n");
  EXPECT_EQ(diff_text("", "x\n"), "@@ line 1 @@\n+x\n");
  EXPECT_EQ(diff_text("x", "x"), "");
}

TEST(SetupTable, StandsInTheDocumentation) {
  const auto page = read_file(YORE_SOURCE_DIR "/docs/mcp.md");
  ASSERT_TRUE(page);
  EXPECT_NE(page->find(markdown_table()), std::string::npos)
      << "docs/mcp.md wants what yore setup --markdown prints";
}

}  // namespace
}  // namespace yore::setup
