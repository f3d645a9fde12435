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

bool type_of(od::value& value, od::json_type& type) {
  return value.type().get(type) == simdjson::SUCCESS;
}

// Negative, fractional and missing counts are 0.
bool read_count(od::value value, std::uint64_t& out) {
  od::json_type type{};
  if (!type_of(value, type)) return false;
  std::uint64_t count = 0;
  if (type == od::json_type::number && value.get_uint64().get(count) == simdjson::SUCCESS) {
    out = count;
  }
  return true;
}

}  // namespace

bool is_message_key(std::string_view key) {
  return std::binary_search(kMessageKeys.begin(), kMessageKeys.end(), key);
}

bool read_string(od::value value, std::string_view& out) {
  od::json_type type{};
  if (!type_of(value, type)) return false;
  if (type == od::json_type::null) return true;
  return value.get_string().get(out) == simdjson::SUCCESS;
}

bool read_scalar(od::value value, std::string_view& out) {
  od::json_type type{};
  if (!type_of(value, type)) return false;
  if (type != od::json_type::number) return read_string(value, out);
  out = text::trim(value.raw_json_token());
  return true;
}

bool read_flag(od::value value, bool& out) {
  od::json_type type{};
  if (!type_of(value, type)) return false;
  if (type != od::json_type::boolean) return true;
  return value.get_bool().get(out) == simdjson::SUCCESS;
}

bool read_time(od::value value, Time& out) {
  // The last moment of the year 9999; larger numbers are no milliseconds.
  constexpr double kLatestMs = 253'402'300'799'999.0;
  od::json_type type{};
  if (!type_of(value, type)) return false;
  if (type == od::json_type::string) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) return false;
    out = parse_iso8601(text).value_or(kNoTime);
    return true;
  }
  double ms = 0;
  if (type == od::json_type::number && value.get_double().get(ms) == simdjson::SUCCESS) {
    if (ms > 0 && ms <= kLatestMs) out = from_ms(static_cast<std::int64_t>(ms));
  }
  return true;
}

bool read_member(od::value value, std::string_view name, std::string_view& out) {
  od::json_type type{};
  if (!type_of(value, type)) return false;
  if (type != od::json_type::object) return true;
  od::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  return for_each_field(object, [&](std::string_view key, od::value field) {
    return key != name || read_string(field, out);
  });
}

bool read_usage(od::value value, Usage& out) {
  od::json_type type{};
  if (!type_of(value, type)) return false;
  if (type != od::json_type::object) return true;
  od::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  return for_each_field(object, [&](std::string_view key, od::value field) {
    if (key == "input") return read_count(field, out.input_tokens);
    if (key == "output") return read_count(field, out.output_tokens);
    if (key == "cacheRead") return read_count(field, out.cache_read_tokens);
    if (key == "cacheWrite") return read_count(field, out.cache_write_tokens);
    return true;
  });
}

}  // namespace yore::transcript::openclaw
