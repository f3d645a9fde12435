#include "transcript/dialects/gemini/prompt.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "text/utf8.hpp"

namespace yore::transcript::gemini {
namespace {

constexpr std::string_view kFilesMarker = "--- Content from referenced files ---";
constexpr std::string_view kSnapshot = "<state_snapshot>";
// The snapshot may have a line before it.
constexpr std::size_t kSnapshotWithin = 64;

constexpr std::array<std::string_view, 7> kInjected = {
    "<session_context>",
    "<hook_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "This is the Qwen Code. We are setting up the context for our chat.",
    "Here is the user's editor context as a JSON object",
    "Here is a summary of changes in the user's editor context",
    "System: Please continue.",
};

// "/name" or "/name args"; "/usr/bin is full" is a sentence.
bool is_command(std::string_view text) {
  if (text == "?") return true;
  if (!text.starts_with('/')) return false;
  const std::string_view name = text.substr(1, text.find_first_of(" \t\r\n") - 1);
  const auto plain = [](char c) { return ascii::is_alnum(c) || c == '-' || c == '_' || c == ':'; };
  return !name.empty() && std::ranges::all_of(name, plain);
}

}  // namespace

bool is_injected(std::string_view text) {
  const std::string_view start = text::trim(text);
  return std::ranges::any_of(kInjected,
                             [&](std::string_view own) { return start.starts_with(own); });
}

TypedKind typed_kind(std::string_view text) {
  const std::string_view trimmed = text::trim(text);
  if (trimmed.empty() || is_injected(trimmed)) return TypedKind::nothing;
  if (trimmed.substr(0, kSnapshotWithin).find(kSnapshot) != std::string_view::npos) {
    return TypedKind::snapshot;
  }
  return is_command(trimmed) ? TypedKind::command : TypedKind::prompt;
}

Typed split_files(std::string_view text) {
  const std::size_t at = text.find(kFilesMarker);
  if (at == std::string_view::npos) return {text::trim(text), {}};
  return {text::trim(text.substr(0, at)), text::trim(text.substr(at + kFilesMarker.size()))};
}

}  // namespace yore::transcript::gemini
