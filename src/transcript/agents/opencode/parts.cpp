// parts.cpp — the JSON of one part.
#include <algorithm>
#include <array>

#include "text/utf8.hpp"
#include "transcript/agents/opencode/records.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::opencode {
namespace {

namespace od = simdjson::ondemand;

constexpr std::size_t kMaxUnknownKeys = 16;

// Sorted: understood, or known to be of no use here.
constexpr std::array<std::string_view, 38> kPartKeys = {
    "agent",         "attempt",
    "auto",          "callID",
    "command",       "cost",
    "description",   "error",
    "executed",      "fallbackNotice",
    "filename",      "files",
    "hash",          "id",
    "ignored",       "messageID",
    "metadata",      "mime",
    "model",         "name",
    "overflow",      "prompt",
    "provider",      "providerMetadata",
    "providerState", "reason",
    "sessionID",     "snapshot",
    "source",        "state",
    "synthetic",     "tail_start_id",
    "text",          "time",
    "tokens",        "tool",
    "type",          "url",
};
static_assert(std::is_sorted(kPartKeys.begin(), kPartKeys.end()));

}  // namespace

bool PartReader::read_part(od::object& object) {
  Part part;
  const bool whole = each_field(object, [&](std::string_view key, od::value value) {
    if (key == "type") return get_text(value, part.type);
    if (key == "text") return get_text(value, part.text);
    if (key == "tool" || key == "name") return get_text(value, part.tool);
    if (key == "callID") return get_text(value, part.call_id);
    if (key == "id") return get_text(value, part.id);
    if (key == "prompt") return get_text(value, part.prompt);
    if (key == "state") return read_state(value, part);
    if (key == "time") return read_times(value, part);
    if (key == "synthetic" || key == "ignored") {
      bool set = false;
      if (!get_flag(value, set)) return false;
      part.hidden = part.hidden || set;
      return true;
    }
    const bool known = std::binary_search(kPartKeys.begin(), kPartKeys.end(), key);
    if (!known && unknown_keys_.size() < kMaxUnknownKeys) {
      unknown_keys_.emplace_back(text::prefix_bytes(key, kMaxNameBytes));
    }
    return true;
  });
  if (whole) parts_.push_back(part);
  return whole;
}

// {"status":"completed","input":{…},"output":…,"time":{…}}; in session_message the output is
// "content", a list of texts.
bool PartReader::read_state(od::value value, Part& part) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "status") return get_text(field, part.status);
    if (key == "input") return read_input(field, part);
    if (key == "output" || key == "content" || key == "error") return read_output(field, part);
    if (key == "time") return read_times(field, part);
    return true;
  });
}

bool PartReader::read_input(od::value value, Part& part) {
  if (inputs_used_ == inputs_.size()) inputs_.emplace_back();
  inputs_[inputs_used_].clear();
  if (!inputs_[inputs_used_].read(value)) return false;
  part.input = inputs_used_++;
  return true;
}

// A text, {"message":text}, or a list of {"type":"text","text":…}.
bool PartReader::read_output(od::value value, Part& part) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  if (type == od::json_type::string) return get_text(value, part.output);
  if (type == od::json_type::object) {
    return each_field(value, [&](std::string_view key, od::value field) {
      return key != "message" || get_text(field, part.output);
    });
  }
  if (type != od::json_type::array) return true;
  std::string& all = joined_.emplace_front();
  const bool whole = each_item(value, [&](od::value item) {
    return each_field(item, [&](std::string_view key, od::value field) {
      std::string_view text;
      if (key != "text") return true;
      if (!get_text(field, text)) return false;
      if (!all.empty()) all += '\n';
      all += text;
      return true;
    });
  });
  if (!all.empty()) part.output = all;
  return whole;
}

bool PartReader::read_times(od::value value, Part& part) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "start" || key == "created") return get_time(field, part.start);
    if (key == "end" || key == "completed") return get_time(field, part.end);
    return true;
  });
}

}  // namespace yore::transcript::opencode
