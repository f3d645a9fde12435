#include "base/ascii.hpp"

#include <gtest/gtest.h>

namespace yore::ascii {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool is_in(std::string_view all, char c) {
  return all.find(c) != std::string_view::npos;
}

TEST(Ascii, EveryByteIsWhatTheListsSay) {
  for (int value = 0; value < 256; ++value) {
    const char c = static_cast<char>(value);
    EXPECT_EQ(is_digit(c), is_in(kDigits, c)) << value;
    EXPECT_EQ(is_lower(c), is_in(kLower, c)) << value;
    EXPECT_EQ(is_upper(c), is_in(kUpper, c)) << value;
    EXPECT_EQ(is_letter(c), is_in(kLower, c) || is_in(kUpper, c)) << value;
    EXPECT_EQ(is_alnum(c), is_letter(c) || is_in(kDigits, c)) << value;
    EXPECT_EQ(is_lower_hex(c), is_in("0123456789abcdef", c)) << value;
    EXPECT_EQ(is_hex(c), is_in("0123456789abcdefABCDEF", c)) << value;
    EXPECT_EQ(is_space(c), is_in(" \t\n\v\f\r", c)) << value;
  }
}

TEST(Ascii, OnlyCapitalsChangeInLowerCase) {
  for (int value = 0; value < 256; ++value) {
    const char c = static_cast<char>(value);
    const auto at = kUpper.find(c);
    EXPECT_EQ(to_lower(c), at == std::string_view::npos ? c : kLower[at]) << value;
  }
  EXPECT_EQ(to_lower("ÄB-c9"), "Äb-c9");
}

TEST(Ascii, AHexDigitHasItsValueInBothCases) {
  const std::string_view lower = "0123456789abcdef";
  const std::string_view upper = "0123456789ABCDEF";
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(hex_value(lower[i]), i);
    EXPECT_EQ(hex_value(upper[i]), i);
  }
}

}  // namespace
}  // namespace yore::ascii
