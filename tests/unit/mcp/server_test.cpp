#include "mcp/server.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "unit/mcp/served.hpp"

namespace yore::mcp {
namespace {

constexpr std::array<std::string_view, 4> kLegacy = {"2024-11-05", "2025-03-26", "2025-06-18",
                                                     "2025-11-25"};

TEST(Initialize, AnswersInEveryLegacyRevision) {
  for (const std::string_view version : kLegacy) {
    Served served;
    const Json result = served.initialize(version)["result"];
    EXPECT_EQ(result["protocolVersion"], version);
    EXPECT_EQ(json_text(result["capabilities"]), R"({"tools":{}})");
    EXPECT_EQ(result["serverInfo"]["name"], "yore");
    EXPECT_EQ(result["serverInfo"]["version"], "1.2.3");
    EXPECT_EQ(result["serverInfo"].contains("title"), version >= "2025-06-18");
    EXPECT_EQ(result["instructions"], "Search first.");
    EXPECT_FALSE(result.contains("resultType"));
  }
}

TEST(Initialize, OffersItsNewestLegacyVersionForAnUnknownOne) {
  Served served;
  EXPECT_EQ(served.initialize("1999-01-01")["result"]["protocolVersion"], "2025-11-25");
  EXPECT_EQ(served.initialize("2026-07-28")["result"]["protocolVersion"], "2025-11-25");
}

TEST(Initialize, WantsAVersion) {
  Served served;
  EXPECT_EQ(code_of(served.ask(request(1, "initialize"))), -32602);
  EXPECT_EQ(code_of(served.ask(request(2, "initialize", {{"protocolVersion", 5}}))), -32602);
  // Nothing was settled by it.
  EXPECT_EQ(code_of(served.ask(request(3, "tools/list"))), -32602);
}

TEST(Legacy, ServesItsMethodsInEveryRevision) {
  for (const std::string_view version : kLegacy) {
    Served served;
    served.initialize(version);
    served.send(notification("notifications/initialized"));
    EXPECT_EQ(json_text(served.ask(request("p", "ping"))),
              R"({"jsonrpc":"2.0","id":"p","result":{}})");
    const Json list = served.ask(request(1, "tools/list"))["result"];
    EXPECT_EQ(list.size(), 1U);
    ASSERT_EQ(list["tools"].size(), 1U);
    EXPECT_EQ(list["tools"][0].contains("annotations"), version >= "2025-03-26");
    EXPECT_EQ(list["tools"][0].contains("title"), version >= "2025-06-18");
    const Json called = served.ask(request(2, "tools/call", call_params("echo", {{"a", 1}})));
    EXPECT_EQ(text_of(called), R"({"a":1})");
    EXPECT_EQ(called["result"].size(), 1U);
    for (const std::string_view method :
         {"no/such", "server/discover", "resources/list", "prompts/list", "logging/setLevel"}) {
      EXPECT_EQ(code_of(served.ask(request(3, method))), -32601) << method;
    }
  }
}

TEST(Ping, IsAnsweredBeforeAnythingWasSettled) {
  Served served;
  EXPECT_EQ(served.ask(request(1, "ping"))["result"], Json::object());
}

TEST(Modern, DiscoverNamesVersionsAndCapabilities) {
  Served served;
  const Json result = served.ask(modern("server-discover-probe-1", "server/discover"))["result"];
  EXPECT_EQ(result["supportedVersions"], Json::array({"2026-07-28"}));
  EXPECT_EQ(json_text(result["capabilities"]), R"({"tools":{}})");
  EXPECT_EQ(result["instructions"], "Search first.");
  EXPECT_EQ(result["resultType"], "complete");
  EXPECT_TRUE(result["ttlMs"].is_number_unsigned() || result["ttlMs"].is_number_integer());
  EXPECT_EQ(result["cacheScope"], "private");
  EXPECT_EQ(json_text(result["_meta"][kMetaPrefix + "serverInfo"]),
            R"({"name":"yore","title":"Yore","version":"1.2.3"})");
}

TEST(Modern, ListsAndCallsWithoutAHandshake) {
  Served served;
  const Json list = served.ask(modern(1, "tools/list"));
  EXPECT_EQ(list["result"]["resultType"], "complete");
  EXPECT_TRUE(list["result"].contains("ttlMs"));
  EXPECT_TRUE(list["result"].contains("cacheScope"));
  EXPECT_EQ(list["result"], served.ask(modern(2, "tools/list"))["result"]);
  const Json called = served.ask(modern(3, "tools/call", call_params("echo", {{"a", 1}})));
  EXPECT_EQ(text_of(called), R"({"a":1})");
  EXPECT_EQ(called["result"]["resultType"], "complete");
  EXPECT_TRUE(called["result"]["_meta"].contains(kMetaPrefix + "serverInfo"));
  EXPECT_FALSE(called["result"].contains("ttlMs"));
}

TEST(Modern, HasNoLegacyMethods) {
  Served served;
  for (const std::string_view method : {"initialize", "ping", "logging/setLevel",
                                        "subscriptions/listen", "resources/subscribe", "x"}) {
    const Json params = {{"protocolVersion", "2025-06-18"}};
    EXPECT_EQ(code_of(served.ask(modern(1, method, params))), -32601) << method;
  }
  // The initialize above settled nothing.
  EXPECT_EQ(code_of(served.ask(request(2, "tools/list"))), -32602);
}

TEST(Modern, ChecksTheVersionOfEveryRequest) {
  Served served;
  EXPECT_EQ(code_of(served.ask(modern(1, "tools/list"))), 0);
  const Json refused = served.ask(request(2, "tools/list", {{"_meta", modern_meta("1900-01-01")}}));
  EXPECT_EQ(code_of(refused), -32022);
  EXPECT_EQ(refused["error"]["data"],
            Json({{"supported", {"2026-07-28"}}, {"requested", "1900-01-01"}}));
  Json meta = modern_meta();
  meta.erase(kMetaPrefix + "clientCapabilities");
  EXPECT_EQ(code_of(served.ask(request(3, "tools/list", {{"_meta", meta}}))), -32602);
}

TEST(BothEras, LiveSideBySide) {
  Served served;
  EXPECT_EQ(code_of(served.ask(request(1, "tools/list"))), -32602);
  EXPECT_TRUE(served.ask(modern(2, "tools/list"))["result"].contains("resultType"));
  served.initialize("2024-11-05");
  EXPECT_FALSE(served.ask(request(3, "tools/list"))["result"].contains("resultType"));
  EXPECT_TRUE(served.ask(modern(4, "tools/list"))["result"].contains("resultType"));
  EXPECT_EQ(code_of(served.ask(modern(5, "ping"))), -32601);
  EXPECT_EQ(code_of(served.ask(request(6, "ping"))), 0);
  EXPECT_FALSE(served.ask(request(7, "tools/list"))["result"]["tools"][0].contains("annotations"));
  served.initialize("2025-06-18");
  EXPECT_TRUE(served.ask(request(8, "tools/list"))["result"]["tools"][0].contains("annotations"));
}

TEST(Errors, OfACallAreOfTheRightKind) {
  Served served;
  served.initialize("2025-11-25");
  const auto refused = [&](const Json& params) {
    return code_of(served.ask(request(1, "tools/call", params)));
  };
  EXPECT_EQ(refused(call_params("no_such_tool")), -32602);
  EXPECT_EQ(refused(Json::object()), -32602);
  EXPECT_EQ(refused({{"name", 5}}), -32602);
  EXPECT_EQ(refused(call_params("echo", Json::array())), -32602);
  EXPECT_EQ(refused(call_params("echo", "text")), -32602);
  EXPECT_EQ(refused(call_params("echo", nullptr)), 0);
  EXPECT_EQ(refused({{"name", "echo"}}), 0);
  EXPECT_EQ(served.ask(request(2, "tools/call", call_params("ecko")))["error"]["message"],
            "Unknown tool: ecko (did you mean echo?)");
}

TEST(Errors, OfAToolAreResults) {
  Served served({tool("refuse", [](const ToolCall&) { return tool_error("limit is required."); })});
  const Json answer = served.ask(modern(1, "tools/call", call_params("refuse")));
  EXPECT_EQ(answer["result"]["isError"], true);
  EXPECT_EQ(text_of(answer), R"({"error":"limit is required."})");
}

TEST(Errors, OfOurOwnTellNothing) {
  Served served(
      {tool("throws",
            [](const ToolCall&) -> ToolAnswer { throw std::runtime_error("/home/me/secret"); }),
       tool("throws_int", [](const ToolCall&) -> ToolAnswer { throw 5; })});
  for (const std::string_view name : {"throws", "throws_int"}) {
    const Json answer = served.ask(modern(1, "tools/call", call_params(name)));
    EXPECT_EQ(code_of(answer), -32603);
    EXPECT_EQ(answer["error"]["message"], "Internal error");
  }
}

TEST(Cursor, IsNeverOurs) {
  Served served;
  EXPECT_EQ(code_of(served.ask(modern(1, "tools/list", {{"cursor", "x"}}))), -32602);
  EXPECT_EQ(code_of(served.ask(modern(1, "tools/list", {{"cursor", ""}}))), -32602);
  EXPECT_EQ(code_of(served.ask(modern(1, "tools/list", {{"cursor", nullptr}}))), 0);
}

TEST(Garbage, IsAnsweredAndSurvived) {
  Served served;
  const Json answer = served.ask_line("{this is not json");
  EXPECT_EQ(code_of(answer), -32700);
  EXPECT_FALSE(answer.contains("id"));
  EXPECT_EQ(code_of(served.ask_line(std::string(200'000, '['))), -32700);
  EXPECT_EQ(code_of(served.ask_line("\"\xFF\"")), -32600);
  EXPECT_EQ(code_of(served.ask_line("5")), -32600);
  EXPECT_EQ(code_of(served.ask_line(R"({"jsonrpc":"2.0","id":null,"method":"ping"})")), -32600);
  served.send_line(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  served.send_line(R"({"jsonrpc":"2.0","method":"no/such/notification"})");
  EXPECT_EQ(code_of(served.ask(request(1, "ping"))), 0);
}

TEST(Garbage, IsAnsweredWithANullIdWhereTheRevisionHasNoOther) {
  for (const std::string_view version : kLegacy) {
    Served served;
    served.initialize(version);
    const Json answer = served.ask_line("oops");
    EXPECT_EQ(code_of(answer), -32700);
    EXPECT_EQ(answer.contains("id"), version < "2025-11-25");
    EXPECT_EQ(member(answer, "id"), nullptr);
  }
}

TEST(Oversize, IsRefusedWithTheLimit) {
  Served served;
  served.client().push({Line::Kind::oversize, "", 1000});
  const Json answer = served.take();
  EXPECT_EQ(code_of(answer), -32600);
  EXPECT_EQ(answer["error"]["message"], "The line is longer than 1000 bytes");
}

TEST(HalfLine, CountsWhenItIsAMessage) {
  Served served;
  served.client().push({Line::Kind::half, json_text(request(1, "ping"))});
  EXPECT_EQ(served.take()["id"], 1);
  served.client().push({Line::Kind::half, R"({"jsonrpc":"2.0","id":2,"met)"});
  EXPECT_EQ(served.finish(), 0);
  EXPECT_TRUE(served.client().rest().empty());
}

TEST(Ids, OfBothKindsAreEchoed) {
  Served served;
  for (const std::string id : {"0", "-5", "9223372036854775807", "18446744073709551615", R"("")",
                               R"("a\"b")", "\"\u4e16\""}) {
    served.send_line(R"({"jsonrpc":"2.0","method":"ping","id":)" + id + "}");
    EXPECT_EQ(served.client().take(), R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
  }
}

TEST(Meta, TellsTheToolWhoCalls) {
  Served served({tool("who", [](const ToolCall& call) -> ToolAnswer {
    return {"<" + call.caller_session + ">"};
  })});
  Json params = call_params("who");
  EXPECT_EQ(text_of(served.ask(modern(1, "tools/call", params))), "<>");
  params["_meta"] = {{"claudecode/toolUseId", "t"},
                     {"x-codex-turn-metadata", {{"session_id", "abc"}, {"sandbox", "none"}}}};
  EXPECT_EQ(text_of(served.ask(modern(1, "tools/call", params))), "<abc>");
}

TEST(Run, EndsWithTheInput) {
  Served served;
  EXPECT_EQ(served.finish(), 0);
}

TEST(Run, EndsWhenNobodyReads) {
  Served served;
  served.client().hang_up();
  served.send(request(1, "ping"));
  EXPECT_EQ(served.join(), 0);
  EXPECT_TRUE(served.client().closed());
}

}  // namespace
}  // namespace yore::mcp
