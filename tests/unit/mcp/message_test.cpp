#include "mcp/protocol/message.hpp"

#include <gtest/gtest.h>

namespace yore::mcp {
namespace {

template <typename Kind>
Kind only(std::string_view line) {
  Incoming incoming = parse_line(line);
  EXPECT_FALSE(incoming.batch);
  EXPECT_EQ(incoming.messages.size(), 1U);
  auto* const message = std::get_if<Kind>(&incoming.messages.front());
  EXPECT_NE(message, nullptr) << line;
  return message == nullptr ? Kind{} : std::move(*message);
}

RpcCode refusal(std::string_view line) {
  return only<Malformed>(line).error.code;
}

TEST(ParseLine, TellsARequestFromANotificationAndAResponse) {
  const auto request =
      only<Request>(R"({"jsonrpc":"2.0","id":7,"method":"a/b","params":{"x":[1]}})");
  EXPECT_EQ(request.id, "7");
  EXPECT_EQ(request.method, "a/b");
  EXPECT_EQ(request.params, Json({{"x", Json::array({1})}}));
  EXPECT_EQ(only<Notification>(R"({"jsonrpc":"2.0","method":"n"})").params, Json::object());
  only<Ignored>(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  only<Ignored>(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})");
  only<Ignored>(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}})");
}

TEST(ParseLine, KeepsIdsOfBothKindsExactly) {
  for (const std::string id :
       {"0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", R"("")", R"("server-discover-probe-1")", R"("1")", R"("\"\\\n")",
        "\"\u00e9\u4e16\"", R"("\u0001")"}) {
    EXPECT_EQ(only<Request>(R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}").id, id);
  }
}

TEST(ParseLine, GivesEqualIdsEqualTexts) {
  EXPECT_EQ(only<Request>(R"({"jsonrpc":"2.0","method":"m","id":"\u0041"})").id, R"("A")");
}

TEST(ParseLine, RefusesIdsOfOtherKinds) {
  for (const std::string id :
       {"null", "1.5", "1.0", "1e3", "true", "{}", "[1]", "123456789012345678901234567890"}) {
    const auto message = only<Malformed>(R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}");
    EXPECT_EQ(message.error.code, RpcCode::invalid_request) << id;
    EXPECT_EQ(message.id, "") << id;
  }
}

TEST(ParseLine, RefusesWhatIsNoMessage) {
  EXPECT_EQ(refusal("{oops"), RpcCode::parse_error);
  EXPECT_EQ(refusal(std::string(200'000, '[')), RpcCode::parse_error);
  EXPECT_EQ(refusal(std::string(200'000, '[') + std::string(200'000, ']')),
            RpcCode::invalid_request);
  for (const std::string_view line :
       {"1", "\"x\"", "null", "{}", R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":1})",
        R"({"id":1,"method":"m"})", R"({"jsonrpc":"1.0","id":1,"method":"m"})",
        R"({"jsonrpc":2.0,"id":1,"method":"m"})", R"({"jsonrpc":"2.0","id":1,"method":5})",
        R"({"jsonrpc":"2.0","method":null})"}) {
    EXPECT_EQ(refusal(line), RpcCode::invalid_request) << line;
  }
}

TEST(ParseLine, NamesTheIdOfAMalformedRequestWhenItCan) {
  EXPECT_EQ(only<Malformed>(R"({"jsonrpc":"1.0","id":"a","method":"m"})").id, R"("a")");
  EXPECT_EQ(only<Malformed>(R"({"jsonrpc":"2.0","id":3,"method":[]})").id, "3");
}

TEST(ParseLine, WantsParamsToBeAnObject) {
  const auto message = only<Malformed>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})");
  EXPECT_EQ(message.error.code, RpcCode::invalid_params);
  EXPECT_EQ(message.id, "1");
  only<Ignored>(R"({"jsonrpc":"2.0","method":"m","params":[1]})");
  EXPECT_EQ(only<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})").params,
            Json::object());
}

TEST(ParseLine, TakesABatchApart) {
  const Incoming incoming =
      parse_line(R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},5])");
  EXPECT_TRUE(incoming.batch);
  ASSERT_EQ(incoming.messages.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<Request>(incoming.messages[0]));
  EXPECT_TRUE(std::holds_alternative<Notification>(incoming.messages[1]));
  EXPECT_TRUE(std::holds_alternative<Malformed>(incoming.messages[2]));
  EXPECT_TRUE(parse_line("[]").batch);
  EXPECT_TRUE(parse_line("[]").messages.empty());
}

TEST(ParseLine, RefusesABatchThatIsTooLong) {
  const auto batch = [](std::size_t size) { return json_text(Json(std::vector<int>(size, 1))); };
  EXPECT_EQ(parse_line(batch(kMaxBatch)).messages.size(), kMaxBatch);
  EXPECT_EQ(refusal(batch(kMaxBatch + 1)), RpcCode::invalid_request);
}

TEST(Lines, AreWhatJsonRpcAsksFor) {
  EXPECT_EQ(result_line("7", {{"a", 1}}), R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})");
  EXPECT_EQ(error_line(R"("x")", {RpcCode::method_not_found, "no"}),
            R"({"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no"}})");
  EXPECT_EQ(error_line("", {RpcCode::parse_error, "no", {{"k", 1}}}),
            R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no","data":{"k":1}}})");
  EXPECT_EQ(error_line("", {RpcCode::parse_error, "no"}, NoId::null),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})");
  EXPECT_EQ(notification_line("n", {{"a", 1}}),
            R"({"jsonrpc":"2.0","method":"n","params":{"a":1}})");
}

TEST(Lines, StayValidWhateverATextHolds) {
  EXPECT_EQ(result_line("1", {{"t", "a\xFF\n\"\xC3"}}),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"t\":\"a\uFFFD\\n\\\"\uFFFD\"}}");
}

}  // namespace
}  // namespace yore::mcp
