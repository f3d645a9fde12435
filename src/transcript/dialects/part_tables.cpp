#include "transcript/dialects/part_tables.hpp"

#include <array>

namespace yore::transcript {
namespace {

constexpr std::array kAnthropicKeys = {
    PartKey{"type", PartField::type},         PartKey{"text", PartField::text},
    PartKey{"thinking", PartField::thinking}, PartKey{"id", PartField::id},
    PartKey{"tool_use_id", PartField::id},    PartKey{"name", PartField::name},
    PartKey{"input", PartField::input},       PartKey{"content", PartField::output},
};
constexpr std::array kAnthropicTypes = {
    PartType{"text", ContentKind::text},
    PartType{"thinking", ContentKind::thinking},
    PartType{"redacted_thinking", ContentKind::silent},
    PartType{"*tool_use", ContentKind::call},
    PartType{"*tool_result", ContentKind::result},
    PartType{"image", ContentKind::picture},
    PartType{"document", ContentKind::picture},
};

constexpr std::array kOpenAiKeys = {
    PartKey{"type", PartField::type},
    PartKey{"text", PartField::text},
    PartKey{"refusal", PartField::text},
    PartKey{"think", PartField::thinking},
    PartKey{"thinking", PartField::thinking},
    PartKey{"reasoning", PartField::thinking},
    PartKey{"id", PartField::id},
    PartKey{"call_id", PartField::id},
    PartKey{"tool_call_id", PartField::id},
    PartKey{"name", PartField::name},
    PartKey{"function", PartField::inner},
    PartKey{"arguments", PartField::input},
    PartKey{"output", PartField::output},
};
constexpr std::array kOpenAiTypes = {
    PartType{"text", ContentKind::text},
    PartType{"input_text", ContentKind::text},
    PartType{"output_text", ContentKind::text},
    PartType{"refusal", ContentKind::text},
    PartType{"think", ContentKind::thinking},
    PartType{"thinking", ContentKind::thinking},
    PartType{"reasoning", ContentKind::thinking},
    PartType{"function", ContentKind::call},
    PartType{"function_call", ContentKind::call},
    PartType{"tool_call", ContentKind::call},
    PartType{"function_call_output", ContentKind::result},
    PartType{"*_url", ContentKind::picture},
    PartType{"input_image", ContentKind::picture},
    PartType{"image", ContentKind::picture},
};

constexpr std::array kPiKeys = {
    PartKey{"type", PartField::type},         PartKey{"text", PartField::text},
    PartKey{"thinking", PartField::thinking}, PartKey{"id", PartField::id},
    PartKey{"name", PartField::name},         PartKey{"arguments", PartField::input},
    PartKey{"input", PartField::input},       PartKey{"args", PartField::input},
};
constexpr std::array kPiTypes = {
    PartType{"text", ContentKind::text},     PartType{"toolResult", ContentKind::text},
    PartType{"toolCall", ContentKind::call}, PartType{"thinking", ContentKind::thinking},
    PartType{"image", ContentKind::picture},
};

// OpenCode and its like; Goose, which wraps a call in {"toolCall":{"value":{…}}}; Crush, which
// wraps everything in {"data":{…}}.
constexpr std::array kTypedKeys = {
    PartKey{"type", PartField::type},
    PartKey{"text", PartField::text},
    PartKey{"thinking", PartField::thinking},
    PartKey{"id", PartField::id},
    PartKey{"callID", PartField::id},
    PartKey{"toolCallId", PartField::id},
    PartKey{"tool_use_id", PartField::id},
    PartKey{"toolUseId", PartField::id},
    PartKey{"kind", PartField::type},
    PartKey{"tool_call_id", PartField::id},
    PartKey{"tool", PartField::name},
    PartKey{"toolName", PartField::name},
    PartKey{"name", PartField::name},
    PartKey{"state", PartField::inner},
    PartKey{"toolInvocation", PartField::inner},
    PartKey{"toolCall", PartField::inner},
    PartKey{"value", PartField::inner},
    PartKey{"data", PartField::inner},
    PartKey{"command", PartField::text},
    PartKey{"input", PartField::input},
    PartKey{"args", PartField::input},
    PartKey{"arguments", PartField::input},
    PartKey{"output", PartField::output},
    PartKey{"result", PartField::output},
    PartKey{"toolResult", PartField::output},
    PartKey{"error", PartField::output},
    PartKey{"content", PartField::output},
};
constexpr std::array kTypedTypes = {
    PartType{"text", ContentKind::text},
    PartType{"reasoning", ContentKind::thinking},
    PartType{"thinking", ContentKind::thinking},
    PartType{"redactedThinking", ContentKind::silent},
    PartType{"tool-result", ContentKind::result},
    PartType{"toolResponse", ContentKind::result},
    PartType{"toolRequest", ContentKind::call},
    PartType{"frontendToolRequest", ContentKind::call},
    PartType{"tool_call", ContentKind::call},
    PartType{"toolUse", ContentKind::call},
    PartType{"toolResult", ContentKind::silent},  // Kiro says it again beside the content
    PartType{"tool_result", ContentKind::result},
    PartType{"shell_command", ContentKind::shell},
    PartType{"tool", ContentKind::call_and_result},
    PartType{"tool-*", ContentKind::call_and_result},
    PartType{"file", ContentKind::picture},
    PartType{"image", ContentKind::picture},
    PartType{"image_url", ContentKind::picture},
    PartType{"binary", ContentKind::picture},
    PartType{"finish", ContentKind::silent},
    PartType{"step-*", ContentKind::silent},
    PartType{"snapshot", ContentKind::silent},
    PartType{"patch", ContentKind::silent},
    PartType{"source*", ContentKind::silent},
    PartType{"actionRequired", ContentKind::silent},
    PartType{"conversationCompacted", ContentKind::silent},
    PartType{"systemNotification", ContentKind::silent},
    PartType{"toolConfirmationRequest", ContentKind::silent},
    PartType{"toolSetUpdate", ContentKind::silent},
};

constexpr std::array kGenaiKeys = {
    PartKey{"text", PartField::text},
    PartKey{"thought", PartField::thinking_flag},
    PartKey{"functionCall", PartField::inner_call},
    PartKey{"functionResponse", PartField::inner_result},
    PartKey{"inlineData", PartField::picture},
    PartKey{"fileData", PartField::picture},
    PartKey{"id", PartField::id},
    PartKey{"name", PartField::name},
    PartKey{"args", PartField::input},
    PartKey{"response", PartField::output},
};

}  // namespace

// Zed, and what it wrote before: {"type":"text"|"thinking","text":"…"}.
constexpr std::array kTaggedKeys = {
    PartKey{"type", PartField::type},
    PartKey{"Text", PartField::text},
    PartKey{"text", PartField::text},
    PartKey{"Thinking", PartField::inner_thinking},
    PartKey{"RedactedThinking", PartField::silent},
    PartKey{"ToolUse", PartField::inner_call},
    PartKey{"Mention", PartField::silent},
    PartKey{"Image", PartField::picture},
    PartKey{"id", PartField::id},
    PartKey{"tool_use_id", PartField::id},
    PartKey{"name", PartField::name},
    PartKey{"input", PartField::input},
    PartKey{"content", PartField::output},
};

const DialectTable& table_of(Dialect dialect) {
  static constexpr std::array<DialectTable, 6> kTables = {{
      {kAnthropicKeys, kAnthropicTypes},
      {kOpenAiKeys, kOpenAiTypes},
      {kGenaiKeys, {}},
      {kPiKeys, kPiTypes},
      {kTypedKeys, kTypedTypes},
      {kTaggedKeys, {}},
  }};
  return kTables[static_cast<std::size_t>(dialect)];
}

}  // namespace yore::transcript
