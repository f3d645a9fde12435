// json_values.hpp — single JSON values, whatever type they turn out to have; shared by all
// adapters.
//
// All return false for malformed JSON only. A value of another type than wanted leaves `out` as it
// was: fields that do not matter may be anything.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace yore::transcript {

bool get_type(simdjson::ondemand::value json, simdjson::ondemand::json_type& out);
bool get_text(simdjson::ondemand::value json, std::string_view& out);
bool get_flag(simdjson::ondemand::value json, bool& out);
bool get_count(simdjson::ondemand::value json, std::uint64_t& out);
// ISO 8601, or milliseconds since 1970.
bool get_time(simdjson::ondemand::value json, Time& out);
// Every text in a value, one a line, but for those whose keys are `labels`. Bounded: what lies
// deeper than a few levels, or behind a megabyte, is left out.
bool append_texts(simdjson::ondemand::value json, std::span<const std::string_view> labels,
                  std::string& out);

// Calls on_field(key, value) for each field of an object until it returns false.
template <typename OnField>
bool each_field(simdjson::ondemand::object& object, OnField&& on_field) {
  for (auto field : object) {
    std::string_view key;
    simdjson::ondemand::value value;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS) return false;
    if (field.value().get(value) != simdjson::SUCCESS) return false;
    if (!on_field(key, value)) return false;
  }
  return true;
}

// The same for a value; what is no object has no fields.
template <typename OnField>
bool each_field(simdjson::ondemand::value json, OnField&& on_field) {
  simdjson::ondemand::json_type type{};
  if (!get_type(json, type)) return false;
  if (type != simdjson::ondemand::json_type::object) return true;
  simdjson::ondemand::object object;
  if (json.get_object().get(object) != simdjson::SUCCESS) return false;
  return each_field(object, on_field);
}

// Calls on_item(value) for each element of a list until it returns false.
template <typename OnItem>
bool each_item(simdjson::ondemand::value json, OnItem&& on_item) {
  simdjson::ondemand::array list;
  if (json.get_array().get(list) != simdjson::SUCCESS) return false;
  for (auto item : list) {
    simdjson::ondemand::value value;
    if (item.get(value) != simdjson::SUCCESS) return false;
    if (!on_item(value)) return false;
  }
  return true;
}

}  // namespace yore::transcript
