// Everything a search is narrowed by, over a few texts.
#include "search/search_filter.hpp"

#include <gtest/gtest.h>

#include "support/temp_dir.hpp"
#include "support/tiny_index.hpp"

namespace yore::search {
namespace {

using Turns = std::vector<lexical::TurnOrd>;

TEST(Surfaces, WithoutAWishEverythingIsSearchedAndNoiseCountsLess) {
  const auto choice = choose_surfaces({}, {});
  ASSERT_TRUE(choice.ok());
  const auto weight = [&](turns::Surface surface) { return choice->weights[tag_of(surface)]; };
  EXPECT_EQ(weight(turns::Surface::user_prompt), lexical::kWeightOne);
  EXPECT_EQ(weight(turns::Surface::assistant_text), lexical::kWeightOne);
  EXPECT_EQ(choice->weights[lexical::kTitleTag], lexical::kWeightOne);
  EXPECT_LT(choice->earlier_answer_weight, lexical::kWeightOne);
  EXPECT_LT(weight(turns::Surface::tool), choice->earlier_answer_weight);
  EXPECT_LT(weight(turns::Surface::thinking), weight(turns::Surface::tool));
  EXPECT_GT(weight(turns::Surface::thinking), 0);
  EXPECT_EQ(weight(turns::Surface::calls), 0);
  EXPECT_EQ(weight(turns::Surface::own), 0);
}

TEST(Surfaces, WhatIsNamedCountsWholeAndNothingElseIsSearched) {
  const auto choice = choose_surfaces({}, {"tool", "title"});
  ASSERT_TRUE(choice.ok());
  for (std::size_t tag = 0; tag < choice->weights.size(); ++tag) {
    const bool named = tag == tag_of(turns::Surface::tool) || tag == lexical::kTitleTag;
    EXPECT_EQ(choice->weights[tag], named ? lexical::kWeightOne : 0) << tag;
  }
  EXPECT_EQ(choice->earlier_answer_weight, 0);
}

TEST(Surfaces, ASummaryIsTheConclusionAloneAndTheAssistantSaysMore) {
  const auto summary = choose_surfaces({}, {"assistant_summary"});
  const auto full = choose_surfaces({}, {"assistant_full"});
  const auto type = choose_surfaces({"assistant"}, {});
  ASSERT_TRUE(summary.ok() && full.ok() && type.ok());
  EXPECT_EQ(summary->weights[lexical::kAnswerTag], lexical::kWeightOne);
  EXPECT_EQ(summary->earlier_answer_weight, 0);
  EXPECT_EQ(full->earlier_answer_weight, lexical::kWeightOne);
  EXPECT_EQ(type->earlier_answer_weight, lexical::kWeightOne);
}

TEST(Surfaces, AWordThatIsNoneIsNamedTogetherWithThoseThatAre) {
  const auto surface = choose_surfaces({}, {"tool", "prompt"});
  ASSERT_FALSE(surface.ok());
  EXPECT_EQ(surface.error().code, Errc::invalid_argument);
  EXPECT_EQ(surface.error().message, "no surface 'prompt'");
  EXPECT_EQ(surface.error().hint,
            "one of user_prompt assistant_summary assistant_full tool thinking title note");
  const auto type = choose_surfaces({"robot"}, {});
  ASSERT_FALSE(type.ok());
  EXPECT_EQ(type.error().message, "no type 'robot'");
  EXPECT_EQ(type.error().hint, "one of user assistant tool thinking");
}

// Five turns of three sessions, s0 to s2, at the times 10, 20, 30, 40 and 50.
class Narrowing : public testing::Test {
 protected:
  Narrowing() {
    index_.set_turns({{0, 10, 0, 0}, {0, 20, 0, 0}, {1, 30, 0, 0}, {1, 40, 0, 0}, {2, 50, 0, 0}});
    const auto prompt = [](std::uint32_t turn, std::string text) {
      return test::TinyDoc{lexical::Family::conversation, tag_of(turns::Surface::user_prompt), turn,
                           0, std::move(text)};
    };
    index_.publish(
        {prompt(0, "the kettle leaks"),
         prompt(1, "a gasket for the kettle"),
         prompt(2, "tea"),
         prompt(3, "the tea kettle"),
         prompt(4, "biscuits"),
         {lexical::Family::detail, tag_of(turns::Surface::tool), 4, 0, "the kettle log"}});
  }
  Result<std::optional<lexical::TurnSet>> narrowed(std::string query,
                                                   std::vector<std::string> sessions = {}) {
    request_.query = std::move(query);
    const ParsedQuery parsed = parse_query(request_.query);
    const SearchTerms terms = make_terms(parsed, analyzer_, stemmer_);
    const auto surfaces = choose_surfaces(request_.types, request_.surfaces);
    return allowed_turns(index_.snapshot(),
                         {request_, parsed, terms, scope_, *surfaces, marks_, std::move(sessions)});
  }
  Turns left(std::string query, std::vector<std::string> sessions = {}) {
    const auto allowed = narrowed(std::move(query), std::move(sessions));
    EXPECT_TRUE(allowed.ok()) << allowed.error().message;
    Turns turns;
    if (!allowed || !*allowed) return turns;
    for (lexical::TurnOrd turn = 0; turn < 5; ++turn) {
      if ((*allowed)->has(turn)) turns.push_back(turn);
    }
    return turns;
  }

  fake::TempDir dir_;
  test::TinyIndex index_{dir_.path() + "/keyword", {}};
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
  ScopeFilter scope_;
  SearchRequest request_;
  store::Marks marks_;
};

TEST_F(Narrowing, PlainWordsNarrowNothing) {
  const auto allowed = narrowed("kettle tea");
  ASSERT_TRUE(allowed.ok());
  EXPECT_FALSE(allowed->has_value());
}

TEST_F(Narrowing, SinceIsIncludedAndUntilIsNot) {
  request_.since = from_ms(20);
  EXPECT_EQ(left("x"), (Turns{1, 2, 3, 4}));
  request_.until = from_ms(40);
  EXPECT_EQ(left("x"), (Turns{1, 2}));
  request_.since = std::nullopt;
  EXPECT_EQ(left("x"), (Turns{0, 1, 2}));
}

TEST_F(Narrowing, RequiredWordsMustBeThereAndExcludedOnesMustNot) {
  EXPECT_EQ(left("+kettle"), (Turns{0, 1, 3, 4}));
  EXPECT_EQ(left("+kettle +gasket"), (Turns{1}));
  EXPECT_EQ(left("+kettle -tea"), (Turns{0, 1, 4}));
  EXPECT_EQ(left("+\"tea kettle\""), (Turns{3}));
  EXPECT_EQ(left("+gasket +biscuits"), (Turns{}));
}

TEST_F(Narrowing, WordsCountOnlyWhereItIsSearched) {
  request_.types = {"user"};
  EXPECT_EQ(left("+kettle"), (Turns{0, 1, 3}));
  request_.types = {"tool"};
  EXPECT_EQ(left("+kettle"), (Turns{4}));
}

TEST_F(Narrowing, SessionsThatAreNamedAreTheOnlyOnes) {
  EXPECT_EQ(left("x", {"s1"}), (Turns{2, 3}));
  EXPECT_EQ(left("x", {"s0", "s2"}), (Turns{0, 1, 4}));
}

TEST_F(Narrowing, AProjectThatDoesNotExistIsSaid) {
  request_.projects = {"shop", "blog"};
  const auto allowed = narrowed("kettle");
  ASSERT_FALSE(allowed.ok());
  EXPECT_EQ(allowed.error().code, Errc::not_found);
  EXPECT_EQ(allowed.error().message, "No sessions found for project shop, blog");
  request_.projects = {};
  EXPECT_FALSE(narrowed("kettle project:shop").ok());
}

TEST_F(Narrowing, AnAgentThatHasNothingLeavesNothing) {
  request_.agents = {"codex"};
  EXPECT_EQ(left("kettle"), (Turns{}));
}

TEST_F(Narrowing, TurnsWithoutToolsAreLeftOutWhenAToolIsWanted) {
  request_.has_tool = true;
  EXPECT_EQ(left("kettle"), (Turns{}));
}

}  // namespace
}  // namespace yore::search
