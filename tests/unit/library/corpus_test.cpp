#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "derive/keyword_index.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/memory_source.hpp"
#include "support/temp_dir.hpp"
#include "yore/yore.hpp"

namespace yore {
namespace {

using fake::day;
using fake::MemorySource;
using fake::turn;
using Ids = std::vector<std::string>;

// Four conversations of two projects and two agents, one on each of four days.
class OverASource : public testing::Test {
 protected:
  void SetUp() override {
    source_->add("s1", "shop", {turn("the kettle leaks", {"looking", "a kettle gasket broke"}, 1)});
    source_->add("s2", "shop", {turn("kettle again", {"the kettle is fine"}, 2)}).agent = "robot";
    source_->add("s3", "blog", {turn("write about tea", {"the kettle sings", "tea is done"}, 3)});
    source_->add("s4", "blog", {turn("a kettle picture", {"drawn"}, 4)}).title = "Teapots";
  }
  CorpusOptions options(std::string_view directory = "data") const {
    CorpusOptions options;
    options.data_dir = home_.path() + "/" + std::string(directory);
    options.source = source_;
    return options;
  }
  static Corpus opened(const CorpusOptions& options) {
    auto corpus = Corpus::open(options);
    if (!corpus.ok()) throw std::runtime_error(corpus.error().message);
    return std::move(*corpus);
  }
  static Corpus fresh(const CorpusOptions& options) {
    Corpus corpus = opened(options);
    const auto report = corpus.refresh();
    EXPECT_TRUE(report.ok()) << report.error().message;
    return corpus;
  }
  static SearchQuery asking(const std::string& text) {
    SearchQuery query;
    query.text = text;
    return query;
  }
  static Ids found(const Corpus& corpus, const SearchQuery& query) {
    const auto results = corpus.search(query);
    EXPECT_TRUE(results.ok()) << results.error().message;
    Ids ids;
    if (!results) return ids;
    for (const SearchHit& hit : results->hits) ids.push_back(hit.session_id);
    std::ranges::sort(ids);
    return ids;
  }
  static Ids found(const Corpus& corpus, const std::string& text) {
    return found(corpus, asking(text));
  }
  static Ids listed(const Corpus& corpus, const ListQuery& query = {}) {
    const auto list = corpus.list(query);
    EXPECT_TRUE(list.ok()) << list.error().message;
    Ids ids;
    if (!list) return ids;
    for (const SessionInfo& session : list->sessions) ids.push_back(session.id);
    return ids;
  }

  fake::TempDir home_;
  std::shared_ptr<MemorySource> source_ = std::make_shared<MemorySource>();
};

// Scope ------------------------------------------------------------------------------------------

TEST_F(OverASource, FindsWhatWasAskedAndConcludedAndTitlesButNotWhatWasSaidOnTheWay) {
  const Corpus corpus = fresh(options());
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s1", "s2", "s4"}));  // s3 mentions it in passing
  EXPECT_EQ(found(corpus, "teapots"), (Ids{"s4"}));
}

TEST_F(OverASource, WithIncludeFullFindsAllThatTheAssistantSaid) {
  CorpusOptions wide = options();
  wide.include_full = true;
  EXPECT_EQ(found(fresh(wide), "kettle"), (Ids{"s1", "s2", "s3", "s4"}));
}

TEST_F(OverASource, SinceLeavesOutWhatIsOlder) {
  CorpusOptions late = options();
  late.since = day(2);
  const Corpus corpus = fresh(late);
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s2", "s4"}));
  EXPECT_EQ(listed(corpus), (Ids{"s4", "s3", "s2"}));
  late.since = day(2) + std::chrono::milliseconds{1};
  EXPECT_EQ(found(fresh(late), "kettle"), (Ids{"s4"}));
}

TEST_F(OverASource, SinceLeavesOutOldTurnsOfASessionThatWentOn) {
  source_->append("s1", turn("and the spoon", {"bent"}, 9));
  CorpusOptions late = options();
  late.since = day(5);
  const Corpus corpus = fresh(late);
  EXPECT_EQ(found(corpus, "kettle"), (Ids{}));
  EXPECT_EQ(found(corpus, "spoon"), (Ids{"s1"}));
  SearchQuery earlier = asking("kettle");
  earlier.since = day(0);  // a query can narrow a scope, never widen it
  EXPECT_EQ(found(corpus, earlier), (Ids{}));
}

TEST_F(OverASource, ProjectsAndAgentsNarrowTogetherWithTheQuery) {
  CorpusOptions narrow = options();
  narrow.projects = {"SHOP"};
  const Corpus shop = fresh(narrow);
  EXPECT_EQ(found(shop, "kettle"), (Ids{"s1", "s2"}));
  SearchQuery query = asking("kettle");
  query.agents = {"robot"};
  EXPECT_EQ(found(shop, query), (Ids{"s2"}));
  query.agents = {};
  query.projects = {"blog"};
  EXPECT_EQ(found(shop, query), (Ids{}));
  narrow.agents = {"Library"};
  EXPECT_EQ(found(fresh(narrow), "kettle"), (Ids{"s1"}));
}

TEST_F(OverASource, MaxSessionsKeepsTheNewestOfThoseInScope) {
  CorpusOptions few = options();
  few.max_sessions = 2;
  EXPECT_EQ(listed(fresh(few)), (Ids{"s4", "s3"}));
  few.projects = {"shop"};
  few.max_sessions = 1;
  Corpus corpus = fresh(few);
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s2"}));
  source_->append("s1", turn("kettle, once more", {"ok"}, 8));
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s1", "s1"}));  // both its turns
}

TEST_F(OverASource, AScopeNeverTakesAnythingAwayFromAnother) {
  const Corpus all = fresh(options());
  CorpusOptions narrow = options();
  narrow.projects = {"blog"};
  narrow.max_sessions = 1;
  EXPECT_EQ(found(fresh(narrow), "kettle"), (Ids{"s4"}));
  EXPECT_EQ(found(all, "kettle"), (Ids{"s1", "s2", "s4"}));
}

TEST_F(OverASource, TwoDirectoriesAreTwoCorpora) {
  const Corpus one = fresh(options("one"));
  source_->pages.erase("s2");
  source_->add("s5", "shop", {turn("kettle five", {"yes"}, 5)});
  const Corpus two = fresh(options("two"));
  EXPECT_EQ(found(one, "kettle"), (Ids{"s1", "s2", "s4"}));
  EXPECT_EQ(found(two, "kettle"), (Ids{"s1", "s4", "s5"}));
}

// Refreshing -------------------------------------------------------------------------------------

TEST_F(OverASource, ReadsOnlyWhatHasAnotherVersion) {
  Corpus corpus = fresh(options());
  EXPECT_EQ(source_->reads, (Ids{"s1", "s2", "s3", "s4"}));
  source_->reads.clear();
  auto report = corpus.refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_known, 4U);
  EXPECT_EQ(report->sessions_read, 0U);
  EXPECT_EQ(source_->reads, (Ids{}));

  source_->append("s3", turn("and biscuits", {"kettle biscuits"}, 5));
  report = corpus.refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_read, 1U);
  EXPECT_EQ(source_->reads, (Ids{"s3"}));
  EXPECT_EQ(found(corpus, "biscuits"), (Ids{"s3"}));
}

TEST_F(OverASource, AnotherCorpusOnTheSameDirectoryGoesOnWhereTheLastEnded) {
  fresh(options());
  source_->reads.clear();
  const Corpus again = opened(options());
  EXPECT_EQ(found(again, "kettle"), (Ids{"s1", "s2", "s4"}));
  fresh(options());
  EXPECT_EQ(source_->reads, (Ids{}));
}

TEST_F(OverASource, WithoutAVersionASessionIsReadEachTime) {
  source_->pages.at("s1").session.version = "";
  Corpus corpus = fresh(options());
  source_->reads.clear();
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ(source_->reads, (Ids{"s1"}));
  source_->pages.at("s1").turns.front().user_prompt = "the pan leaks";
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ(found(corpus, "pan"), (Ids{"s1"}));
}

TEST_F(OverASource, ATitleMayChangeWithoutReading) {
  Corpus corpus = fresh(options());
  source_->reads.clear();
  source_->pages.at("s2").session.title = "Samovars";
  source_->pages.at("s2").session.project = "museum";
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ(source_->reads, (Ids{}));
  EXPECT_EQ(found(corpus, "samovars project:museum"), (Ids{"s2"}));
}

TEST_F(OverASource, WhatTheSourceNoLongerListsIsGone) {
  Corpus corpus = fresh(options());
  source_->pages.erase("s1");
  const auto report = corpus.refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_removed, 1U);
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s2", "s4"}));
  EXPECT_EQ(listed(corpus), (Ids{"s4", "s3", "s2"}));
  source_->pages.clear();
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ(found(corpus, "kettle"), (Ids{}));
}

TEST_F(OverASource, AnEmptySourceIsAnEmptyCorpus) {
  source_->pages.clear();
  const Corpus corpus = fresh(options());
  EXPECT_EQ(found(corpus, "kettle"), (Ids{}));
  EXPECT_EQ(listed(corpus), (Ids{}));
}

TEST_F(OverASource, WhatIsDerivedMayBeDeletedAndIsMadeAgainWithoutReading) {
  Corpus corpus = fresh(options());
  source_->reads.clear();
  for (const auto& entry : std::filesystem::directory_iterator(options().data_dir)) {
    if (entry.is_directory()) std::filesystem::remove_all(entry.path());
  }
  EXPECT_FALSE(opened(options()).search(asking("kettle")).ok());
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s1", "s2", "s4"}));
  EXPECT_EQ(source_->reads, (Ids{}));
}

TEST_F(OverASource, AnyFileOfTheKeywordIndexMayBeDamagedAndTheAnswerIsTheSame) {
  fresh(options());
  source_->reads.clear();
  const std::string directory = derive::keyword_directory(options().data_dir);
  const auto files = [&] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.file_size() > 0) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
  };
  std::size_t healed = 0;
  // What is built again has new names: look anew each time.
  for (std::size_t i = 0; i < files().size(); ++i) {
    const std::filesystem::path file = files()[i];
    const std::size_t bytes = std::filesystem::file_size(file);
    // Under a new name first: published bytes are mapped by others and never change in place.
    std::ofstream(file.string() + ".damaged") << std::string(bytes, 'x');
    std::filesystem::rename(file.string() + ".damaged", file);
    const auto results = opened(options()).search(asking("kettle"));
    ASSERT_TRUE(results.ok()) << file << ": " << results.error().message;
    EXPECT_EQ(results->hits.size(), 3U) << file;
    healed +=
        std::ranges::count(results->notes, "The keyword index was damaged and was built again.");
  }
  EXPECT_GE(healed, 2U);
  EXPECT_EQ(source_->reads, (Ids{}));
}

TEST_F(OverASource, DamageIsFoundByOneOfManyThreadsAndHealedForAll) {
  const Corpus corpus = fresh(options());
  const std::string directory = derive::keyword_directory(options().data_dir);
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string other = entry.path().string() + ".damaged";
    std::ofstream(other) << "no index at all";
    std::filesystem::rename(other, entry.path());
  }
  std::atomic<int> found = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto results = corpus.search(asking("kettle"));
      if (results && results->hits.size() == 3) ++found;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, 4);
}

// Searching --------------------------------------------------------------------------------------

TEST_F(OverASource, SurfacesTargetEitherSide) {
  SourceTurn busy = turn("quiet question", {"quiet answer"}, 6);
  busy.thinking = "perhaps marzipan";
  busy.tools = {{"Bash", "grep -r nougat", "", "found praline"}};
  source_->add("s6", "shop", {busy});
  const Corpus corpus = fresh(options());
  const auto by = [&](const std::string& text, const std::string& surface) {
    SearchQuery query = asking(text);
    query.surfaces = {surface};
    return found(corpus, query);
  };
  EXPECT_EQ(by("kettle", "user_prompt"), (Ids{"s1", "s2", "s4"}));
  EXPECT_EQ(by("kettle", "assistant_summary"), (Ids{"s1", "s2"}));
  EXPECT_EQ(by("kettle", "assistant_full"), (Ids{"s1", "s2", "s3"}));
  EXPECT_EQ(by("teapots", "title"), (Ids{"s4"}));
  EXPECT_EQ(by("marzipan", "thinking"), (Ids{"s6"}));
  EXPECT_EQ(by("nougat", "tool"), (Ids{"s6"}));
  EXPECT_EQ(by("praline", "tool"), (Ids{"s6"}));
  EXPECT_EQ(found(corpus, "marzipan nougat praline"), (Ids{}));  // only when asked for
}

TEST_F(OverASource, AHitCarriesTheWholeTurnAndWhereItIs) {
  const Corpus corpus = fresh(options());
  const auto results = corpus.search(asking("gasket"));
  ASSERT_TRUE(results.ok());
  ASSERT_EQ(results->hits.size(), 1U);
  const SearchHit& hit = results->hits.front();
  EXPECT_EQ(hit.session_id, "s1");
  EXPECT_EQ(hit.turn_number, 0U);
  EXPECT_EQ(hit.project, "shop");
  EXPECT_EQ(hit.agent, "library");
  EXPECT_EQ(hit.title, "the kettle leaks");
  EXPECT_EQ(hit.time, day(1));
  EXPECT_EQ(hit.user_prompt, "the kettle leaks");
  EXPECT_EQ(hit.assistant_full, "looking\na kettle gasket broke");
  EXPECT_EQ(hit.assistant_summary, "a kettle gasket broke");
  EXPECT_EQ(hit.surfaces, (Ids{"assistant_summary"}));
  EXPECT_EQ(hit.chunk_id.size(), 12U);
  EXPECT_FALSE(hit.source_missing);
  ASSERT_EQ(hit.matches.size(), 1U);
  const auto [begin, end] = hit.matches.front();
  EXPECT_EQ(hit.snippet.substr(begin, end - begin), "gasket");
  EXPECT_EQ(results->coverage.sessions_known, 4U);
  EXPECT_EQ(results->coverage.sessions_indexed, 4U);
  EXPECT_GT(results->coverage.passages, 0U);
}

TEST_F(OverASource, LimitsAndOrderAreTheQuerys) {
  const Corpus corpus = fresh(options());
  SearchQuery query = asking("kettle");
  query.limit = 1;
  query.newest_first = true;
  const auto results = corpus.search(query);
  ASSERT_TRUE(results.ok());
  ASSERT_EQ(results->hits.size(), 1U);
  EXPECT_EQ(results->hits.front().session_id, "s4");
  EXPECT_TRUE(results->more);
  query = asking("kettle");
  query.until = day(2);
  EXPECT_EQ(found(corpus, query), (Ids{"s1"}));
  query = asking("kettle");
  query.session = "s2";
  EXPECT_EQ(found(corpus, query), (Ids{"s2"}));
  query = asking("kettle");
  query.exclude_projects = {"shop"};
  EXPECT_EQ(found(corpus, query), (Ids{"s4"}));
}

// Listing and reading ----------------------------------------------------------------------------

TEST_F(OverASource, ListsNewestFirstInPages) {
  const Corpus corpus = fresh(options());
  EXPECT_EQ(listed(corpus), (Ids{"s4", "s3", "s2", "s1"}));
  ListQuery query;
  query.limit = 2;
  query.offset = 1;
  EXPECT_EQ(listed(corpus, query), (Ids{"s3", "s2"}));
  EXPECT_TRUE(corpus.list(query)->more);
  query = {};
  query.agents = {"robot"};
  const auto list = corpus.list(query);
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->sessions.size(), 1U);
  const SessionInfo& session = list->sessions.front();
  EXPECT_EQ(session.id, "s2");
  EXPECT_EQ(session.project, "shop");
  EXPECT_EQ(session.title, "kettle again");
  EXPECT_EQ(session.turn_count, 1U);
  EXPECT_EQ(session.first_time, day(2));
  EXPECT_EQ(session.last_time, day(2));
  EXPECT_FALSE(list->more);
}

TEST_F(OverASource, ReadsTurnsFromWhatItKept) {
  for (int i = 0; i < 5; ++i) {
    source_->append("s1", turn("question " + std::to_string(i), {"answer"}, 2));
  }
  const Corpus corpus = fresh(options());
  source_->reads.clear();
  const auto all = corpus.read("s1");
  ASSERT_TRUE(all.ok()) << all.error().message;
  EXPECT_EQ(all->total_turns, 6U);
  ASSERT_EQ(all->turns.size(), 6U);
  EXPECT_EQ(all->turns[0].user_text, "the kettle leaks");
  EXPECT_EQ(all->turns[0].assistant_text, "looking\na kettle gasket broke");
  EXPECT_EQ(all->turns[0].time, day(1));
  EXPECT_FALSE(all->session.source_missing);
  const auto some = corpus.read("s1", 4, 1);
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some->turns.size(), 1U);
  EXPECT_EQ(some->turns[0].number, 4U);
  EXPECT_EQ(some->turns[0].user_text, "question 3");
  const auto none = corpus.read("s1", 60);
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->turns.empty());
  EXPECT_EQ(source_->reads, (Ids{}));
}

// Failures ---------------------------------------------------------------------------------------

TEST_F(OverASource, WrongQuestionsAreErrors) {
  const Corpus corpus = fresh(options());
  SearchQuery query = asking("kettle");
  query.surfaces = {"user_promt"};
  EXPECT_EQ(corpus.search(query).error().code, Errc::invalid_argument);
  query = asking("kettle");
  query.limit = 0;
  EXPECT_EQ(corpus.search(query).error().code, Errc::invalid_argument);
  EXPECT_EQ(corpus.search(asking("  ")).error().message, "Query required");
  query = asking("kettle");
  query.session = "nobody";
  EXPECT_EQ(corpus.search(query).error().code, Errc::not_found);
  EXPECT_EQ(corpus.read("nobody").error().message, "Unknown session_id: nobody");
  EXPECT_EQ(corpus.read("s").error().code, Errc::ambiguous);
}

TEST_F(OverASource, AScopeHidesSessionsFromReadingToo) {
  CorpusOptions narrow = options();
  narrow.projects = {"blog"};
  const Corpus corpus = fresh(narrow);
  EXPECT_TRUE(corpus.read("s3").ok());
  EXPECT_EQ(corpus.read("s1").error().code, Errc::not_found);
}

TEST_F(OverASource, BeforeTheFirstRefreshThereIsNothingToAsk) {
  const Corpus corpus = opened(options());
  EXPECT_EQ(corpus.search(asking("kettle")).error().code, Errc::not_found);
  EXPECT_EQ(corpus.list().error().message, "nothing is indexed yet");
  EXPECT_EQ(corpus.read("s1").error().code, Errc::not_found);
}

TEST_F(OverASource, OptionsThatContradictEachOtherAreRefused) {
  CorpusOptions wrong = options();
  wrong.data_dir = "";
  EXPECT_EQ(Corpus::open(wrong).error().code, Errc::invalid_argument);
  wrong = options();
  wrong.sources = {"claude-code:/tmp"};
  EXPECT_EQ(Corpus::open(wrong).error().code, Errc::invalid_argument);
}

TEST_F(OverASource, ADataDirectoryThatCannotBeIsAnError) {
  const std::string file = home_.path() + "/file";
  std::ofstream(file) << "not a directory";
  CorpusOptions wrong = options();
  wrong.data_dir = file + "/data";
  EXPECT_EQ(Corpus::open(wrong).error().code, Errc::io);
  wrong.data_dir = file;
  const auto corpus = Corpus::open(wrong);
  EXPECT_FALSE(corpus.ok());
}

TEST_F(OverASource, ASourceThatFailsChangesNothing) {
  Corpus corpus = fresh(options());
  source_->list_failure = Error{Errc::io, "the shelf is gone"};
  EXPECT_EQ(corpus.refresh().error().message, "the shelf is gone");
  EXPECT_EQ(found(corpus, "kettle"), (Ids{"s1", "s2", "s4"}));
}

TEST_F(OverASource, ASessionThatCannotBeReadKeepsWhatWasKnownAndIsTriedAgain) {
  Corpus corpus = fresh(options());
  source_->append("s1", turn("the ladle", {"bent"}, 5));
  source_->append("s2", turn("the sieve", {"holed"}, 5));
  source_->read_failures["s1"] = Error{Errc::io, "page torn"};
  auto report = corpus.refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_behind, 1U);
  EXPECT_EQ(report->notes, (Ids{"s1: page torn"}));
  EXPECT_EQ(found(corpus, "kettle ladle sieve"), (Ids{"s1", "s2", "s2", "s4"}));
  EXPECT_EQ(corpus.search(asking("kettle"))->coverage.sessions_indexed, 3U);
  source_->read_failures.clear();
  report = corpus.refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_behind, 0U);
  EXPECT_EQ(found(corpus, "ladle"), (Ids{"s1"}));
}

TEST_F(OverASource, WhatASourceThrowsBecomesAnError) {
  source_->throws = true;
  Corpus corpus = opened(options());
  const auto report = corpus.refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_behind, 4U);
  EXPECT_NE(report->notes.front().find("the cellar is flooded"), std::string::npos);
}

// Threads ----------------------------------------------------------------------------------------

TEST_F(OverASource, ManyThreadsAskWhileOneRefreshes) {
  Corpus corpus = fresh(options());
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::atomic<int> asked{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      do {
        SearchQuery query;
        query.text = "gasket";  // of a session that never changes
        const auto results = corpus.search(query);
        if (!results || results->hits.size() != 1) ++wrong;
        const auto list = corpus.list();
        if (!list || list->sessions.size() < 4) ++wrong;
        const auto read = corpus.read("s1");
        if (!read || read->turns.size() != 1) ++wrong;
        ++asked;
      } while (!done);
    });
  }
  for (int i = 0; i < 30; ++i) {
    source_->append("s2", turn("round " + std::to_string(i), {"went well"}, 5));
    const auto report = corpus.refresh();
    if (!report || report->sessions_read != 1) ++wrong;  // and let the others end
  }
  done = true;
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(asked, 4);
  EXPECT_EQ(corpus.read("s2")->total_turns, 31U);
}

// The user's own transcripts ---------------------------------------------------------------------

// The environment of the process points into a home of its own.
class OverFiles : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"CLAUDE_CONFIG_DIR", "OPENCLAW_STATE_DIR", "XDG_CONFIG_HOME",
                             "XDG_DATA_HOME", "YORE_DATA_DIR"}) {
      ::unsetenv(name);
    }
    ::setenv("HOME", world_.home().c_str(), 1);
    write("-home-ann-shop", "aaaa-1", "/home/ann/shop", "Which kettle?");
    write("-home-ann-blog", "bbbb-2", "/home/ann/blog", "Write of kettles");
  }
  void write(std::string_view directory, const std::string& session, const std::string& cwd,
             std::string_view asked) {
    fake::ClaudeLines lines(session, cwd);
    world_.write(world_.session_path(directory, session),
                 lines.prompt(asked) + lines.answer("Hm.") + lines.answer("The copper one."));
  }
  fake::FakeWorld world_;
};

TEST_F(OverFiles, TheUsersOwnCorpusIsThatOfTheCommandLine) {
  world_.index();
  const auto corpus = Corpus::open({});
  ASSERT_TRUE(corpus.ok()) << corpus.error().message;
  SearchQuery query;
  query.text = "copper";
  query.projects = {"shop"};
  const auto results = corpus->search(query);
  ASSERT_TRUE(results.ok()) << results.error().message;
  ASSERT_EQ(results->hits.size(), 1U);
  EXPECT_EQ(results->hits.front().session_id, "aaaa-1");
  EXPECT_EQ(results->hits.front().assistant_summary, "The copper one.");
}

TEST_F(OverFiles, RefreshReadsWhatIsNew) {
  CorpusOptions options;
  options.data_dir = world_.in_home("elsewhere");
  auto corpus = Corpus::open(options);
  ASSERT_TRUE(corpus.ok());
  auto report = corpus->refresh();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->sessions_known, 2U);
  EXPECT_EQ(report->sessions_read, 2U);
  write("-home-ann-shop", "cccc-3", "/home/ann/shop", "And the pan?");
  report = corpus->refresh();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->sessions_read, 1U);
  const auto read = corpus->read("cccc");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->turns.at(0).user_text, "And the pan?");
  EXPECT_EQ(read->turns.at(0).assistant_text, "Hm.\nThe copper one.");
}

TEST_F(OverFiles, AScopeHoldsForFilesToo) {
  CorpusOptions options;
  options.projects = {"blog"};
  auto corpus = Corpus::open(options);
  ASSERT_TRUE(corpus.ok());
  ASSERT_TRUE(corpus->refresh().ok());
  const auto list = corpus->list();
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->sessions.size(), 1U);
  EXPECT_EQ(list->sessions.front().id, "bbbb-2");
  EXPECT_EQ(corpus->read("aaaa-1").error().code, Errc::not_found);
}

TEST_F(OverFiles, ASourceThatIsNoneIsRefusedAtOnce) {
  CorpusOptions options;
  options.sources = {"no-such-agent:/x"};
  EXPECT_EQ(Corpus::open(options).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace yore
