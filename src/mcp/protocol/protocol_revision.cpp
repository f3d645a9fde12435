#include "mcp/protocol/protocol_revision.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace yore::mcp {
namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";

// In the order of Revision.
constexpr std::array<Features, kAllRevisions.size()> kFeatures = {{
    // name       stateless batches annotations titles message absent id
    {"2024-11-05", false, true, false, false, false, false},
    {"2025-03-26", false, true, true, false, true, false},
    {"2025-06-18", false, false, true, true, true, false},
    {"2025-11-25", false, false, true, true, true, true},
    {"2026-07-28", true, false, true, true, true, true},
}};

// Nothing we list changes while the process lives; an upgrade should show within minutes.
constexpr int kKeepMs = 300'000;

std::optional<Revision> find_revision(std::string_view name, bool stateless) {
  for (const Revision revision : kAllRevisions) {
    if (features(revision).stateless == stateless && features(revision).name == name) {
      return revision;
    }
  }
  return std::nullopt;
}

RpcError missing(std::string_view key) {
  return {RpcCode::invalid_params, "params._meta[\"" + std::string(key) + "\"] is missing"};
}

std::variant<Revision, RpcError> modern(const Json& meta, const Json& version) {
  if (!version.is_string()) {
    return RpcError{RpcCode::invalid_params,
                    "params._meta[\"" + std::string(kVersionKey) + "\"] must be a string"};
  }
  const auto& asked = version.get_ref<const std::string&>();
  const auto revision = find_revision(asked, /*stateless=*/true);
  if (!revision) {
    return RpcError{RpcCode::unsupported_version,
                    "Unsupported protocol version",
                    {{"supported", supported_versions()}, {"requested", asked}}};
  }
  const Json* const capabilities = member(meta, kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object()) return missing(kCapabilitiesKey);
  return *revision;
}

}  // namespace

const Features& features(Revision revision) {
  return kFeatures[static_cast<std::size_t>(revision)];
}

std::variant<Revision, RpcError> Era::of(const Request& request) const {
  const Json* const meta = member(request.params, "_meta");
  if (meta != nullptr && meta->is_object()) {
    const auto version = meta->find(kVersionKey);
    if (version != meta->end()) return modern(*meta, *version);
  }
  // Both are legal before anything was settled.
  if (request.method == "initialize" || request.method == "ping") {
    return legacy_.value_or(kNewestLegacy);
  }
  if (legacy_) return *legacy_;
  return missing(kVersionKey);
}

Revision Era::negotiate(std::string_view asked) {
  legacy_ = find_revision(asked, /*stateless=*/false).value_or(kNewestLegacy);
  return *legacy_;
}

Json supported_versions() {
  Json versions = Json::array();
  for (const Revision revision : kAllRevisions) {
    if (features(revision).stateless) versions.push_back(features(revision).name);
  }
  return versions;
}

void decorate(Json& result, Revision revision, const Json& server_info, Keep keep) {
  if (!features(revision).stateless) return;
  result["resultType"] = "complete";
  if (keep == Keep::a_while) {
    result["ttlMs"] = kKeepMs;
    result["cacheScope"] = "private";
  }
  result["_meta"][std::string(kServerInfoKey)] = server_info;
}

}  // namespace yore::mcp
