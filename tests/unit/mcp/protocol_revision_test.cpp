#include "mcp/protocol/protocol_revision.hpp"

#include <gtest/gtest.h>

#include "unit/mcp/served.hpp"

namespace yore::mcp {
namespace {

Request asked(std::string method, Json params = Json::object()) {
  return {"1", std::move(method), std::move(params)};
}

Request asked_with(std::string method, Json meta) {
  return asked(std::move(method), {{"_meta", std::move(meta)}});
}

RpcError error_of(const std::variant<Revision, RpcError>& ruling) {
  const auto* error = std::get_if<RpcError>(&ruling);
  return error == nullptr ? RpcError{RpcCode{0}, "no error"} : *error;
}

TEST(Era, EchoesEveryLegacyVersionAndOffersTheNewestForOthers) {
  for (const std::string_view version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Era era;
    EXPECT_EQ(features(era.negotiate(version)).name, version);
    EXPECT_EQ(era.legacy(), era.negotiate(version));
  }
  // The stateless one cannot be settled by initialize.
  for (const std::string_view version : {"1999-01-01", "", "2026-07-28", "2030-01-01"}) {
    Era era;
    EXPECT_EQ(features(era.negotiate(version)).name, "2025-11-25") << version;
  }
}

TEST(Era, ServesInTheRevisionARequestNamesWhateverWasSettled) {
  Era era;
  EXPECT_EQ(std::get<Revision>(era.of(asked_with("tools/list", modern_meta()))),
            Revision::v2026_07_28);
  era.negotiate("2024-11-05");
  EXPECT_EQ(std::get<Revision>(era.of(asked_with("tools/list", modern_meta()))),
            Revision::v2026_07_28);
  EXPECT_EQ(std::get<Revision>(era.of(asked_with("initialize", modern_meta()))),
            Revision::v2026_07_28);
  EXPECT_EQ(std::get<Revision>(era.of(asked("tools/list"))), Revision::v2024_11_05);
}

TEST(Era, NamesWhatItSupportsWhenAskedForAnotherVersion) {
  Era era;
  // Legacy versions are not spoken without initialize.
  for (const std::string_view version : {"1900-01-01", "2025-11-25", ""}) {
    const RpcError error = error_of(era.of(asked_with("tools/list", modern_meta(version))));
    EXPECT_EQ(error.code, RpcCode::unsupported_version);
    EXPECT_EQ(error.data["supported"], supported_versions());
    EXPECT_EQ(error.data["requested"], version);
  }
  EXPECT_EQ(supported_versions(), Json::array({"2026-07-28"}));
}

TEST(Era, WantsClientCapabilitiesOfAModernRequest) {
  const std::string key = kMetaPrefix + "clientCapabilities";
  for (const Json& value : {Json(nullptr), Json(1), Json::array()}) {
    Json meta = modern_meta();
    meta[key] = value;
    EXPECT_EQ(error_of(Era().of(asked_with("tools/list", meta))).code, RpcCode::invalid_params);
  }
  Json meta = modern_meta();
  meta.erase(key);
  const RpcError error = error_of(Era().of(asked_with("tools/list", meta)));
  EXPECT_EQ(error.code, RpcCode::invalid_params);
  EXPECT_NE(error.message.find(key), std::string::npos);
}

TEST(Era, WantsTheVersionToBeAString) {
  Json meta = modern_meta();
  meta[kMetaPrefix + "protocolVersion"] = 2026;
  EXPECT_EQ(error_of(Era().of(asked_with("tools/list", meta))).code, RpcCode::invalid_params);
}

TEST(Era, BeforeAnythingWasSettledOnlyInitializeAndPingAreServed) {
  const Era era;
  EXPECT_TRUE(std::holds_alternative<Revision>(era.of(asked("initialize"))));
  EXPECT_TRUE(std::holds_alternative<Revision>(era.of(asked("ping"))));
  for (const std::string method : {"tools/list", "server/discover", "no/such"}) {
    const RpcError error = error_of(era.of(asked(method)));
    EXPECT_EQ(error.code, RpcCode::invalid_params);
    EXPECT_NE(error.message.find(kMetaPrefix + "protocolVersion"), std::string::npos);
  }
}

TEST(Era, MetaThatIsNoObjectSaysNothing) {
  Era era;
  era.negotiate("2025-06-18");
  EXPECT_EQ(std::get<Revision>(era.of(asked_with("tools/list", "text"))), Revision::v2025_06_18);
}

TEST(Decorate, AddsToStatelessResultsOnly) {
  const Json info = {{"name", "yore"}};
  for (const Revision revision : kAllRevisions) {
    Json result = {{"tools", Json::array()}};
    decorate(result, revision, info, Keep::a_while);
    EXPECT_EQ(result.size() > 1, revision == Revision::v2026_07_28);
  }
  Json kept;
  decorate(kept, Revision::v2026_07_28, info, Keep::a_while);
  EXPECT_EQ(kept["resultType"], "complete");
  EXPECT_GT(kept["ttlMs"], 0);
  EXPECT_EQ(kept["cacheScope"], "private");
  EXPECT_EQ(kept["_meta"][kMetaPrefix + "serverInfo"], info);
  Json passing;
  decorate(passing, Revision::v2026_07_28, info, Keep::no);
  EXPECT_EQ(passing["resultType"], "complete");
  EXPECT_FALSE(passing.contains("ttlMs"));
  EXPECT_FALSE(passing.contains("cacheScope"));
}

}  // namespace
}  // namespace yore::mcp
