#include "transcript/input/json_values.hpp"

#include "base/contains.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"

namespace yore::transcript {
namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

// 9999-12-31 in milliseconds: anything larger is no time.
constexpr double kMaxTimeMs = 253'402'300'799'999.0;

constexpr std::size_t kMaxCollectedBytes = 1 << 20;
constexpr int kMaxCollectDepth = 8;

bool append_texts_at(value json, std::span<const std::string_view> labels, std::string& out,
                     int depth) {
  if (depth > kMaxCollectDepth || out.size() >= kMaxCollectedBytes) return true;
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) {
    std::string_view line;
    if (!get_text(json, line)) return false;
    text::append_line(out, text::prefix_bytes(line, kMaxCollectedBytes));
    return true;
  }
  if (type == json_type::array) {
    return each_item(json,
                     [&](value item) { return append_texts_at(item, labels, out, depth + 1); });
  }
  return each_field(json, [&](std::string_view key, value inner) {
    return contains(labels, key) || append_texts_at(inner, labels, out, depth + 1);
  });
}

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

bool append_texts(value json, std::span<const std::string_view> labels, std::string& out) {
  return append_texts_at(json, labels, out, 0);
}

}  // namespace yore::transcript
