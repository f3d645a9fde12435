// openclaw_fields.hpp — single JSON values of an entry. False means malformed; null counts as "not
// there".
#pragma once

#include <simdjson.h>

#include <string_view>
#include <utility>

#include "base/time.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::openclaw {

// Calls `on_field(key, value)` for each field until it returns false or the text ends wrongly.
template <typename OnField>
bool for_each_field(simdjson::ondemand::object& object, OnField&& on_field) {
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    std::string_view key;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS) return false;
    if (!on_field(key, field.value())) return false;
  }
  return true;
}

bool read_string(simdjson::ondemand::value value, std::string_view& out);
// A string, or a number as it is written.
bool read_scalar(simdjson::ondemand::value value, std::string_view& out);
bool read_flag(simdjson::ondemand::value value, bool& out);
// ISO 8601 or milliseconds; what is neither stays unknown.
bool read_time(simdjson::ondemand::value value, Time& out);
// The string `name` of an object; anything else is passed over.
bool read_member(simdjson::ondemand::value value, std::string_view name, std::string_view& out);
// {"input":1,"output":2,"cacheRead":0,"cacheWrite":0,…}
bool read_usage(simdjson::ondemand::value value, Usage& out);

// A key of a message that is understood, or known to be of no use here.
bool is_message_key(std::string_view key);

}  // namespace yore::transcript::openclaw
