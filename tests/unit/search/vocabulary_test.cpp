#include "search/vocabulary.hpp"

#include <gtest/gtest.h>

#include "search/query.hpp"
#include "search/search_filter.hpp"

namespace yore::search {
namespace {

TEST(Vocabulary, EveryModeAndOrderGoesByOneName) {
  for (const auto mode : {SearchMode::hybrid, SearchMode::keyword, SearchMode::semantic}) {
    EXPECT_EQ(mode_named(mode_name(mode)), mode);
  }
  EXPECT_EQ(mode_name(SearchMode::semantic), "semantic");
  EXPECT_EQ(order_named("time"), SortBy::time);
  EXPECT_EQ(mode_named("fuzzy"), std::nullopt);
  EXPECT_EQ(order_named(""), std::nullopt);
}

TEST(Vocabulary, EverySurfaceAndTypeThatIsNamedCanBeSearched) {
  for (const std::string_view name : kSurfaceNames) {
    EXPECT_TRUE(choose_surfaces({}, {std::string(name)}).ok()) << name;
  }
  for (const std::string_view name : kTypeNames) {
    EXPECT_TRUE(choose_surfaces({std::string(name)}, {}).ok()) << name;
  }
}

TEST(Vocabulary, EveryFieldThatIsNamedIsAFieldOfAQuery) {
  for (const std::string_view name : kFieldNames) {
    const ParsedQuery query = parse_query(std::string(name) + ":value");
    EXPECT_TRUE(query.parts.empty()) << name;
    EXPECT_TRUE(query.hints.empty()) << name;
  }
  EXPECT_FALSE(parse_query("colour:value").parts.empty());
}

TEST(Vocabulary, APageHasAtMostAHundredRows) {
  EXPECT_EQ(page_size(7).rows, 7U);
  EXPECT_FALSE(page_size(100).reduced);
  EXPECT_EQ(page_size(101).rows, 100U);
  EXPECT_TRUE(page_size(UINT64_MAX).reduced);
}

TEST(Vocabulary, NamesAreJoinedAsASentenceWantsThem) {
  EXPECT_EQ(joined(kOrderNames, " or "), "relevance or time");
  EXPECT_EQ(joined(kModeNames), "hybrid, keyword, semantic");
  EXPECT_EQ(joined(kTypeNames, " or "), "user, assistant, tool or thinking");
}

}  // namespace
}  // namespace yore::search
