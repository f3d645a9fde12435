#include "ingest/indexer.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "store/lock.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore::ingest {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

constexpr std::string_view kBlog = "-home-ann-code-blog";
constexpr std::string_view kShop = "-home-ann-code-shop";

class Indexing : public testing::Test {
 protected:
  std::string path(std::string_view directory = kBlog, std::string_view session = "one") {
    return world_.session_path(directory, session);
  }
  // A session with one turn.
  std::string some(std::string_view session = "one") {
    ClaudeLines lines{std::string(session)};
    return lines.prompt("Question of " + std::string(session)) + lines.answer("Answer");
  }
  std::vector<std::string> prompts(std::string_view uid) {
    auto store = world_.store();
    const store::SessionRow row = world_.session(uid);
    const auto passages = store.passages_of(row.id, 0, UINT32_MAX);
    std::vector<std::string> texts;
    for (const auto& [id, passage] : *passages) {
      if (passage.surface == turns::Surface::user_prompt) texts.push_back(passage.text);
    }
    return texts;
  }
  std::string state() {
    auto store = world_.store();
    EXPECT_EQ(fake::feed_problem(store), "");
    return fake::dump_state(store);
  }

  FakeWorld world_;
};

using Texts = std::vector<std::string>;

// Messages of this agent have no times.
TEST_F(Indexing, DatesASessionThatTellsNoTimesByItsBeginOrItsFile) {
  const std::string folder = world_.in_home(".vibe/logs/session/session_20260707_132849_");
  const std::string message = R"({"role":"user","content":"Why?","message_id":"m1"})";
  world_.write(folder + "aaaaaaaa/messages.jsonl", message + "\n");
  world_.write(
      folder + "aaaaaaaa/meta.json",
      R"({"start_time":"2026-07-07T13:28:49Z","environment":{"working_directory":"/w/app"}})");
  world_.write(folder + "bbbbbbbb/messages.jsonl", message + "\n");
  world_.index();
  const Time begun = parse_iso8601("2026-07-07T13:28:49Z").value();
  const store::SessionRow known = world_.session("vibe:aaaaaaaa");
  EXPECT_EQ(known.facts.first_time, begun);
  EXPECT_EQ(known.project, "app") << "by its directory, for the folder's name tells nothing";
  const auto stamp = stat_file(folder + "bbbbbbbb/messages.jsonl");
  ASSERT_TRUE(stamp.ok());
  const store::SessionRow bare = world_.session("vibe:bbbbbbbb");
  EXPECT_EQ(bare.facts.last_time, from_ms(stamp->mtime_ns / 1'000'000));
}

TEST_F(Indexing, ReadsANewSession) {
  const std::string text = some();
  world_.write(path(), text);
  const IndexReport report = world_.index();
  EXPECT_EQ(report.sessions_known, 1U);
  EXPECT_EQ(report.sessions_new, 1U);
  EXPECT_EQ(report.turns_written, 1U);
  EXPECT_EQ(report.bytes_read, text.size());
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
}

TEST_F(Indexing, OfNothingSaysWhereItLooked) {
  const IndexReport report = world_.index();
  EXPECT_EQ(report.sessions_known, 0U);
  ASSERT_FALSE(report.places.empty());
  EXPECT_EQ(report.places.front(), world_.in_home(".claude/projects"));
}

TEST_F(Indexing, ReadsNothingTheSecondTime) {
  world_.write(path(), some());
  world_.index();
  const std::string before = state();
  const auto changes = world_.store().changes_after(0, 1000)->size();
  const IndexReport report = world_.index();
  EXPECT_EQ(report.bytes_read, 0U);
  EXPECT_EQ(report.sessions_unchanged, 1U);
  EXPECT_EQ(state(), before);
  EXPECT_EQ(world_.store().changes_after(0, 1000)->size(), changes);
}

TEST_F(Indexing, ReadsExactlyWhatWasAppended) {
  ClaudeLines lines("one");
  world_.write(path(), lines.prompt("First") + lines.answer("Yes"));
  world_.index();
  const std::string more = lines.prompt("Second") + lines.answer("No");
  world_.append(path(), more);
  const IndexReport report = world_.index();
  EXPECT_EQ(report.bytes_read, more.size());
  EXPECT_EQ(report.sessions_grown, 1U);
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second"}));
}

TEST_F(Indexing, WaitsForTheRestOfATornLine) {
  ClaudeLines lines("one");
  const std::string first = lines.prompt("First");
  const std::string second = lines.prompt("Second");
  world_.write(path(), first + second.substr(0, 40));
  EXPECT_EQ(world_.index().bytes_read, first.size());
  EXPECT_EQ(prompts("one"), (Texts{"First"}));
  world_.append(path(), second.substr(40));
  const IndexReport report = world_.index();
  EXPECT_EQ(report.bytes_read, second.size());
  EXPECT_EQ(report.problems, 0U);
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second"}));
}

TEST_F(Indexing, ReadsATruncatedFileAgain) {
  ClaudeLines lines("one");
  const std::string first = lines.prompt("First");
  world_.write(path(), first + lines.prompt("Second"));
  world_.index();
  world_.truncate(path(), first.size());
  const IndexReport report = world_.index();
  EXPECT_EQ(report.sessions_reread, 1U);
  EXPECT_EQ(prompts("one"), (Texts{"First"}));
  world_.truncate(path(), 0);
  world_.index();
  EXPECT_EQ(prompts("one"), (Texts{}));
  EXPECT_EQ(world_.session("one").facts.turn_count, 0U);
  state();
}

TEST_F(Indexing, ReadsAFileAgainThatWasRewrittenInPlace) {
  ClaudeLines lines("one");
  world_.write(path(), lines.prompt("Fast"));
  world_.index();
  ClaudeLines again("one");
  world_.write(path(), again.prompt("Slow"));  // of the same size
  const IndexReport report = world_.index();
  EXPECT_EQ(report.sessions_reread, 1U);
  EXPECT_EQ(prompts("one"), (Texts{"Slow"}));
}

TEST_F(Indexing, FollowsARenamedFileWithoutReadingIt) {
  world_.write(path(kBlog), some());
  world_.index();
  world_.rename(path(kBlog), path(kShop));
  const IndexReport report = world_.index();
  EXPECT_EQ(report.bytes_read, 0U);
  EXPECT_EQ(report.sessions_missing, 0U);
  EXPECT_EQ(world_.session("one").path, path(kShop));
  EXPECT_EQ(world_.session("one").directory, kShop);
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
}

TEST_F(Indexing, ReadsTheLongestOfTwoFilesAndKnowsTheOtherAsACopy) {
  ClaudeLines lines("one");
  const std::string first = lines.prompt("First");
  const std::string second = lines.prompt("Second");
  world_.write(path(kBlog), first);
  world_.write(path(kShop), first + second);
  world_.index();
  EXPECT_EQ(world_.session("one").path, path(kShop));
  EXPECT_EQ(world_.session("one").other_files, (Texts{path(kBlog)}));
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second"}));

  world_.append(path(kBlog), second + lines.prompt("Third"));
  world_.index();
  EXPECT_EQ(world_.session("one").path, path(kBlog));
  EXPECT_EQ(world_.session("one").other_files, (Texts{path(kShop)}));
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second", "Third"}));

  world_.remove(path(kBlog));
  world_.index();
  EXPECT_EQ(world_.session("one").path, path(kShop));
  EXPECT_TRUE(world_.session("one").other_files.empty());
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second"}));
}

TEST_F(Indexing, KeepsASessionWhoseFileIsGone) {
  world_.write(path(), some());
  world_.index();
  world_.remove(path());
  const IndexReport report = world_.index();
  EXPECT_EQ(report.sessions_missing, 1U);
  EXPECT_EQ(world_.session("one").missing_since, world_.world().now);
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
  EXPECT_EQ(world_.reader().list({})->sessions.size(), 1U);
}

TEST_F(Indexing, KeepsWhatWasReadFromAFolderThatIsGone) {
  world_.write(path(), some());
  world_.index();
  world_.remove(world_.in_home(".claude"));
  EXPECT_EQ(world_.index().sessions_missing, 1U);
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
}

TEST_F(Indexing, TakesUpASessionWhoseFileIsBack) {
  ClaudeLines lines("one");
  const std::string first = lines.prompt("First");
  world_.write(path(), first);
  world_.index();
  world_.remove(path());
  world_.index();
  const std::string second = lines.prompt("Second");
  world_.write(path(), first + second);
  const IndexReport report = world_.index();
  EXPECT_EQ(report.bytes_read, second.size());
  EXPECT_EQ(world_.session("one").missing_since, kNoTime);
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second"}));
}

TEST_F(Indexing, ForgetsMissingSessionsWhenAsked) {
  world_.write(path(kBlog, "one"), some("one"));
  world_.write(path(kBlog, "two"), some("two"));
  world_.index();
  world_.remove(path(kBlog, "one"));
  IndexOptions forget;
  forget.forget_missing = true;
  const IndexReport report = world_.index(forget);
  EXPECT_EQ(report.sessions_forgotten, 1U);
  EXPECT_EQ(report.sessions_missing, 0U);
  EXPECT_EQ(state().find("session one"), std::string::npos);
  EXPECT_EQ(prompts("two"), (Texts{"Question of two"}));
}

TEST_F(Indexing, ReadsEverythingAgainWhenForcedAndChangesNothing) {
  const std::string text = some();
  world_.write(path(), text);
  world_.index();
  const std::string before = state();
  IndexOptions force;
  force.force = true;
  const IndexReport report = world_.index(force);
  EXPECT_EQ(report.bytes_read, text.size());
  EXPECT_EQ(report.sessions_reread, 1U);
  EXPECT_EQ(state(), before);
}

TEST_F(Indexing, ReadsWhatIsThereAgainWhenTheReadingOfItsAgentHasChanged) {
  world_.write(path(), some());
  world_.index();
  config::Settings settings = world_.settings();
  auto agents = settings.agents->all();
  std::vector<transcript::Adapter> newer(agents.begin(), agents.end());
  ++newer.front().reading;
  settings.agents = std::make_shared<transcript::AgentRegistry>(std::move(newer));
  const auto read_again = [&] {
    const std::atomic<bool> cancel{false};
    const auto report = run_index(world_.world(), settings, {}, {}, cancel);
    return report ? report->sessions_reread : 99U;
  };
  EXPECT_EQ(read_again(), 1U);
  EXPECT_EQ(read_again(), 0U) << "once is enough";
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
}

TEST_F(Indexing, ADryRunSaysWhatItWouldReadAndWritesNothing) {
  const std::string text = some();
  world_.write(path(), text);
  IndexOptions dry;
  dry.dry_run = true;
  IndexReport report = world_.index(dry);
  EXPECT_EQ(report.would_read, (Texts{"one"}));
  EXPECT_EQ(report.bytes_to_read, text.size());
  EXPECT_FALSE(is_directory(world_.data_dir()));

  world_.index();
  const std::string before = state();
  world_.append(path(), "\n");
  report = world_.index(dry);
  EXPECT_EQ(report.would_read, (Texts{"one"}));
  EXPECT_EQ(report.bytes_to_read, 1U);
  EXPECT_EQ(state(), before);
}

TEST_F(Indexing, LeavesOldFilesUnreadWhenASinceIsGiven) {
  const Time since = world_.world().now - std::chrono::hours{24 * 30};
  world_.write(path(kBlog, "old"), some("old"));
  world_.write(path(kBlog, "new"), some("new"));
  FakeWorld::set_time(path(kBlog, "old"), since - std::chrono::hours{1});
  IndexOptions options;
  options.since = since;
  EXPECT_EQ(world_.index(options).sessions_new, 1U);
  EXPECT_EQ(prompts("new"), (Texts{"Question of new"}));
  EXPECT_EQ(state().find("session old"), std::string::npos);
  EXPECT_EQ(world_.index().sessions_new, 1U) << "without it the rest is read";
  EXPECT_EQ(prompts("old"), (Texts{"Question of old"}));
}

TEST_F(Indexing, ReportsAFileThatCannotBeReadAndReadsTheRest) {
  world_.write(path(kBlog, "good"), some("good"));
  // Opens like any file and fails when read, even for root.
  std::filesystem::create_symlink("/proc/self/mem", path(kBlog, "bad"));
  const IndexReport report = world_.index();
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_NE(report.troubles[0].find("bad.jsonl"), std::string::npos);
  EXPECT_EQ(world_.store().troubles()->size(), 1U);
  EXPECT_EQ(prompts("good"), (Texts{"Question of good"}));
  EXPECT_EQ(world_.index().troubles.size(), 1U) << "it is tried again each time";

  world_.remove(path(kBlog, "bad"));
  world_.write(path(kBlog, "bad"), some("bad"));
  EXPECT_TRUE(world_.index().troubles.empty());
  EXPECT_TRUE(world_.store().troubles()->empty());
  EXPECT_EQ(prompts("bad"), (Texts{"Question of bad"}));
}

TEST_F(Indexing, KeepsWhatItHadReadOfAFileThatCannotBeReadAnyMore) {
  world_.write(path(), some());
  world_.index();
  world_.remove(path());
  std::filesystem::create_symlink("/proc/self/mem", path());
  EXPECT_EQ(world_.index().troubles.size(), 1U);
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
}

TEST_F(Indexing, PassesOverWhatIsNoFile) {
  world_.write(path(kBlog, "good"), some("good"));
  ASSERT_TRUE(make_directories(path(kBlog, "folder")).ok());
  std::filesystem::create_symlink("/nowhere", path(kBlog, "broken-link"));
  const IndexReport report = world_.index();
  EXPECT_EQ(report.sessions_new, 1U);
  EXPECT_EQ(prompts("good"), (Texts{"Question of good"}));
}

TEST_F(Indexing, CountsBrokenLinesAndUnknownTypesAndReadsTheRest) {
  ClaudeLines lines("one");
  world_.write(path(), lines.prompt("First") + "{broken\n" + lines.of_type("hologram") +
                           lines.prompt("Second"));
  const IndexReport report = world_.index();
  EXPECT_EQ(report.problems, 1U);
  auto store = world_.store();
  ASSERT_EQ(store.problems()->size(), 1U);
  EXPECT_EQ(store.problems()->front().lines, "2");
  ASSERT_EQ(store.unknowns()->size(), 1U);
  EXPECT_EQ(store.unknowns()->front().what, "type hologram");
  EXPECT_EQ(prompts("one"), (Texts{"First", "Second"}));
}

TEST_F(Indexing, SaysThatAnotherProcessIsWriting) {
  ASSERT_TRUE(make_directories(world_.data_dir()).ok());
  const auto lock = store::WriterLock::try_acquire(world_.data_dir());
  const auto report = world_.try_index();
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Errc::busy);
}

TEST_F(Indexing, StopsWhenCancelledAndGoesOnNextTime) {
  for (int i = 0; i < 30; ++i) {
    const std::string id = std::to_string(1000 + i);
    world_.write(path(kBlog, id), some(id));
  }
  std::atomic<bool> cancel{false};
  IndexOptions options;
  options.threads = 1;
  const auto report = run_index(
      world_.world(), world_.settings(), options,
      [&cancel](const IndexProgress& progress) { cancel = progress.sessions_done >= 5; }, cancel);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->cancelled);
  EXPECT_GE(report->sessions_new, 5U);
  EXPECT_LT(report->sessions_new, 30U);
  world_.index();
  const std::string state_after = state();
  world_.set_env("YORE_DATA_DIR", world_.in_home("clean"));
  world_.index();
  EXPECT_EQ(state(), state_after);
}

TEST_F(Indexing, NamesWhatARunReadThatStoppedBeforeItCameToNames) {
  world_.write(path(), some());
  std::atomic<bool> cancel{false};
  const auto report = run_index(
      world_.world(), world_.settings(), {}, [&cancel](const IndexProgress&) { cancel = true; },
      cancel);
  ASSERT_TRUE(report.ok() && report->cancelled);
  EXPECT_EQ(world_.session("one").title, "");
  EXPECT_EQ(world_.index().bytes_read, 0U);
  EXPECT_EQ(world_.session("one").title, "Question of one");
}

// Settings and sources ------------------------------------------------------------------------

class Excluding : public Indexing, public testing::WithParamInterface<const char*> {};

TEST_P(Excluding, ForgetsWhatMatchesAndTakesItBackWithoutTheGlob) {
  world_.write(path(kBlog, "one"), some("one"));
  ClaudeLines lines("two", "/home/ann/code/shop");
  world_.write(path(kShop, "two"), lines.prompt("Secret question"));
  world_.index();
  const std::string before = state();
  EXPECT_EQ(world_.session("two").project, "shop");

  const std::string glob = GetParam();
  const std::string home = world_.home();
  world_.set_config("exclude = [\"" + (glob[0] == '/' ? home + glob : glob) + "\"]\n");
  world_.index();
  EXPECT_EQ(state().find("Secret"), std::string::npos);
  EXPECT_EQ(world_.reader().find_session("two").error().code, Errc::not_found);
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
  const IndexReport again = world_.index();
  EXPECT_EQ(again.sessions_excluded, 1U);
  EXPECT_EQ(again.bytes_read, 0U) << "what is excluded is not read over and over";

  world_.set_config("exclude = []\n");
  world_.index();
  EXPECT_EQ(state(), before);
}

INSTANTIATE_TEST_SUITE_P(ByPathDirectoryAndProject, Excluding,
                         testing::Values("*/two.jsonl", "/.claude/projects/-home-ann-code-shop",
                                         "-home-ann-code-sh*", "shop"));

TEST_F(Indexing, NeverKeepsWhatWasExcludedFromTheStart) {
  world_.set_config("exclude = [\"shop\"]\n");
  ClaudeLines lines("two", "/home/ann/code/shop");
  world_.write(path(kShop, "two"), lines.prompt("Secret question"));
  world_.index();
  EXPECT_EQ(state(), "");
  EXPECT_EQ(world_.index().bytes_read, 0U);
  EXPECT_EQ(*world_.store().passage_count(), 0U);
}

TEST_F(Indexing, RemembersNamedSources) {
  const std::string folder = world_.in_home("archive/team");
  world_.write(path_join(folder, "-x-y/one.jsonl"), some());
  IndexOptions options;
  options.scope.sources = {"claude-code:" + folder};
  world_.index(options);
  EXPECT_EQ(world_.session("one").project, "claude-code-team");
  world_.append(path_join(folder, "-x-y/one.jsonl"), "\n");
  EXPECT_EQ(world_.index().bytes_read, 1U) << "without the flag it is still looked at";
  EXPECT_EQ(world_.session("one").missing_since, kNoTime);
}

TEST_F(Indexing, ReadsTheSourcesOfTheSettings) {
  world_.write(world_.in_home("archive/-x-y/one.jsonl"), some());
  world_.set_config("sources = [\"claude-code:~/archive\"]\n");
  world_.index();
  EXPECT_EQ(prompts("one"), (Texts{"Question of one"}));
}

TEST_F(Indexing, SaysThatANamedSourceDoesNotExist) {
  IndexOptions options;
  options.scope.sources = {"claude-code:" + world_.in_home("nowhere")};
  const IndexReport report = world_.index(options);
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_NE(report.troubles[0].find("nowhere: no such directory"), std::string::npos);
  EXPECT_EQ(world_.store().troubles()->size(), 1U);
}

TEST_F(Indexing, ReadsALargeFileInStepsAsIfInOne) {
  ClaudeLines lines("one");
  std::string text;
  while (text.size() < (9U << 20)) {
    text += lines.prompt("Question " + std::to_string(text.size())) +
            lines.tool_call("Bash", {{"command", "cat"}}) +
            lines.tool_result(std::string(200'000, 'y')) + lines.answer("Answer");
  }
  world_.write(path(), text);
  const IndexReport report = world_.index();
  EXPECT_EQ(report.bytes_read, text.size());
  EXPECT_EQ(report.sessions_new, 1U);
  EXPECT_EQ(world_.session("one").facts.turn_count, prompts("one").size());
  EXPECT_EQ(world_.session("one").bytes_read, text.size());
  EXPECT_EQ(world_.index().bytes_read, 0U);
  state();
}

}  // namespace
}  // namespace yore::ingest
