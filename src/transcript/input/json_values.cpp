#include "transcript/input/json_values.hpp"

namespace yore::transcript {
namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

// 9999-12-31 in milliseconds: anything larger is no time.
constexpr double kMaxTimeMs = 253'402'300'799'999.0;

}  // namespace

bool get_type(value json, json_type& out) {
  return json.type().get(out) == SUCCESS;
}

bool get_text(value json, std::string_view& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::string) return true;
  return json.get_string().get(out) == SUCCESS;
}

bool get_flag(value json, bool& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::boolean) return true;
  return json.get_bool().get(out) == SUCCESS;
}

bool get_count(value json, std::uint64_t& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  std::uint64_t number = 0;
  if (type == json_type::number && json.get_uint64().get(number) == SUCCESS) out = number;
  return true;
}

bool get_time(value json, Time& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::number) {
    double ms = 0;
    const bool fits = json.get_double().get(ms) == SUCCESS && ms > 0 && ms <= kMaxTimeMs;
    if (fits) out = from_ms(static_cast<std::int64_t>(ms));
    return true;
  }
  std::string_view text;
  if (!get_text(json, text)) return false;
  out = parse_iso8601(text).value_or(out);
  return true;
}

}  // namespace yore::transcript
