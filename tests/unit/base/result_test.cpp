#include "base/result.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace yore {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{Errc::invalid_argument, "number: odd"};
  return number / 2;
}

TEST(Result, HoldsTheValueOfASuccess) {
  const Result<int> result = half(8);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(*result, 4);
}

TEST(Result, HoldsTheErrorOfAFailure) {
  const Result<int> result = half(7);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Errc::invalid_argument);
  EXPECT_EQ(result.error().message, "number: odd");
  EXPECT_EQ(result.error().hint, "");
}

TEST(Result, GivesTheFallbackOnlyForAFailure) {
  EXPECT_EQ(half(8).value_or(-1), 4);
  EXPECT_EQ(half(7).value_or(-1), -1);
}

TEST(Result, MovesAValueThatCannotBeCopied) {
  Result<std::unique_ptr<int>> result{std::make_unique<int>(5)};
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 5);
}

TEST(Result, TellsAValueFromAnErrorEvenWhenTheValueIsAString) {
  const Result<std::string> value{std::string{"text"}};
  const Result<std::string> error{Error{Errc::corrupt, "text"}};
  EXPECT_TRUE(value.ok());
  EXPECT_EQ(value->size(), 4U);
  EXPECT_FALSE(error.ok());
}

TEST(Status, IsOkUntilItHoldsAnError) {
  EXPECT_TRUE(Status{}.ok());
  const Status failed = Error{Errc::busy, "index: locked", "wait for the other process"};
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, Errc::busy);
  EXPECT_EQ(failed.error().hint, "wait for the other process");
}

}  // namespace
}  // namespace yore
