// part_tables.hpp — the dialects of content blocks as tables: which key means what, and which type
// is what (private to parts.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "transcript/dialects/parts.hpp"

namespace yore::transcript {

// Where a key of a block goes.
enum class PartField : std::uint8_t {
  type,
  text,
  thinking,  // text of a block that thinks
  id,
  name,
  input,
  output,
  inner,           // an object with more of these keys
  inner_call,      // the same, and the block is a call
  inner_result,    // … a result
  picture,         // the block is one
  thinking_flag,   // true: the text is a thought
  inner_thinking,  // an object with a thought
  silent,          // the block is of no use
};
struct PartKey {
  std::string_view key;
  PartField field;
};
// A type that ends in '*' is a prefix, one that begins with it a suffix.
struct PartType {
  std::string_view type;
  ContentKind kind;
};

struct DialectTable {
  std::span<const PartKey> keys;
  std::span<const PartType> types;     // none: blocks are named by their keys
  std::span<const PartKey> call_keys;  // of calls beside the content; none: as in it
  bool pieces = false;                 // texts that follow each other are one
};

inline constexpr std::array kAnthropicKeys = {
    PartKey{"type", PartField::type},         PartKey{"text", PartField::text},
    PartKey{"thinking", PartField::thinking}, PartKey{"id", PartField::id},
    PartKey{"tool_use_id", PartField::id},    PartKey{"name", PartField::name},
    PartKey{"input", PartField::input},       PartKey{"content", PartField::output},
    PartKey{"toolUseID", PartField::id},      PartKey{"run", PartField::output},
};
inline constexpr std::array kAnthropicTypes = {
    PartType{"text", ContentKind::text},
    PartType{"thinking", ContentKind::thinking},
    PartType{"redacted_thinking", ContentKind::silent},
    PartType{"*tool_use", ContentKind::call},
    PartType{"*tool_result", ContentKind::result},
    PartType{"image", ContentKind::picture},
    PartType{"document", ContentKind::picture},
    PartType{"file", ContentKind::silent},  // Cline: a file that was mentioned, with all of it
    PartType{"token_budget", ContentKind::silent},
    PartType{"flag", ContentKind::silent},
};

inline constexpr std::array kOpenAiKeys = {
    PartKey{"type", PartField::type},          PartKey{"content_type", PartField::type},
    PartKey{"text", PartField::text},          PartKey{"refusal", PartField::text},
    PartKey{"think", PartField::thinking},     PartKey{"thinking", PartField::thinking},
    PartKey{"reasoning", PartField::thinking}, PartKey{"id", PartField::id},
    PartKey{"call_id", PartField::id},         PartKey{"tool_call_id", PartField::id},
    PartKey{"source_call_id", PartField::id},  PartKey{"name", PartField::name},
    PartKey{"function_name", PartField::name}, PartKey{"function", PartField::inner},
    PartKey{"toolCall", PartField::inner},     PartKey{"arguments", PartField::input},
    PartKey{"output", PartField::output},      PartKey{"content", PartField::output},
};
inline constexpr std::array kOpenAiTypes = {
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
    // ChatGPT's, with content_type in place of a type.
    PartType{"audio_transcription", ContentKind::text},
    PartType{"*asset_pointer", ContentKind::picture},
};

inline constexpr std::array kPiKeys = {
    PartKey{"type", PartField::type},         PartKey{"text", PartField::text},
    PartKey{"thinking", PartField::thinking}, PartKey{"id", PartField::id},
    PartKey{"name", PartField::name},         PartKey{"arguments", PartField::input},
    PartKey{"input", PartField::input},       PartKey{"args", PartField::input},
};
inline constexpr std::array kPiTypes = {
    PartType{"text", ContentKind::text},       PartType{"toolResult", ContentKind::text},
    PartType{"toolCall", ContentKind::call},   PartType{"thinking", ContentKind::thinking},
    PartType{"image", ContentKind::picture},   PartType{"redactedThinking", ContentKind::silent},
    PartType{"fallback", ContentKind::silent}, PartType{"anthropicServerTool", ContentKind::silent},
};

// OpenCode and its like; Goose, which wraps a call in {"toolCall":{"value":{…}}}; Crush, which
// wraps everything in {"data":{…}}.
inline constexpr std::array kTypedKeys = {
    PartKey{"type", PartField::type},
    PartKey{"text", PartField::text},
    PartKey{"thinking", PartField::thinking},
    PartKey{"id", PartField::id},
    PartKey{"callID", PartField::id},
    PartKey{"toolCallId", PartField::id},
    PartKey{"tool_call_id", PartField::id},
    PartKey{"tool_use_id", PartField::id},
    PartKey{"toolUseId", PartField::id},
    PartKey{"kind", PartField::type},
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
inline constexpr std::array kTypedTypes = {
    PartType{"text", ContentKind::text},
    PartType{"reasoning", ContentKind::thinking},
    PartType{"thinking", ContentKind::thinking},
    PartType{"redactedThinking", ContentKind::silent},
    PartType{"tool-result", ContentKind::result},
    PartType{"toolResponse", ContentKind::result},
    PartType{"toolRequest", ContentKind::call},
    PartType{"frontendToolRequest", ContentKind::call},
    PartType{"toolUse", ContentKind::call},
    PartType{"tool_use", ContentKind::call},
    PartType{"redacted-reasoning", ContentKind::silent},
    PartType{"toolResult", ContentKind::silent},  // Kiro says it again beside the content
    PartType{"tool_call", ContentKind::call},
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

inline constexpr std::array kGenaiKeys = {
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

inline constexpr std::array kVscodeKeys = {
    PartKey{"kind", PartField::type},
    PartKey{"value", PartField::text},
    PartKey{"inlineReference", PartField::inner},
    PartKey{"path", PartField::text},
    PartKey{"name", PartField::text},
    PartKey{"toolCallId", PartField::id},
    PartKey{"toolId", PartField::name},
    PartKey{"toolSpecificData", PartField::input},
    PartKey{"resultDetails", PartField::inner},
    PartKey{"input", PartField::input},
    PartKey{"output", PartField::output},
};
inline constexpr std::array kVscodeTypes = {
    PartType{"", ContentKind::text},
    PartType{"inlineReference", ContentKind::text},
    PartType{"markdown*", ContentKind::text},
    PartType{"thinking", ContentKind::thinking},
    PartType{"toolInvocation*", ContentKind::call_and_result},
    PartType{"warning", ContentKind::silent},
    PartType{"*EditGroup", ContentKind::silent},
    PartType{"autoModeResolution", ContentKind::silent},
    PartType{"codeblockUri", ContentKind::silent},
    PartType{"command*", ContentKind::silent},
    PartType{"confirmation", ContentKind::silent},
    PartType{"elicitation*", ContentKind::silent},
    PartType{"hook", ContentKind::silent},
    PartType{"mcpServersStarting*", ContentKind::silent},
    PartType{"multiDiffData", ContentKind::silent},
    PartType{"prepareToolInvocation", ContentKind::silent},
    PartType{"progress*", ContentKind::silent},
    PartType{"pullRequest", ContentKind::silent},
    PartType{"questionCarousel", ContentKind::silent},
    PartType{"treeData", ContentKind::silent},
    PartType{"undoStop", ContentKind::silent},
    PartType{"workspaceEdit", ContentKind::silent},
};
// Its calls and their arguments stand in another shape beside the content.
inline constexpr std::array kVscodeCallKeys = {
    PartKey{"id", PartField::id},
    PartKey{"name", PartField::name},
    PartKey{"arguments", PartField::input},
};

// The Agent Client Protocol: what a tool gave is wrapped in {"type":"content","content":{…}}. The
// texts of a diff stand in the call's input.
inline constexpr std::array kAcpKeys = {
    PartKey{"type", PartField::type},     PartKey{"text", PartField::text},
    PartKey{"content", PartField::inner}, PartKey{"id", PartField::id},
    PartKey{"name", PartField::name},     PartKey{"arguments", PartField::input},
};
inline constexpr std::array kAcpTypes = {
    PartType{"text", ContentKind::text},        PartType{"content", ContentKind::text},
    PartType{"image", ContentKind::picture},    PartType{"audio", ContentKind::picture},
    PartType{"resource*", ContentKind::silent}, PartType{"diff", ContentKind::silent},
    PartType{"terminal", ContentKind::silent},  PartType{"summary_text", ContentKind::thinking},
};

// Zed, and what it wrote before: {"type":"text"|"thinking","text":"…"}.
inline constexpr std::array kTaggedKeys = {
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

}  // namespace yore::transcript
