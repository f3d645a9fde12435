#include "mcp/tools/tool.hpp"

#include <gtest/gtest.h>

#include "mcp/protocol/request_meta.hpp"

namespace yore::mcp {
namespace {

const Tool kTool{"find", "Find things", "Finds.", R"({"type":"object"})", true, nullptr};

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> out;
  for (const auto& [key, value] : json.items()) out.push_back(key);
  return out;
}

TEST(DescribeTool, HasWhatEachRevisionKnows) {
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(describe(kTool, Revision::v2024_11_05)),
            (Keys{"name", "description", "inputSchema"}));
  EXPECT_EQ(keys(describe(kTool, Revision::v2025_03_26)),
            (Keys{"name", "description", "inputSchema", "annotations"}));
  for (const Revision revision :
       {Revision::v2025_06_18, Revision::v2025_11_25, Revision::v2026_07_28}) {
    EXPECT_EQ(keys(describe(kTool, revision)),
              (Keys{"name", "title", "description", "inputSchema", "annotations", "_meta"}));
  }
}

TEST(DescribeTool, SaysThatItOnlyReads) {
  const Json hints = describe(kTool, kNewestLegacy)["annotations"];
  EXPECT_EQ(hints["readOnlyHint"], true);
  EXPECT_EQ(hints["openWorldHint"], false);
  EXPECT_EQ(hints.size(), 2U) << "what follows from these is not said again";
  EXPECT_FALSE(hints.contains("title"));
  EXPECT_EQ(describe(kTool, Revision::v2025_03_26)["annotations"]["title"], "Find things");
}

TEST(DescribeTool, AsksToBeLoadedOnlyWhenItShouldBe) {
  EXPECT_EQ(describe(kTool, kNewestLegacy)["_meta"], Json({{"anthropic/alwaysLoad", true}}));
  Tool deferred = kTool;
  deferred.always_load = false;
  EXPECT_FALSE(describe(deferred, kNewestLegacy).contains("_meta"));
}

TEST(ClientName, IsFoundInBothEras) {
  EXPECT_EQ(client_name({{"clientInfo", {{"name", "kimi-code"}}}}), "kimi-code");
  EXPECT_EQ(client_name({{"_meta", {{"io.modelcontextprotocol/clientInfo", {{"name", "x"}}}}}}),
            "x");
  EXPECT_EQ(client_name({{"clientInfo", 5}}), "");
  EXPECT_EQ(client_name({{"_meta", "text"}}), "");
  EXPECT_EQ(client_name(Json::object()), "");
}

TEST(CallerModel, IsWhatCodexSays) {
  const auto model = [](Json turn) {
    return caller_model({{"_meta", {{"x-codex-turn-metadata", std::move(turn)}}}});
  };
  EXPECT_EQ(model({{"model", "gpt-6.1-sol"}}), "gpt-6.1-sol");
  EXPECT_EQ(model(R"({"session_id":"s","model":"m"})"), "m");
  EXPECT_EQ(model({{"model", 7}}), "");
  EXPECT_EQ(model("{oops"), "");
  EXPECT_EQ(caller_model(Json::object()), "");
}

TEST(ToolAnswer, BecomesOneTextBlock) {
  EXPECT_EQ(json_text(to_json(ToolAnswer{"hello"})),
            R"({"content":[{"type":"text","text":"hello"}]})");
  EXPECT_EQ(json_text(to_json(tool_error("No \"x\"."))),
            R"({"content":[{"type":"text","text":"{\"error\":\"No \\\"x\\\".\"}"}],)"
            R"("isError":true})");
}

TEST(ProgressToken, IsAnyStringOrInteger) {
  const auto token = [](Json value) {
    return progress_token({{"_meta", {{"progressToken", std::move(value)}}}});
  };
  EXPECT_EQ(token(0), Json(0));
  EXPECT_EQ(token(""), Json(""));
  EXPECT_EQ(token("a"), Json("a"));
  EXPECT_EQ(token(nullptr), std::nullopt);
  EXPECT_EQ(token(1.5), std::nullopt);
  EXPECT_EQ(token(Json::object()), std::nullopt);
  EXPECT_EQ(progress_token(Json::object()), std::nullopt);
  EXPECT_EQ(progress_token({{"_meta", 5}}), std::nullopt);
}

TEST(CallerSession, IsFoundWhereClientsPutIt) {
  const auto session = [](Json meta) { return caller_session({{"_meta", std::move(meta)}}); };
  EXPECT_EQ(session({{"x-codex-turn-metadata", {{"session_id", "s"}, {"thread_id", "t"}}}}), "s");
  EXPECT_EQ(session({{"x-codex-turn-metadata", R"({"session_id":"s","model":"m"})"}}), "s");
  EXPECT_EQ(session({{"x-codex-turn-metadata", {{"turn_id", "1"}}}, {"threadId", "t"}}), "t");
  EXPECT_EQ(session({{"threadId", "t"}}), "t");
  EXPECT_EQ(session({{"sessionId", "s"}}), "s");
  EXPECT_EQ(session({{"x-codex-turn-metadata", "{oops"}}), "");
  EXPECT_EQ(session({{"x-codex-turn-metadata", {{"session_id", 5}}}}), "");
  EXPECT_EQ(session({{"claudecode/toolUseId", "toolu_1"}, {"callId", "c"}}), "");
  EXPECT_EQ(session("text"), "");
  EXPECT_EQ(caller_session(Json::object()), "");
}

}  // namespace
}  // namespace yore::mcp
