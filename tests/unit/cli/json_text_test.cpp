#include "cli/screen/json_text.hpp"

#include <gtest/gtest.h>

namespace yore::cli {
namespace {

using service::Json;

std::string compact(const std::string& value) {
  return json_text(Json{{"t", value}});
}

TEST(JsonText, EscapesEverythingATerminalWouldObey) {
  EXPECT_EQ(compact("a\x1b[31m"), "{\n  \"t\": \"a\\u001b[31m\"\n}\n");
  EXPECT_EQ(compact("a\x7f"), "{\n  \"t\": \"a\\u007f\"\n}\n");
  EXPECT_EQ(compact("a\u009b31m"), "{\n  \"t\": \"a\\u009b31m\"\n}\n");
  EXPECT_EQ(compact("a\u202eb"), "{\n  \"t\": \"a\\u202eb\"\n}\n");
  EXPECT_EQ(compact("\U000e0041"), "{\n  \"t\": \"\\udb40\\udc41\"\n}\n");
}

TEST(JsonText, LosesNothingOnTheWay) {
  const std::string value = "é 日本 🎉 \x1b\x7f\u009b\u202e\U000e0041 \\ \" \n";
  EXPECT_EQ(Json::parse(compact(value))["t"].get<std::string>(), value);
}

TEST(JsonText, IsValidUtf8WhateverComesIn) {
  EXPECT_EQ(compact("a\xff"), "{\n  \"t\": \"a\uFFFD\"\n}\n");
}

}  // namespace
}  // namespace yore::cli
