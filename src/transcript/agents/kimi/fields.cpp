// fields.cpp — the JSON of one line, whatever its format: every field goes where the delivery
// looks for it.
#include <algorithm>
#include <array>

#include "text/utf8.hpp"
#include "transcript/agents/kimi/records.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::kimi {
namespace {

namespace od = simdjson::ondemand;

// A line of more pieces or calls is no conversation any more; the rest of them is not kept.
constexpr std::size_t kMaxPieces = 10'000;
constexpr double kMaxSeconds = 253'402'300'799.0;  // year 9999
constexpr std::size_t kMaxUnknown = 16;
constexpr std::size_t kMaxNameBytes = 64;

// Keys that are of no use here. What is neither here nor read shows up as drift.
constexpr std::array<std::string_view, 8> kSilentLineKeys = {
    "agentId", "compactedCount", "contextSummary", "keptUserMessageCount",
    "name",    "partial",        "tokensAfter",    "tokensBefore"};
constexpr std::array<std::string_view, 2> kSilentMessageKeys = {"name", "partial"};
constexpr std::array<std::string_view, 18> kSilentPayloadKeys = {
    "audio_url", "category",  "context_tokens", "context_usage",      "created_at", "encrypted",
    "extras",    "file_path", "image_url",      "max_context_tokens", "mcp_status", "payload",
    "plan_mode", "severity",  "source_id",      "source_kind",        "title",      "video_url"};
constexpr std::array<std::string_view, 16> kSilentEventKeys = {"description",
                                                               "display",
                                                               "finishReason",
                                                               "llmClientConsumeMs",
                                                               "llmFirstTokenLatencyMs",
                                                               "llmRequestBuildMs",
                                                               "llmServerDecodeMs",
                                                               "llmServerFirstTokenMs",
                                                               "llmStreamDurationMs",
                                                               "messageId",
                                                               "parentUuid",
                                                               "providerFinishReason",
                                                               "rawFinishReason",
                                                               "step",
                                                               "stepUuid",
                                                               "turnId"};

// Seconds since 1970, with a fraction.
bool get_seconds(od::value value, Time& out) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  double seconds = 0;
  const bool fits = type == od::json_type::number &&
                    value.get_double().get(seconds) == simdjson::SUCCESS && seconds > 0 &&
                    seconds <= kMaxSeconds;
  if (fits) out = from_ms(static_cast<std::int64_t>(seconds * 1000));
  return true;
}

}  // namespace

bool EntryReader::read_top(std::string_view key, od::value value) {
  if (key == "type") return get_text(value, entry_.type);
  if (key == "role") return get_text(value, entry_.role);
  if (key == "time") return get_time(value, entry_.time);
  if (key == "timestamp") return get_seconds(value, entry_.time);
  if (key == "created_at") return get_time(value, entry_.time);
  if (key == "message") return read_message(value);
  if (key == "event") return read_event(value);
  if (key == "content" || key == "input") return read_pieces(value);
  if (key == "tool_calls") return read_calls(value);
  if (key == "tool_call_id") return get_text(value, entry_.call_id);
  if (key == "origin") return read_origin(value);
  if (key == "summary") return get_text(value, entry_.text);
  if (key == "model" || key == "modelAlias") return get_text(value, entry_.model);
  if (key == "cwd") return get_text(value, entry_.cwd);
  if (key == "protocol_version") return get_text(value, entry_.version);
  return pass_key("line.", key, kSilentLineKeys);
}

bool EntryReader::pass_key(std::string_view where, std::string_view key,
                           std::span<const std::string_view> silent) {
  const bool known = std::ranges::find(silent, key) != silent.end();
  if (!known && unknown_.size() < kMaxUnknown) {
    unknown_.push_back(std::string(where).append(text::prefix_bytes(key, kMaxNameBytes)));
  }
  return true;
}

// Of a wire line {"type","payload"}, of a record {"role","content","toolCalls","origin"}.
bool EntryReader::read_message(od::value value) {
  entry_.has_message = true;
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "type") return get_text(field, entry_.wire);
    if (key == "payload") return read_payload(field);
    if (key == "role") return get_text(field, entry_.role);
    if (key == "content") return read_pieces(field);
    if (key == "toolCalls") return read_calls(field);
    if (key == "toolCallId") return get_text(field, entry_.call_id);
    if (key == "origin") return read_origin(field);
    return pass_key("message.", key, kSilentMessageKeys);
  });
}

bool EntryReader::read_payload(od::value value) {
  Call call;
  Piece piece;
  const bool whole = each_field(value, [&](std::string_view key, od::value field) {
    if (key == "type") return get_text(field, piece.type);
    if (key == "text" || key == "think") return get_text(field, piece.text);
    if (key == "user_input") return read_pieces(field);
    if (key == "id") return get_text(field, call.id);
    if (key == "function") return read_function(field, call);
    if (key == "tool_call_id") return get_text(field, entry_.call_id);
    if (key == "return_value") return read_result(field);
    if (key == "token_usage") return read_usage(field);
    if (key == "message_id") return get_text(field, entry_.message_id);
    if (key == "arguments_part" || key == "body" || key == "content") {
      return get_text(field, entry_.text);
    }
    return pass_key("payload.", key, kSilentPayloadKeys);
  });
  if (!call.name.empty()) {
    calls_.push_back(call);
  } else if (!piece.type.empty() && pieces_.empty()) {
    pieces_.push_back(piece);
  }
  return whole;
}

bool EntryReader::read_event(od::value value) {
  Call call;
  const bool whole = each_field(value, [&](std::string_view key, od::value field) {
    if (key == "type") return get_text(field, entry_.event);
    if (key == "uuid") return get_text(field, entry_.key);
    if (key == "part") return read_piece(field);
    if (key == "toolCallId") return get_text(field, entry_.call_id);
    if (key == "name" || key == "toolName") return get_text(field, call.name);
    if (key == "args" || key == "input") return read_input(field, call);
    if (key == "result") return read_result(field);
    if (key == "output") return read_pieces(field);
    if (key == "usage") return read_usage(field);
    return pass_key("event.", key, kSilentEventKeys);
  });
  call.id = entry_.call_id;
  if (entry_.event == "tool.call") calls_.push_back(call);
  if (entry_.event == "step.end") entry_.message_id = entry_.key;
  return whole;
}

// {"kind":"user"}; names and variants tell more of some kinds.
bool EntryReader::read_origin(od::value value) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "kind") return get_text(field, entry_.origin);
    if (key == "name" || key == "phase") return get_text(field, entry_.origin_name);
    return true;
  });
}

// A text, a piece, or a list of them.
bool EntryReader::read_pieces(od::value value) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  if (type == od::json_type::array) {
    return each_item(value, [&](od::value item) { return read_piece(item); });
  }
  return read_piece(value);
}

bool EntryReader::read_piece(od::value value) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  Piece piece;
  if (type == od::json_type::string) {
    piece.type = "text";
    if (!get_text(value, piece.text)) return false;
  } else if (type == od::json_type::object) {
    const bool whole = each_field(value, [&](std::string_view key, od::value field) {
      if (key == "type") return get_text(field, piece.type);
      if (key == "text" || key == "think") return get_text(field, piece.text);
      return true;
    });
    if (!whole) return false;
  } else {
    return true;
  }
  if (pieces_.size() < kMaxPieces) pieces_.push_back(piece);
  return true;
}

bool EntryReader::read_calls(od::value value) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  if (type != od::json_type::array) return true;
  return each_item(value, [&](od::value item) { return read_call(item); });
}

bool EntryReader::read_call(od::value value) {
  Call call;
  const bool whole = each_field(value, [&](std::string_view key, od::value field) {
    if (key == "id") return get_text(field, call.id);
    if (key == "function") return read_function(field, call);
    if (key == "name") return get_text(field, call.name);
    if (key == "arguments") return get_text(field, call.arguments);
    return true;
  });
  if (!call.name.empty() && calls_.size() < kMaxPieces) calls_.push_back(call);
  return whole;
}

bool EntryReader::read_function(od::value value, Call& call) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "name") return get_text(field, call.name);
    if (key == "arguments") return get_text(field, call.arguments);
    return true;
  });
}

// {"output":text or pieces,"message":text}
bool EntryReader::read_result(od::value value) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "output") return read_pieces(field);
    if (key == "message" || key == "note") return get_text(field, entry_.text);
    return true;
  });
}

bool EntryReader::read_input(od::value value, Call& call) {
  input_.clear();
  call.has_input = true;
  return input_.read(value);
}

bool EntryReader::read_usage(od::value value) {
  Usage& usage = entry_.usage;
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "input_other" || key == "inputOther") return get_count(field, usage.input_tokens);
    if (key == "output") return get_count(field, usage.output_tokens);
    if (key == "input_cache_read" || key == "inputCacheRead") {
      return get_count(field, usage.cache_read_tokens);
    }
    if (key == "input_cache_creation" || key == "inputCacheCreation") {
      return get_count(field, usage.cache_write_tokens);
    }
    return true;
  });
}

}  // namespace yore::transcript::kimi
