#include "mcp/protocol/request_meta.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace yore::mcp {
namespace {

// Codex: turn metadata, an object or its JSON text. Threads of one session share its id, and the
// session is what its transcript is known by.
constexpr std::string_view kCodexTurn = "x-codex-turn-metadata";
constexpr std::array<std::string_view, 4> kSessionKeys = {"session_id", "sessionId", "thread_id",
                                                          "threadId"};

constexpr std::string_view kClientKey = "io.modelcontextprotocol/clientInfo";

std::string text_in(const Json& json, std::string_view key) {
  const Json* const value = member(json, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

std::string session_in(const Json& json) {
  for (const std::string_view key : kSessionKeys) {
    const Json* const value = member(json, key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
  }
  return "";
}

// What Codex says about its turn; null when it says nothing that can be read.
Json codex_turn(const Json& meta) {
  const Json* const turn = member(meta, kCodexTurn);
  if (turn == nullptr) return nullptr;
  if (!turn->is_string()) return *turn;
  auto parsed = parse_json(turn->get_ref<const std::string&>());
  Json* const object = std::get_if<Json>(&parsed);
  return object == nullptr ? Json(nullptr) : std::move(*object);
}

}  // namespace

std::optional<Json> progress_token(const Json& params) {
  const Json* const meta = member(params, "_meta");
  const Json* const token = meta == nullptr ? nullptr : member(*meta, "progressToken");
  if (token == nullptr || !(token->is_string() || token->is_number_integer())) return std::nullopt;
  return *token;
}

std::string caller_session(const Json& params) {
  const Json* const meta = member(params, "_meta");
  if (meta == nullptr) return "";
  std::string session = session_in(codex_turn(*meta));
  return session.empty() ? session_in(*meta) : session;
}

std::string caller_model(const Json& params) {
  const Json* const meta = member(params, "_meta");
  return meta == nullptr ? "" : text_in(codex_turn(*meta), "model");
}

std::string client_name(const Json& params) {
  if (const Json* const info = member(params, "clientInfo")) return text_in(*info, "name");
  const Json* const meta = member(params, "_meta");
  const Json* const info = meta == nullptr ? nullptr : member(*meta, kClientKey);
  return info == nullptr ? "" : text_in(*info, "name");
}

}  // namespace yore::mcp
