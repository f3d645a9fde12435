// Calls that run at the same time: order, cancellation, progress, limits, the end.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "mcp/server.hpp"
#include "unit/mcp/served.hpp"

namespace yore::mcp {
namespace {

Tool waiting_tool(Gate& gate) {
  return tool("wait", [&gate](const ToolCall& call) -> ToolAnswer {
    return {gate.pass(call.stop) ? "waited" : "stopped"};
  });
}

Json cancel(Json id) {
  return notification("notifications/cancelled", {{"requestId", std::move(id)}});
}

TEST(Calls, SlowOnesDoNotBlockQuickOnes) {
  Gate gate;
  Served served({waiting_tool(gate), echo_tool()});
  for (int id = 0; id < 3; ++id) served.send(modern(id, "tools/call", call_params("wait")));
  gate.wait_for_arrivals(3);
  EXPECT_EQ(served.ask(modern("quick", "tools/call", call_params("echo")))["id"], "quick");
  EXPECT_EQ(served.ask(modern("list", "tools/list"))["id"], "list");
  gate.open();
  std::set<int> ids;
  for (int i = 0; i < 3; ++i) ids.insert(served.take()["id"].get<int>());
  EXPECT_EQ(ids, (std::set<int>{0, 1, 2}));
}

TEST(Calls, AThousandAtOnceAreAllAnswered) {
  Gate gate;
  Served served({waiting_tool(gate), echo_tool()});
  // With the workers held up, all of them wait in the queue.
  for (int id = 0; id < 4; ++id) served.send(modern(id, "tools/call", call_params("wait")));
  gate.wait_for_arrivals(4);
  for (int id = 4; id < 1000; ++id) served.send(modern(id, "tools/call", call_params("echo")));
  served.send(modern("last", "server/discover"));
  EXPECT_EQ(served.take()["id"], "last");
  gate.open();
  std::set<int> ids;
  for (int i = 0; i < 1000; ++i) {
    const Json answer = served.take();
    EXPECT_FALSE(answer["result"].contains("isError"));
    ids.insert(answer["id"].get<int>());
  }
  EXPECT_EQ(ids.size(), 1000U);
}

TEST(Calls, BeyondTheLimitAreToldToComeBack) {
  Gate gate;
  Served served({waiting_tool(gate)}, {.workers = 1, .calls = 2});
  served.send(modern(1, "tools/call", call_params("wait")));
  served.send(modern(2, "tools/call", call_params("wait")));
  const Json busy = served.ask(modern(3, "tools/call", call_params("wait")));
  EXPECT_EQ(busy["id"], 3);
  EXPECT_EQ(busy["result"]["isError"], true);
  EXPECT_EQ(busy["result"]["resultType"], "complete");
  EXPECT_EQ(text_of(busy),
            R"({"error":"Too many calls are waiting already; try again in a moment."})");
  gate.open();
  EXPECT_EQ(served.take()["id"], 1);
  EXPECT_EQ(served.take()["id"], 2);
}

TEST(Calls, AreBoundInBytesToo) {
  Gate gate;
  Served served({waiting_tool(gate)}, {.workers = 1, .calls = 100, .call_bytes = 3000});
  const Json large = call_params("wait", {{"text", std::string(2000, 'x')}});
  served.send(modern(1, "tools/call", large));
  EXPECT_EQ(served.ask(modern(2, "tools/call", large))["result"]["isError"], true);
  gate.open();
  EXPECT_EQ(served.take()["id"], 1);
}

TEST(Cancel, StopsACallAndNothingMoreIsSaid) {
  Gate gate;
  std::atomic<bool> stopped = false;
  Gate gone;
  Served served({tool("wait", [&](const ToolCall& call) -> ToolAnswer {
    stopped = !gate.pass(call.stop);
    call.progress(1, 2, "too late");
    gone.open();
    return {"stopped"};
  })});
  Json params = call_params("wait");
  params["_meta"] = {{"progressToken", 1}};
  served.send(modern("slow", "tools/call", params));
  gate.wait_for_arrivals(1);
  served.send(cancel("slow"));
  gone.pass({});
  EXPECT_TRUE(stopped);
  EXPECT_EQ(served.ask(modern(2, "server/discover"))["id"], 2);
  EXPECT_EQ(served.finish(), 0);
  EXPECT_TRUE(served.client().rest().empty());
}

TEST(Cancel, ReachesACallThatStillWaits) {
  Gate gate;
  std::atomic<int> echoes = 0;
  Served served({waiting_tool(gate), tool("count",
                                          [&](const ToolCall&) -> ToolAnswer {
                                            ++echoes;
                                            return {};
                                          })},
                {.workers = 1});
  served.send(modern(1, "tools/call", call_params("wait")));
  gate.wait_for_arrivals(1);
  served.send(modern(2, "tools/call", call_params("count")));
  served.send(modern(3, "tools/call", call_params("count")));
  served.send(cancel(2));
  EXPECT_EQ(served.ask(modern(4, "server/discover"))["id"], 4);
  gate.open();
  EXPECT_EQ(served.take()["id"], 1);
  EXPECT_EQ(served.take()["id"], 3);
  EXPECT_EQ(echoes, 1);
}

TEST(Cancel, TellsIdsOfTheTwoKindsApartAndPassesOverStrangeOnes) {
  Gate gate;
  Served served({waiting_tool(gate)});
  served.send(modern(7, "tools/call", call_params("wait")));
  gate.wait_for_arrivals(1);
  for (const Json& id : {Json("7"), Json(8), Json(nullptr), Json(7.5), Json::object()}) {
    served.send(cancel(id));
  }
  served.send(notification("notifications/cancelled"));
  EXPECT_EQ(served.ask(modern(9, "server/discover"))["id"], 9);
  gate.open();
  EXPECT_EQ(text_of(served.take()), "waited");
  // Over already.
  served.send(cancel(7));
  EXPECT_EQ(served.ask(modern(10, "server/discover"))["id"], 10);
}

TEST(Cancel, OfAnIdUsedTwiceEndsBoth) {
  Gate gate;
  Served served({waiting_tool(gate)});
  served.send(modern(1, "tools/call", call_params("wait")));
  served.send(modern(1, "tools/call", call_params("wait")));
  gate.wait_for_arrivals(2);
  served.send(cancel(1));
  EXPECT_EQ(served.finish(), 0);
  EXPECT_TRUE(served.client().rest().empty());
}

TEST(End, StopsRunningCallsWithoutAnAnswer) {
  Gate gate;
  Served served({waiting_tool(gate)}, {.workers = 1});
  served.send(modern(1, "tools/call", call_params("wait")));
  served.send(modern(2, "tools/call", call_params("wait")));
  gate.wait_for_arrivals(1);
  EXPECT_EQ(served.finish(), 0);
  EXPECT_TRUE(served.client().rest().empty());
}

Tool counting_tool() {
  return tool("count", [](const ToolCall& call) -> ToolAnswer {
    call.progress(0, 3, "starting");
    call.progress(1, 3, "");
    call.progress(1, 3, "not more");
    call.progress(0.5, 3, "less");
    call.progress(std::numeric_limits<double>::quiet_NaN(), 3, "not a number");
    call.progress(std::numeric_limits<double>::infinity(), 3, "endless");
    call.progress(2.5, std::nullopt, "half");
    return {"done"};
  });
}

TEST(Progress, GrowsAndComesBeforeTheAnswer) {
  Served served({counting_tool()});
  for (const Json& token : {Json(0), Json(""), Json("t"), Json(42)}) {
    Json params = call_params("count");
    params["_meta"] = {{"progressToken", token}};
    served.send(modern(1, "tools/call", params));
    const auto expected = [&](const Json& rest) {
      Json all = {{"progressToken", token}};
      all.update(rest);
      return notification("notifications/progress", all);
    };
    EXPECT_EQ(served.take(), expected({{"progress", 0}, {"total", 3}, {"message", "starting"}}));
    EXPECT_EQ(served.take(), expected({{"progress", 1}, {"total", 3}}));
    EXPECT_EQ(served.take(), expected({{"progress", 2.5}, {"message", "half"}}));
    EXPECT_EQ(text_of(served.take()), "done");
  }
}

TEST(Progress, IsSilentWithoutAToken) {
  Served served({counting_tool()});
  EXPECT_EQ(text_of(served.ask(modern(1, "tools/call", call_params("count")))), "done");
  Json params = call_params("count");
  params["_meta"] = {{"progressToken", nullptr}};
  EXPECT_EQ(text_of(served.ask(modern(1, "tools/call", params))), "done");
}

TEST(Progress, HasNoMessageInTheFirstRevision) {
  for (const std::string_view version : {"2024-11-05", "2025-03-26"}) {
    Served served({counting_tool()});
    served.initialize(version);
    Json params = call_params("count");
    params["_meta"] = {{"progressToken", 1}};
    const Json first = served.ask(request(1, "tools/call", params));
    EXPECT_EQ(first["params"]["progress"], 0);
    EXPECT_EQ(first["params"].contains("message"), version != "2024-11-05");
  }
}

TEST(Progress, StopsWithTheAnswer) {
  Progress kept;
  {
    Served served({tool("keep", [&](const ToolCall& call) -> ToolAnswer {
      kept = call.progress;
      return {"done"};
    })});
    Json params = call_params("keep");
    params["_meta"] = {{"progressToken", 1}};
    EXPECT_EQ(text_of(served.ask(modern(1, "tools/call", params))), "done");
    kept(1, 2, "too late");
    EXPECT_EQ(served.finish(), 0);
    EXPECT_TRUE(served.client().rest().empty());
  }
  kept(2, 2, "nobody there");
}

}  // namespace
}  // namespace yore::mcp
