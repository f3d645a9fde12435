#include "mcp/protocol/request_meta.hpp"

#include <array>
#include <string_view>
#include <variant>

namespace yore::mcp {
namespace {

// Codex: turn metadata, an object or its JSON text. Threads of one session share its id, and the
// session is what its transcript is known by.
constexpr std::string_view kCodexTurn = "x-codex-turn-metadata";
constexpr std::array<std::string_view, 4> kSessionKeys = {"session_id", "sessionId", "thread_id",
                                                          "threadId"};

std::string session_in(const Json& json) {
  for (const std::string_view key : kSessionKeys) {
    const Json* const value = member(json, key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
  }
  return "";
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
  if (const Json* const turn = member(*meta, kCodexTurn)) {
    std::string session;
    if (turn->is_string()) {
      const auto parsed = parse_json(turn->get_ref<const std::string&>());
      if (const Json* const object = std::get_if<Json>(&parsed)) session = session_in(*object);
    } else {
      session = session_in(*turn);
    }
    if (!session.empty()) return session;
  }
  return session_in(*meta);
}

}  // namespace yore::mcp
