#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "support/memory_source.hpp"
#include "support/temp_dir.hpp"
#include "yore/yore.hpp"

namespace yore {
namespace {

using fake::day;
using fake::MemorySource;
using fake::turn;
using Texts = std::vector<std::string>;

// Three conversations of two projects and two agents; the first is longer than a page of a walk.
class OverTurns : public testing::Test {
 protected:
  static constexpr int kLong = 50;

  void SetUp() override {
    std::vector<SourceTurn> many;
    for (int i = 0; i < kLong; ++i) {
      many.push_back(
          turn("ask " + std::to_string(i), {"looking", "found " + std::to_string(i)}, 1));
    }
    source_->add("long", "shop", std::move(many)).title = "A long one";
    source_->add("robot", "shop", {turn("ask the robot", {"beep"}, 2)}).agent = "robot";
    source_->add("blog", "blog", {turn("write", {"first", "", "last"}, 3)});
  }
  CorpusOptions options() const {
    CorpusOptions options;
    options.data_dir = home_.path() + "/data";
    options.source = source_;
    return options;
  }
  static Corpus fresh(const CorpusOptions& options) {
    auto corpus = Corpus::open(options);
    if (!corpus.ok()) throw std::runtime_error(corpus.error().message);
    const auto report = corpus->refresh();
    EXPECT_TRUE(report.ok()) << report.error().message;
    return std::move(*corpus);
  }
  static std::vector<TurnRecord> walked(TurnWalk walk) {
    std::vector<TurnRecord> all;
    while (true) {
      auto next = walk.next();
      EXPECT_TRUE(next.ok()) << next.error().message;
      if (!next || !*next) return all;
      all.push_back(std::move(**next));
    }
  }
  static std::vector<TurnRecord> walked(const Corpus& corpus, const TurnScope& scope = {}) {
    auto walk = corpus.turns(scope);
    EXPECT_TRUE(walk.ok()) << walk.error().message;
    if (!walk) return {};
    return walked(std::move(*walk));
  }
  // Of the sessions in which turns were found, each once, in the order of the walk.
  static Texts sessions(const std::vector<TurnRecord>& turns) {
    Texts ids;
    for (const TurnRecord& each : turns) {
      if (ids.empty() || ids.back() != each.metadata.session_id) {
        ids.push_back(each.metadata.session_id);
      }
    }
    return ids;
  }

  fake::TempDir home_;
  std::shared_ptr<MemorySource> source_ = std::make_shared<MemorySource>();
};

TEST_F(OverTurns, AWalkGivesEveryTurnOnceNewestSessionFirstAndInOrderWithinASession) {
  const auto all = walked(fresh(options()));
  ASSERT_EQ(all.size(), kLong + 2U);
  EXPECT_EQ(sessions(all), (Texts{"blog", "robot", "long"}));
  for (int i = 0; i < kLong; ++i) {
    const TurnRecord& each = all[static_cast<std::size_t>(i) + 2];
    EXPECT_EQ(each.metadata.turn_number, static_cast<std::uint32_t>(i));
    EXPECT_EQ(each.user_prompt, "ask " + std::to_string(i));
    EXPECT_EQ(each.assistant_summary, "found " + std::to_string(i));
  }
  std::set<std::string> ids;
  for (const TurnRecord& each : all) ids.insert(each.id);
  EXPECT_EQ(ids.size(), all.size());
}

TEST_F(OverTurns, ATurnCarriesAllThatIsKnownOfIt) {
  SourceTurn one = turn("why?", {"let me see", "because"}, 5);
  one.model = "thinker-2";
  one.branch = "feature";
  one.tools.push_back({"Read", "x", "/src/a.cpp", "text"});
  one.tokens = Tokens{10, 20, 30, 40};
  SourceSession& session = source_->add("rich", "kitchen", {one, turn("thanks", {"welcome"}, 5)});
  session.project_path = "/home/ann/kitchen";
  session.title = "Why indeed";
  TurnScope scope;
  scope.projects = {"kitchen"};
  const auto all = walked(fresh(options()), scope);
  ASSERT_EQ(all.size(), 2U);
  const TurnRecord& rich = all[0];
  EXPECT_EQ(rich.id.size(), 12U);
  EXPECT_EQ(rich.content_hash.size(), 16U);
  EXPECT_EQ(rich.metadata.session_id, "rich");
  EXPECT_EQ(rich.metadata.project, "kitchen");
  EXPECT_EQ(rich.metadata.project_path, "/home/ann/kitchen");
  EXPECT_EQ(rich.metadata.title, "Why indeed");
  EXPECT_EQ(rich.metadata.agent, "library");
  EXPECT_EQ(rich.metadata.branch, "feature");
  EXPECT_EQ(rich.metadata.model, "thinker-2");
  EXPECT_EQ(rich.metadata.time, day(5));
  EXPECT_EQ(rich.metadata.last_time, day(5));
  EXPECT_TRUE(rich.metadata.has_tool_use);
  ASSERT_TRUE(rich.metadata.tokens.has_value());
  EXPECT_EQ(rich.metadata.tokens->input, 10U);
  EXPECT_EQ(rich.metadata.tokens->output, 20U);
  EXPECT_EQ(rich.metadata.tokens->cache_read, 30U);
  EXPECT_EQ(rich.metadata.tokens->cache_write, 40U);
  EXPECT_EQ(rich.assistant_full, "");
  EXPECT_EQ(all[1].metadata.tokens, std::nullopt) << "unknown is not zero";
  EXPECT_FALSE(all[1].metadata.has_tool_use);
}

TEST_F(OverTurns, TheWholeAnswerIsGivenWhenItIsAskedFor) {
  TurnScope scope;
  scope.projects = {"blog"};
  EXPECT_EQ(walked(fresh(options()), scope).at(0).assistant_full, "");
  scope.include_full = true;
  const auto whole = walked(fresh(options()), scope);
  EXPECT_EQ(whole.at(0).assistant_full, "first\nlast");
  EXPECT_EQ(whole.at(0).assistant_summary, "last");
}

TEST_F(OverTurns, ScopesNarrowTheWalkAndNeverWidenTheCorpus) {
  CorpusOptions shop = options();
  shop.projects = {"shop"};
  const Corpus corpus = fresh(shop);
  EXPECT_EQ(sessions(walked(corpus)), (Texts{"robot", "long"}));
  TurnScope scope;
  scope.agents = {"ROBOT"};
  EXPECT_EQ(sessions(walked(corpus, scope)), (Texts{"robot"}));
  scope = {};
  scope.projects = {"blog"};
  EXPECT_EQ(sessions(walked(corpus, scope)), (Texts{}));
  scope = {};
  scope.max_sessions = 1;
  EXPECT_EQ(sessions(walked(corpus, scope)), (Texts{"robot"}));
  scope = {};
  scope.until = day(2);
  EXPECT_EQ(sessions(walked(corpus, scope)), (Texts{"long"}));
}

TEST_F(OverTurns, SinceAndUntilLookAtTheTurnNotAtItsSession) {
  source_->append("long", turn("much later", {"yes"}, 9));
  TurnScope scope;
  scope.since = day(4);
  const auto late = walked(fresh(options()), scope);
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].user_prompt, "much later");
  EXPECT_EQ(late[0].metadata.turn_number, static_cast<std::uint32_t>(kLong));
}

TEST_F(OverTurns, IdsAndHashesStayWhileASessionGrowsAndTheHashOfAChangedTurnDiffers) {
  source_->add("growing", "blog", {turn("one", {"a"}, 6), turn("two", {"b"}, 6)});
  Corpus corpus = fresh(options());
  TurnScope scope;
  scope.max_sessions = 1;
  const auto before = walked(corpus, scope);
  ASSERT_EQ(before.size(), 2U);
  source_->pages["growing"].turns[1].assistant_text.emplace_back("b, and more");
  source_->append("growing", turn("three", {"c"}, 6));
  ASSERT_TRUE(corpus.refresh().ok());
  const auto after = walked(corpus, scope);
  ASSERT_EQ(after.size(), 3U);
  EXPECT_EQ(after[0].id, before[0].id);
  EXPECT_EQ(after[0].content_hash, before[0].content_hash);
  EXPECT_EQ(after[1].id, before[1].id);
  EXPECT_NE(after[1].content_hash, before[1].content_hash);
  EXPECT_EQ(after[1].assistant_summary, "b, and more");
}

TEST_F(OverTurns, AWalkGoesOnWhileTheCorpusChangesAndOutlivesIt) {
  std::optional<TurnWalk> walk;
  {
    Corpus corpus = fresh(options());
    auto begun = corpus.turns();
    ASSERT_TRUE(begun.ok());
    walk = std::move(*begun);
    ASSERT_EQ((*walk->next())->metadata.session_id, "blog");
    source_->pages.erase("robot");
    ASSERT_TRUE(corpus.refresh().ok());
  }
  EXPECT_EQ(sessions(walked(std::move(*walk))), (Texts{"long"}));
}

TEST_F(OverTurns, NothingIsReadBeforeItIsAskedFor) {
  Corpus corpus = fresh(options());
  auto walk = corpus.turns();
  ASSERT_TRUE(walk.ok());
  source_->pages["blog"].turns[0].user_prompt = "rewritten";
  source_->pages["blog"].session.version = "another";
  ASSERT_TRUE(corpus.refresh().ok());
  EXPECT_EQ((*walk->next())->user_prompt, "rewritten");
}

TEST_F(OverTurns, SecretsAreMaskedInPromptAnswerAndConclusion) {
  const std::string token = "ghp_" + std::string("aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b");
  source_->add("leak", "vault",
               {turn("use " + token,
                     {
                         "I have " + token,
                         "done with " + token,
                     },
                     7)});
  TurnScope scope;
  scope.projects = {"vault"};
  scope.include_full = true;
  const auto all = walked(fresh(options()), scope);
  ASSERT_EQ(all.size(), 1U);
  for (const std::string* text :
       {&all[0].user_prompt, &all[0].assistant_full, &all[0].assistant_summary}) {
    EXPECT_EQ(text->find(token), std::string::npos) << *text;
    EXPECT_NE(text->find("[masked:"), std::string::npos) << *text;
  }
  EXPECT_TRUE(all[0].assistant_summary.starts_with("done with ")) << all[0].assistant_summary;
  CorpusOptions plain = options();
  plain.mask_secrets = false;
  EXPECT_EQ(walked(fresh(plain), scope).at(0).user_prompt, "use " + token);
}

TEST_F(OverTurns, WithoutAnIndexThereIsNothingToWalk) {
  const auto corpus = Corpus::open(options());
  ASSERT_TRUE(corpus.ok());
  EXPECT_EQ(corpus->turns().error().code, Errc::not_found);
}

TEST_F(OverTurns, ManyThreadsWalkAtOnce) {
  const Corpus corpus = fresh(options());
  std::atomic<std::size_t> turns{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { turns += walked(corpus).size(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(turns, 4U * (kLong + 2));
}

// Facets -----------------------------------------------------------------------------------------

using Counts = std::map<std::string, std::uint64_t>;

Counts counts(const std::vector<FacetValue>& values) {
  Counts all;
  for (const FacetValue& each : values) all[each.value] = each.count;
  return all;
}

class OverFacets : public OverTurns {
 protected:
  void SetUp() override {
    const char* words[] = {"kettle", "pan", "spoon"};
    const char* projects[] = {"shop", "blog"};
    const char* tools[] = {"Bash", "Read", "Edit"};
    int number = 0;
    for (int session = 0; session < 12; ++session) {
      std::vector<SourceTurn> turns;
      for (int i = 0; i < 9; ++i, ++number) {
        SourceTurn one =
            turn(std::string("about the ") + words[number % 3] + " " + std::to_string(number),
                 {std::string(words[(number / 3) % 3]) + " it is"}, session * 3);
        one.branch = number % 4 == 0 ? "main" : "feature/" + std::to_string(number % 2);
        one.model = "thinker-" + std::to_string(session % 2);
        if (number % 2 == 0)
          one.tools.push_back({tools[number % 3], "run " + std::to_string(i), "", "fine"});
        turns.push_back(std::move(one));
      }
      source_->add("s" + std::to_string(session), projects[session % 2], std::move(turns)).agent =
          session % 3 == 0 ? "robot" : "library";
    }
  }
  static Facets facets(const Corpus& corpus, SearchQuery query) {
    query.facets = true;
    query.by = SearchBy::words;
    const auto found = corpus.search(query);
    EXPECT_TRUE(found.ok()) << found.error().message;
    if (!found || !found->facets) return {};
    return *found->facets;
  }
  // The slow and obvious way: every turn of the corpus is looked at.
  static Counts obvious(const Corpus& corpus, const std::string& word,
                        const std::function<std::string(const TurnRecord&)>& value) {
    Counts all;
    for (const TurnRecord& each : walked(corpus)) {
      const bool has = each.user_prompt.find(word) != std::string::npos ||
                       each.assistant_summary.find(word) != std::string::npos;
      const std::string text = value(each);
      if (has && !text.empty()) ++all[text];
    }
    return all;
  }
};

TEST_F(OverFacets, CountAllThatMatchesAsAPlainScanDoes) {
  const Corpus corpus = fresh(options());
  for (const char* word : {"kettle", "pan", "spoon"}) {
    SearchQuery query;
    query.text = word;
    query.limit = 1;
    const Facets found = facets(corpus, query);
    const auto by = [&](const auto& value) { return obvious(corpus, word, value); };
    EXPECT_EQ(counts(found.projects), by([](auto& each) { return each.metadata.project; }));
    EXPECT_EQ(counts(found.agents), by([](auto& each) { return each.metadata.agent; }));
    EXPECT_EQ(counts(found.branches), by([](auto& each) { return each.metadata.branch; }));
    EXPECT_EQ(counts(found.models), by([](auto& each) { return each.metadata.model; }));
    EXPECT_EQ(found.matched, by([](auto&) { return std::string("all"); })["all"]);
    EXPECT_EQ(counts(found.machines), (Counts{{"local", found.matched}}));
    std::uint64_t bars = 0;
    for (const HistogramBar& bar : found.histogram) bars += bar.count;
    EXPECT_EQ(bars, found.matched);
  }
}

TEST_F(OverFacets, AValueIsWhatTheFilterOfThatNameLeaves) {
  const Corpus corpus = fresh(options());
  SearchQuery query;
  query.text = "kettle";
  const Facets all = facets(corpus, query);
  ASSERT_EQ(all.tools.size(), 3U);
  for (const FacetValue& tool : all.tools) {
    SearchQuery narrowed = query;
    narrowed.tool = tool.value;
    EXPECT_EQ(facets(corpus, narrowed).matched, tool.count) << tool.value;
  }
  for (const FacetValue& branch : all.branches) {
    SearchQuery narrowed = query;
    narrowed.branch = branch.value;
    EXPECT_EQ(facets(corpus, narrowed).matched, branch.count) << branch.value;
  }
  SearchQuery asked = query;
  asked.surfaces = {"user_prompt"};
  const Counts types = counts(all.types);
  EXPECT_EQ(facets(corpus, asked).matched, types.at("user"));
}

TEST_F(OverFacets, CopiesCountOnce) {
  auto twice = source_->pages.at("s0");
  twice.session.id = "s0-fork";
  const Corpus before = fresh(options());
  SearchQuery query;
  query.text = "kettle";
  const std::uint64_t matched = facets(before, query).matched;
  // The same bytes under another id are another conversation for a source without record ids, so
  // the fork is one only when its turns have the same origin.
  source_->pages["s0-fork"] = twice;
  const Corpus after = fresh(options());
  const std::uint64_t with_fork = facets(after, query).matched;
  std::set<std::string> origins;
  for (const TurnRecord& each : walked(after)) {
    const bool has = each.user_prompt.find("kettle") != std::string::npos ||
                     each.assistant_summary.find("kettle") != std::string::npos;
    if (has) origins.insert(each.metadata.origin);
  }
  EXPECT_EQ(with_fork, origins.size());
  EXPECT_GE(with_fork, matched);
}

TEST_F(OverFacets, NothingIsCountedWhereNothingWasFoundOrNobodyAsked) {
  const Corpus corpus = fresh(options());
  SearchQuery query;
  query.text = "walrus";
  EXPECT_EQ(facets(corpus, query).matched, 0U);
  query.text = "kettle";
  const auto plain = corpus.search(query);
  ASSERT_TRUE(plain.ok());
  EXPECT_FALSE(plain->facets.has_value());
}

}  // namespace
}  // namespace yore
