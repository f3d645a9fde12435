// index, status, agents, resume, doctor, demo and wrong use.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/files/file.hpp"
#include "e2e/sandbox.hpp"
#include "store/lock.hpp"

namespace yore::e2e {
namespace {

class Commands : public testing::Test {
 protected:
  void write_one() { box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 2)); }
  Sandbox box_;
};

TEST_F(Commands, HelpAndVersionTouchNothing) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--help"}, {"--version"}, {"list", "--help"}, {"-h"}}) {
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_FALSE(ran.out.empty());
  }
  EXPECT_TRUE(box_.run({"--version"}).out.starts_with("yore "));
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir()));
}

TEST_F(Commands, WhoeverWaitsForAFirstBuildElsewhereIsToldSo) {
  write_one();
  ASSERT_TRUE(make_directories(box_.data_dir()).ok());
  auto held = store::WriterLock::try_acquire(box_.data_dir());
  ASSERT_TRUE(held.ok());
  const std::jthread builder([lock = std::move(*held)]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds{400});
    const store::WriterLock done = std::move(lock);
  });
  const Ran ran = box_.run({"list"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "another yore process is building it: waiting")) << ran.err;
  EXPECT_TRUE(has(ran.out, "feeds")) << ran.out;
}

TEST_F(Commands, BareYoreShowsStatusAndCommands) {
  write_one();
  const Ran before = box_.run({});
  EXPECT_EQ(before.code, 0);
  EXPECT_TRUE(has(before.out, "There is no index yet. Read the transcripts: yore index"))
      << before.out;
  EXPECT_TRUE(has(before.out, "\n  projects ")) << before.out;
  EXPECT_EQ(box_.run({"index"}).code, 0);
  EXPECT_TRUE(has(box_.run({}).out, "1 session, 2 turns; up to date\n"));
  EXPECT_EQ(box_.run({"--json"}).json()["sessions"], 1);
}

TEST_F(Commands, WrongUseIsOneSentenceAndAHint) {
  const Ran command = box_.run({"lsit"});
  EXPECT_EQ(command.code, 2);
  EXPECT_EQ(command.out, "");
  EXPECT_EQ(command.err, "yore: unknown command 'lsit'\n  did you mean: yore list\n");
  const Ran flag = box_.run({"status", "--frobnicate"});
  EXPECT_EQ(flag.code, 2);
  EXPECT_EQ(flag.err, "yore: unknown flag '--frobnicate'\n  see: yore status --help\n");
  const Ran word = box_.run({"list", "--frobnicate"});
  EXPECT_EQ(word.code, 2);
  EXPECT_EQ(word.err,
            "yore: unknown flag '--frobnicate'\n  words that begin with - go behind --\n");
  const auto json = box_.run({"--json", "lsit"});
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(json.json()["error"]["kind"], "invalid_argument");
  EXPECT_EQ(json.err, "");
}

TEST_F(Commands, BadValuesAreWrongUse) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"list", "--since", "whenever"},
        {"list", "-a", "nobody"},
        {"list", "-n", "0"},
        {"show"},
        {"show", "a", "b"},
        {"--source", "nonsense", "list"},
        {"--source", "nobody:/x", "list"},
        {"list", "--color", "blue"},
        {"index", "--since", "x"},
        {"list", "-p"}}) {
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 2) << args[0] << " " << args.back() << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("yore: ")) << ran.err;
  }
}

TEST_F(Commands, AnEmptyHomeIsNoError) {
  for (const char* command : {"list", "projects", "index"}) {
    const Ran ran = box_.run({command});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, "No transcripts found. Looked in ~/.claude/projects, ")) << ran.err;
    EXPECT_TRUE(has(ran.err, "~/.claude/projects, ~/.codex")) << ran.err;
    EXPECT_TRUE(has(ran.err, "yore demo")) << ran.err;
  }
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"].size(), 0U);
  EXPECT_EQ(box_.run({"show", "abc"}).code, 1);
}

TEST_F(Commands, StatusWithoutAnIndexSaysWhatToDo) {
  write_one();
  const Ran ran = box_.run({"status"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.starts_with("There is no index yet.\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "~/.claude/projects (Claude Code)")) << ran.out;
  EXPECT_TRUE(has(ran.err, "yore index")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir()));
  EXPECT_EQ(box_.run({"status", "--json"}).json()["indexed"], false);
}

TEST_F(Commands, StatusTellsHowFarBehindTheIndexIs) {
  write_one();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  const Ran fresh = box_.run({"status"});
  EXPECT_TRUE(has(fresh.out, "up to date")) << fresh.out;
  EXPECT_TRUE(has(fresh.out, "1 session, 2 turns")) << fresh.out;
  box_.write_session("blog", kSecond, conversation(kSecond, "more", 1));
  const auto json = box_.run({"status", "--json"}).json();
  EXPECT_EQ(json["files_behind"], 1);
  EXPECT_EQ(json["files_known"], 2);
  EXPECT_GT(json["behind_bytes"], 100);
  EXPECT_GT(json["database_bytes"], 0);
  EXPECT_EQ(json["agents"][0]["turns"], 2);
  EXPECT_TRUE(json["writer_pid"].is_null());
}

TEST_F(Commands, StatusCountsWhatCouldNotBeRead) {
  box_.write_session("blog", kFirst,
                     conversation(kFirst, "feeds", 1) + "{broken\n" +
                         fake::ClaudeLines(kFirst).of_type("frobnicate"));
  EXPECT_TRUE(has(box_.run({"index"}).out, "1 record skipped or repaired: yore doctor"));
  const Ran ran = box_.run({"status"});
  EXPECT_TRUE(has(ran.out, "1 × invalid-json in 1 file")) << ran.out;
  EXPECT_TRUE(has(ran.out, "frobnicate")) << ran.out;
  EXPECT_EQ(box_.run({"status", "--json"}).json()["problems"][0]["kind"], "invalid-json");
  EXPECT_TRUE(has(box_.run({"doctor"}).out, "invalid-json")) << ran.out;
}

TEST_F(Commands, IndexSumsUp) {
  write_one();
  const Ran first = box_.run({"index"});
  EXPECT_EQ(first.code, 0);
  EXPECT_TRUE(first.out.starts_with("1 session: 1 new\n2 turns, ")) << first.out;
  EXPECT_EQ(box_.run({"index"}).out, "1 session: 1 unchanged\n");
  EXPECT_EQ(box_.run({"index", "--quiet"}).out, "");
  EXPECT_TRUE(box_.run({"index", "--force"}).out.starts_with("1 session: 1 read again\n"));
  const auto json = box_.run({"index", "--json"}).json();
  EXPECT_EQ(json["sessions_known"], 1);
  EXPECT_EQ(json["sessions_unchanged"], 1);
  EXPECT_EQ(json["cancelled"], false);
}

TEST_F(Commands, ADryRunListsAndWritesNothing) {
  write_one();
  const Ran ran = box_.run({"index", "--dry-run"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, std::string(kFirst) + "\n");
  EXPECT_TRUE(has(ran.err, "Would read 1 of 1 session, ")) << ran.err;
  const auto json = box_.run({"index", "--dry-run", "--json"}).json();
  EXPECT_EQ(json["would_read"][0], kFirst);
  EXPECT_EQ(box_.run({"status", "--json"}).json()["sessions"], 0);
}

TEST_F(Commands, WhileAnotherProcessWritesTheIndexIsReadAsItIs) {
  write_one();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  box_.write_session("blog", kSecond, conversation(kSecond, "more", 1));
  const int lock = ::open((box_.data_dir() + "/writer.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const Ran list = box_.run({"list", "--json"});
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.err, "");
  EXPECT_EQ(list.json()["conversations"].size(), 1U);
  const Ran index = box_.run({"index", "--json"});
  EXPECT_EQ(index.code, 3);
  EXPECT_EQ(index.json()["error"]["kind"], "busy");
  ::close(lock);
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"].size(), 2U);
}

TEST_F(Commands, ForgetMissingRemovesWhatHasNoSource) {
  write_one();
  const std::string path = box_.write_session("blog", kSecond, conversation(kSecond, "old", 1));
  EXPECT_EQ(box_.run({"index"}).code, 0);
  std::filesystem::remove(path);
  EXPECT_TRUE(has(box_.run({"index"}).out, "1 kept without their source"));
  EXPECT_TRUE(has(box_.run({"index", "--forget-missing"}).out, "1 forgotten"));
  EXPECT_EQ(box_.run({"show", kSecond}).code, 1);
}

TEST_F(Commands, ANamedSourceIsReadToo) {
  write_one();
  const std::string folder = box_.in_home("kept/clawd/sessions");
  box_.write(
      folder + "/5e6f7a8b-0000-4000-8000-000000000005.jsonl",
      R"({"type":"session","version":3,"id":"5e6f7a8b-0000-4000-8000-000000000005",)"
      R"("timestamp":"2026-02-01T10:00:00.000Z","cwd":"/srv/clawd"})"
      "\n"
      R"({"type":"message","id":"a1","parentId":null,"timestamp":"2026-02-01T10:00:01.000Z",)"
      R"("message":{"role":"user","content":[{"type":"text","text":"Is the disk full?"}]}})"
      "\n");
  const Ran ran = box_.run({"--source", "openclaw:" + folder, "list"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "openclaw:5e6f7a8b  ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "openclaw-clawd")) << ran.out;
  EXPECT_TRUE(has(box_.run({"show", "5e6f"}).out, "Is the disk full?"));
}

TEST_F(Commands, AgentsAreListedWithTheirPlaces) {
  write_one();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  const Ran ran = box_.run({"agents"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran.out, "Claude Code (claude-code)\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "OpenClaw (openclaw)\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "~/.claude/projects: 1 session\n")) << ran.out;
  const auto json = box_.run({"agents", "--json"}).json();
  EXPECT_EQ(json["agents"][0]["agent"], "claude-code");
  EXPECT_EQ(json["agents"][0]["found"], true);
  EXPECT_EQ(json["agents"][0]["turns"], 2);
}

TEST_F(Commands, ResumePrintsACommandForTheShell) {
  const std::string folder = box_.in_home("it's here");
  std::filesystem::create_directories(folder);
  box_.write_session("x", kFirst, conversation(kFirst, "feeds", 1, folder));
  const Ran ran = box_.run({"resume", "1a2b"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "cd '" + box_.home() + "/it'\\''s here' && claude --resume " + kFirst + "\n");
  const auto json = box_.run({"resume", "1a2b", "--json"}).json();
  EXPECT_EQ(json["session_id"], kFirst);
  EXPECT_EQ(json["command"], (std::vector<std::string>{"claude", "--resume", kFirst}));
  EXPECT_EQ(json["cwd"], folder);
}

TEST_F(Commands, ResumeSaysWhenTheFolderIsGone) {
  write_one();
  const Ran ran = box_.run({"resume", "1a2b"});
  EXPECT_EQ(ran.out, std::string("claude --resume ") + kFirst + "\n");
  EXPECT_TRUE(has(ran.err, "/home/ann/code/blog")) << ran.err;
  EXPECT_EQ(box_.run({"resume", "ffff"}).code, 1);
}

TEST_F(Commands, ResumeExecRunsTheAgentInTheFolder) {
  const std::string folder = box_.in_home("work");
  std::filesystem::create_directories(folder);
  box_.write_session("x", kFirst, conversation(kFirst, "feeds", 1, folder));
  const std::string agent =
      box_.write(box_.in_home("bin/claude"), "#!/bin/sh\necho \"$PWD: $*\"\nexit 7\n");
  std::filesystem::permissions(agent, std::filesystem::perms::owner_all);
  EXPECT_EQ(box_.run({"resume", "1a2b", "--exec"}).code, 3);
  box_.set_env("PATH", box_.in_home("bin") + ":/usr/bin:/bin");
  const Ran ran = box_.run({"resume", "1a2b", "--exec"});
  EXPECT_EQ(ran.code, 7);
  EXPECT_EQ(ran.out, folder + ": --resume " + kFirst + "\n");
}

TEST_F(Commands, DoctorFindsAndMendsOpenPermissions) {
  write_one();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  const Ran well = box_.run({"doctor"});
  EXPECT_EQ(well.code, 0) << well.out;
  EXPECT_TRUE(has(well.out, "✓ ")) << well.out;
  ASSERT_EQ(::chmod(box_.data_dir().c_str(), 0755), 0);
  const Ran ill = box_.run({"doctor"});
  EXPECT_EQ(ill.code, 3);
  EXPECT_TRUE(has(ill.out, "✗ permissions: ")) << ill.out;
  EXPECT_EQ(box_.run({"doctor", "--json"}).json()["ok"], false);
  EXPECT_EQ(box_.run({"doctor", "--fix"}).code, 0);
  EXPECT_EQ(box_.run({"doctor"}).code, 0);
}

TEST_F(Commands, ABrokenDatabaseIsMendedAndKept) {
  write_one();
  const std::vector<std::vector<std::string>> commands = {{"list"}, {"index"}, {"search", "feeds"}};
  for (const auto& command : commands) {
    const std::string database = box_.write(box_.data_dir() + "/yore.db", std::string(8192, 'x'));
    const Ran ran = box_.run(command);
    EXPECT_EQ(ran.code, 0) << command[0] << ran.err;
    EXPECT_TRUE(has(ran.err, "was damaged and has been mended")) << command[0] << ran.err;
    EXPECT_TRUE(has(box_.run({"list"}).out, "Question 0 about feeds")) << command[0];
    EXPECT_EQ(*read_file(database + ".damaged"), std::string(8192, 'x')) << command[0];
  }
}

TEST_F(Commands, ABrokenConfigurationIsNamed) {
  write_one();
  box_.write(box_.in_home(".config/yore/config.toml"), "exclude = 3\n");
  const Ran ran = box_.run({"list"});
  EXPECT_NE(ran.code, 0);
  EXPECT_TRUE(has(ran.err, "exclude")) << ran.err;
  box_.write(box_.in_home(".config/yore/config.toml"), "colour = 3\n");
  const Ran unknown = box_.run({"list"});
  EXPECT_EQ(unknown.code, 0);
  EXPECT_TRUE(has(unknown.err, "colour")) << unknown.err;
}

TEST_F(Commands, DemoShowsTheSamplesAndNothingElse) {
  write_one();
  const Ran ran = box_.run({"demo"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* command :
       {"$ yore index\n", "$ yore list", "$ yore projects\n", "$ yore search 'JWT refresh tokens' ",
        "[1] Project: shopfront | ", "Found 2 results in ", "$ yore chunk "}) {
    EXPECT_TRUE(has(ran.out, command)) << ran.out;
  }
  EXPECT_TRUE(has(ran.out, "shopfront")) << ran.out;
  EXPECT_FALSE(has(ran.out, "feeds")) << ran.out;
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir()));
  const auto json = box_.run({"demo", "--json"}).json();
  ASSERT_EQ(json["steps"].size(), 8U);
  EXPECT_EQ(json["steps"][0]["output"]["sessions_new"],
            json["steps"][0]["output"]["sessions_known"]);
  EXPECT_FALSE(json["steps"][1]["output"]["conversations"].empty());
  for (const std::size_t step : {3U, 4U, 5U, 7U}) {
    EXPECT_FALSE(json["steps"][step]["output"]["results"].empty()) << json["steps"][step];
  }
  EXPECT_EQ(json["steps"][6]["output"]["chunk_id"],
            json["steps"][3]["output"]["results"][0]["chunk_id"]);
}

TEST_F(Commands, EveryCommandAnswersInJson) {
  write_one();
  for (const std::vector<std::string>& args : {std::vector<std::string>{"index"},
                                               {"status"},
                                               {"list"},
                                               {"projects"},
                                               {"agents"},
                                               {"doctor"},
                                               {"demo"},
                                               {"show", "1a2b"},
                                               {"show", "1a2b", "--turn", "0"},
                                               {"show", "zzzz"},
                                               {"resume", "1a2b"},
                                               {"resume", "zzzz"},
                                               {"search", "feeds"},
                                               {"search", "nothing"},
                                               {"search"},
                                               {"chunk", "zzzz"},
                                               {"embed", "feeds"},
                                               {"embed"},
                                               {"nonsense"},
                                               {}}) {
    std::vector<std::string> with_json = args;
    with_json.emplace_back("--json");
    EXPECT_TRUE(box_.run(with_json).json().is_object());
  }
}

}  // namespace
}  // namespace yore::e2e
