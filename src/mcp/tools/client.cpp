#include "mcp/tools/client.hpp"

#include <algorithm>
#include <array>

#include "mcp/tools/answers.hpp"

namespace yore::mcp {
namespace {

// How the names of clients begin: "gemini-cli-mcp-client", "codex-mcp-client".
struct ClientRow {
  std::string_view prefix;
  std::string_view agent;
};
constexpr std::array kClients = {
    ClientRow{"claude-code", "claude-code"}, ClientRow{"codex", "codex"},
    ClientRow{"gemini-cli", "gemini"},       ClientRow{"qwen", "qwen"},
    ClientRow{"opencode", "opencode"},       ClientRow{"kimi", "kimi"},
};

// Codex shows 48,000 characters to models of its own list and 12,000 to all others.
constexpr std::array<std::string_view, 2> kLargeCodexModels = {"gpt-5", "gpt-6"};

}  // namespace

std::string_view agent_of_client(std::string_view client) {
  const auto row = std::ranges::find_if(
      kClients, [&](const ClientRow& each) { return client.starts_with(each.prefix); });
  return row == kClients.end() ? std::string_view() : row->agent;
}

std::size_t page_chars(const ToolCall& call) {
  if (agent_of_client(call.client) != "codex") return kPageChars;
  const bool large = std::ranges::any_of(kLargeCodexModels, [&](std::string_view prefix) {
    return call.caller_model.starts_with(prefix);
  });
  return large ? kPageChars : kShortPageChars;
}

}  // namespace yore::mcp
