#include <gtest/gtest.h>

#include "mcp/server.hpp"
#include "unit/mcp/served.hpp"

namespace yore::mcp {
namespace {

TEST(Batch, IsTakenOnlyWhereTheRevisionHasIt) {
  const Json batch = Json::array({request(1, "ping")});
  for (const std::string_view version : {"2024-11-05", "2025-03-26"}) {
    Served served;
    EXPECT_EQ(code_of(served.ask(batch)), -32600);  // nothing was settled yet
    served.initialize(version);
    EXPECT_EQ(json_text(served.ask(batch)), R"([{"jsonrpc":"2.0","id":1,"result":{}}])");
  }
  for (const std::string_view version : {"2025-06-18", "2025-11-25"}) {
    Served served;
    served.initialize(version);
    const Json answer = served.ask(batch);
    EXPECT_TRUE(answer.is_object());
    EXPECT_EQ(code_of(answer), -32600);
  }
}

TEST(Batch, IsAnsweredInTheOrderOfItsRequests) {
  Gate gate;
  Served served({echo_tool(), tool("wait", [&](const ToolCall& call) -> ToolAnswer {
                   return {gate.pass(call.stop) ? "waited" : "stopped"};
                 })});
  served.initialize("2025-03-26");
  served.send(Json::array({request("slow", "tools/call", call_params("wait")),
                           notification("notifications/initialized"), request(2, "no/such"),
                           request(3, "tools/call", call_params("echo")), 5,
                           Json({{"jsonrpc", "2.0"}, {"id", 9}, {"result", 1}})}));
  gate.wait_for_arrivals(1);
  // Others go on meanwhile.
  EXPECT_EQ(served.ask(request(4, "ping"))["id"], 4);
  gate.open();
  const Json answers = served.take();
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(text_of(answers[0]), "waited");
  EXPECT_EQ(answers[1]["id"], 2);
  EXPECT_EQ(code_of(answers[1]), -32601);
  EXPECT_EQ(text_of(answers[2]), "{}");
  EXPECT_EQ(code_of(answers[3]), -32600);
  EXPECT_TRUE(answers[3]["id"].is_null());
}

TEST(Batch, OfNotificationsGetsNoAnswer) {
  Served served;
  served.initialize("2025-03-26");
  served.send(Json::array({notification("notifications/initialized"), notification("x")}));
  EXPECT_EQ(served.ask(request(1, "ping"))["id"], 1);
}

TEST(Batch, MustNotBeEmpty) {
  Served served;
  served.initialize("2025-03-26");
  const Json answer = served.ask_line("[]");
  EXPECT_TRUE(answer.is_object());
  EXPECT_EQ(code_of(answer), -32600);
}

TEST(Batch, HasNoInitializeAndNoModernRequests) {
  Served served;
  served.initialize("2025-03-26");
  const Json answers =
      served.ask(Json::array({request(1, "initialize", {{"protocolVersion", "2024-11-05"}}),
                              modern(2, "tools/list"), request(3, "ping")}));
  EXPECT_EQ(code_of(answers[0]), -32600);
  EXPECT_EQ(code_of(answers[1]), -32600);
  EXPECT_EQ(code_of(answers[2]), 0);
}

TEST(Batch, LeavesOutWhatWasCancelled) {
  Gate gate;
  Served served({tool("wait", [&](const ToolCall& call) -> ToolAnswer {
    return {gate.pass(call.stop) ? "waited" : "stopped"};
  })});
  served.initialize("2025-03-26");
  served.send(
      Json::array({request("slow", "tools/call", call_params("wait")), request(2, "ping")}));
  gate.wait_for_arrivals(1);
  const Json answers = served.ask(notification("notifications/cancelled", {{"requestId", "slow"}}));
  EXPECT_EQ(json_text(answers), R"([{"jsonrpc":"2.0","id":2,"result":{}}])");
  // One in which nothing is left is not answered at all.
  served.send(Json::array({request("slow", "tools/call", call_params("wait"))}));
  gate.wait_for_arrivals(2);
  served.send(notification("notifications/cancelled", {{"requestId", "slow"}}));
  EXPECT_EQ(served.ask(request(3, "ping"))["id"], 3);
}

}  // namespace
}  // namespace yore::mcp
