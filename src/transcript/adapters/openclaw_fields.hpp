// openclaw_fields.hpp — single JSON values of an entry. False means malformed; null counts as "not
// there".
#pragma once

#include <simdjson.h>

#include <string_view>

#include "transcript/json_values.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::openclaw {

// A string, or null; anything else is malformed.
bool read_string(simdjson::ondemand::value value, std::string_view& out);
// A string, or a number as it is written.
bool read_scalar(simdjson::ondemand::value value, std::string_view& out);
// The string `name` of an object; anything else is passed over.
bool read_member(simdjson::ondemand::value value, std::string_view name, std::string_view& out);
// {"input":1,"output":2,"cacheRead":0,"cacheWrite":0,…}
bool read_usage(simdjson::ondemand::value value, Usage& out);

// A key of a message that is understood, or known to be of no use here.
bool is_message_key(std::string_view key);

}  // namespace yore::transcript::openclaw
