#include "transcript/agents/claude_code/fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "transcript/input/json_values.hpp"
#include "transcript/input/key_table.hpp"

namespace yore::transcript::claude_code {
namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

enum class Key : std::uint8_t {
  ignored,  // known, of no use here
  text,
  flag,
  attachment,
  content,
  input,
  message,
  name,
  origin,
  output,
  timestamp,
  tool_use_id,
};

struct KnownKey {
  std::string_view name;
  Key key;
  std::string_view Fields::*text = nullptr;
  bool Fields::*flag = nullptr;
};
constexpr KnownKey text_key(std::string_view name, std::string_view Fields::*text) {
  return {name, Key::text, text, nullptr};
}
constexpr KnownKey flag_key(std::string_view name, bool Fields::*flag) {
  return {name, Key::flag, nullptr, flag};
}

// Every top-level key seen on a message, and those of other records that are of use. What is not
// here shows up as drift.
constexpr std::array kKeys = {
    KnownKey{"agentColor", Key::ignored},
    KnownKey{"agentId", Key::ignored},
    text_key("agentName", &Fields::agent_name),
    text_key("aiTitle", &Fields::ai_title),
    KnownKey{"apiBlockIndex", Key::ignored},
    KnownKey{"apiErrorStatus", Key::ignored},
    KnownKey{"attachment", Key::attachment},
    KnownKey{"classifierMetaLines", Key::ignored},
    KnownKey{"content", Key::content},
    KnownKey{"costUSD", Key::ignored},
    text_key("customTitle", &Fields::custom_title),
    text_key("cwd", &Fields::cwd),
    KnownKey{"data", Key::ignored},
    KnownKey{"durationMs", Key::ignored},
    KnownKey{"effort", Key::ignored},
    KnownKey{"entrypoint", Key::ignored},
    KnownKey{"error", Key::ignored},
    KnownKey{"errorDetails", Key::ignored},
    text_key("gitBranch", &Fields::branch),
    KnownKey{"id", Key::ignored},
    KnownKey{"imagePasteIds", Key::ignored},
    KnownKey{"input", Key::input},
    KnownKey{"interruptedByShutdown", Key::ignored},
    KnownKey{"interruptedMessageId", Key::ignored},
    KnownKey{"isAbortedMidStream", Key::ignored},
    flag_key("isApiErrorMessage", &Fields::is_api_error),
    flag_key("isCompactSummary", &Fields::is_compact_summary),
    flag_key("isMeta", &Fields::is_meta),
    flag_key("isSidechain", &Fields::is_sidechain),
    KnownKey{"isVisibleInTranscriptOnly", Key::ignored},
    text_key("leafUuid", &Fields::leaf_uuid),
    KnownKey{"level", Key::ignored},
    text_key("logicalParentUuid", &Fields::logical_parent_uuid),
    KnownKey{"madeBy", Key::ignored},
    KnownKey{"mcpMeta", Key::ignored},
    KnownKey{"message", Key::message},
    KnownKey{"name", Key::name},
    text_key("operation", &Fields::operation),
    KnownKey{"origin", Key::origin},
    KnownKey{"output", Key::output},
    KnownKey{"parentToolUseID", Key::ignored},
    text_key("parentUuid", &Fields::parent_uuid),
    KnownKey{"perTurnEffort", Key::ignored},
    KnownKey{"permissionDecision", Key::ignored},
    KnownKey{"permissionMode", Key::ignored},
    KnownKey{"planContent", Key::ignored},
    KnownKey{"project", Key::ignored},
    KnownKey{"promptCacheRequested", Key::ignored},
    KnownKey{"promptId", Key::ignored},
    text_key("promptSource", &Fields::prompt_source),
    KnownKey{"requestId", Key::ignored},
    KnownKey{"requestRef", Key::ignored},
    KnownKey{"requestedModel", Key::ignored},
    KnownKey{"serverClassifierRequest", Key::ignored},
    KnownKey{"sessionId", Key::ignored},
    KnownKey{"sessionKind", Key::ignored},
    KnownKey{"session_id", Key::ignored},
    text_key("slug", &Fields::slug),
    KnownKey{"sourceToolAssistantUUID", Key::ignored},
    KnownKey{"sourceToolUseID", Key::ignored},
    text_key("subtype", &Fields::subtype),
    text_key("summary", &Fields::summary),
    KnownKey{"supersedesUuids", Key::ignored},
    KnownKey{"teamName", Key::ignored},
    KnownKey{"thinkingMetadata", Key::ignored},
    KnownKey{"timestamp", Key::timestamp},
    KnownKey{"todos", Key::ignored},
    KnownKey{"toolDenialKind", Key::ignored},
    KnownKey{"toolEndsTurn", Key::ignored},
    KnownKey{"toolInputStreamMs", Key::ignored},
    KnownKey{"toolUseID", Key::tool_use_id},
    KnownKey{"toolUseResult", Key::ignored},
    KnownKey{"turnCompanion", Key::ignored},
    text_key("turnOrigin", &Fields::turn_origin),
    text_key("type", &Fields::type),
    KnownKey{"userType", Key::ignored},
    text_key("uuid", &Fields::uuid),
    text_key("version", &Fields::version),
};
constexpr KeyTable kKeyTable(kKeys);

// Keys of `message` that are of no use here.
constexpr std::array<std::string_view, 8> kSilentMessageKeys = {
    "container", "context_management", "diagnostics", "role",
    "type",      "stop_details",       "stop_reason", "stop_sequence"};

// attributionSkill, attributionMcpTool …: a family that grows with every release.
constexpr std::string_view kAttribution = "attribution";

// {"kind":"human"}
bool get_kind(value json, std::string_view& out) {
  return each_field(json, [&out](std::string_view key, value inner) {
    return key != "kind" || get_text(inner, out);
  });
}

bool get_usage(value json, Usage& usage) {
  return each_field(json, [&usage](std::string_view key, value inner) {
    if (key == "input_tokens") return get_count(inner, usage.input_tokens);
    if (key == "output_tokens") return get_count(inner, usage.output_tokens);
    if (key == "cache_read_input_tokens") return get_count(inner, usage.cache_read_tokens);
    if (key == "cache_creation_input_tokens") return get_count(inner, usage.cache_write_tokens);
    return true;
  });
}

}  // namespace

void Fields::clear() {
  // Everything but the vectors' memory.
  Fields empty;
  for (auto member : {&Fields::said, &Fields::content, &Fields::attachment_prompt}) {
    (empty.*member).parts = std::move((this->*member).parts);
    (empty.*member).parts.clear();
  }
  for (auto member : {&Fields::unknown_keys, &Fields::unknown_message_keys}) {
    empty.*member = std::move(this->*member);
    (empty.*member).clear();
  }
  *this = std::move(empty);
}

bool FieldReader::read(simdjson::ondemand::object& json, Fields& fields) {
  fields.clear();
  content_.start();
  return each_field(
      json, [&](std::string_view key, value inner) { return read_field(inner, key, fields); });
}

bool FieldReader::read_field(value json, std::string_view key, Fields& fields) {
  const KnownKey* known = kKeyTable.find(key);
  if (known == nullptr) {
    if (!key.starts_with(kAttribution)) fields.unknown_keys.push_back(key);
    return true;
  }
  switch (known->key) {
    case Key::ignored:
      return true;
    case Key::text:
      return get_text(json, fields.*known->text);
    case Key::flag:
      return get_flag(json, fields.*known->flag);
    case Key::attachment:
      return read_attachment(json, fields);
    case Key::content:
      return content_.read_content(json, fields.content);
    case Key::input:
      return content_.read_input(json);
    case Key::message:
      return read_message(json, fields);
    case Key::name:
      return get_text(json, fields.old_tool.name);
    case Key::origin:
      return get_kind(json, fields.origin_kind);
    case Key::output:
      return content_.read_output(json, fields.old_tool.text);
    case Key::timestamp:
      return get_time(json, fields.time);
    case Key::tool_use_id:
      return get_text(json, fields.old_tool.id);
  }
  return true;
}

bool FieldReader::read_message(value json, Fields& fields) {
  json_type type{};
  if (!get_type(json, type)) return false;
  fields.message = type == json_type::object ? Shape::good : Shape::wrong;
  return each_field(json, [&](std::string_view key, value inner) {
    if (key == "content") return content_.read_content(inner, fields.said);
    if (key == "id") return get_text(inner, fields.message_id);
    if (key == "model") return get_text(inner, fields.model);
    if (key == "usage") return get_usage(inner, fields.usage);
    const bool known = std::ranges::find(kSilentMessageKeys, key) != kSilentMessageKeys.end();
    if (!known) fields.unknown_message_keys.push_back(key);
    return true;
  });
}

bool FieldReader::read_attachment(value json, Fields& fields) {
  return each_field(json, [&](std::string_view key, value inner) {
    if (key == "type") return get_text(inner, fields.attachment_type);
    if (key == "prompt") return content_.read_content(inner, fields.attachment_prompt);
    if (key == "commandMode") return get_text(inner, fields.attachment_mode);
    if (key == "origin") return get_kind(inner, fields.attachment_origin);
    if (key == "isMeta") return get_flag(inner, fields.attachment_is_meta);
    return true;
  });
}

}  // namespace yore::transcript::claude_code
