#include "transcript/adapters/openclaw_fields.hpp"

#include <algorithm>
#include <array>

#include "text/utf8.hpp"

namespace yore::transcript::openclaw {
namespace {

namespace od = simdjson::ondemand;

// Sorted.
constexpr std::array<std::string_view, 28> kMessageKeys = {
    "api",
    "cancelled",
    "command",
    "content",
    "customType",
    "details",
    "display",
    "errorMessage",
    "excludeFromContext",
    "exitCode",
    "fromId",
    "fullOutputPath",
    "idempotencyKey",
    "isError",
    "model",
    "output",
    "provenance",
    "provider",
    "responseId",
    "role",
    "stopReason",
    "summary",
    "timestamp",
    "tokensBefore",
    "toolCallId",
    "toolName",
    "truncated",
    "usage",
};
static_assert(std::is_sorted(kMessageKeys.begin(), kMessageKeys.end()));

}  // namespace

bool is_message_key(std::string_view key) {
  return std::binary_search(kMessageKeys.begin(), kMessageKeys.end(), key);
}

bool read_string(od::value value, std::string_view& out) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  if (type == od::json_type::null) return true;
  return value.get_string().get(out) == simdjson::SUCCESS;
}

bool read_scalar(od::value value, std::string_view& out) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  if (type != od::json_type::number) return read_string(value, out);
  out = text::trim(value.raw_json_token());
  return true;
}

bool read_member(od::value value, std::string_view name, std::string_view& out) {
  return each_field(value, [&](std::string_view key, od::value field) {
    return key != name || read_string(field, out);
  });
}

bool read_usage(od::value value, Usage& out) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "input") return get_count(field, out.input_tokens);
    if (key == "output") return get_count(field, out.output_tokens);
    if (key == "cacheRead") return get_count(field, out.cache_read_tokens);
    if (key == "cacheWrite") return get_count(field, out.cache_write_tokens);
    return true;
  });
}

}  // namespace yore::transcript::openclaw
