// read_fields.cpp — one pass over an object along the trie of its field rules.
#include <array>

#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/limits.hpp"
#include "transcript/spec/record_reader.hpp"

namespace yore::transcript {
namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

constexpr double kMaxSeconds = 253'402'300'799.0;  // year 9999

// What rules ask for may be written as a number or a flag.
bool is_asked_for(Slot slot) {
  return slot <= Slot::error;
}

// Ids that agents also write as numbers.
bool may_be_number(Slot slot) {
  return is_asked_for(slot) || slot == Slot::key || slot == Slot::parent_key ||
         slot == Slot::message_id || slot == Slot::version || slot == Slot::tool_id;
}

// Seconds since 1970, with a fraction.
bool get_seconds(value json, Time& out) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::number) return get_time(json, out);
  double seconds = 0;
  if (json.get_double().get(seconds) != simdjson::SUCCESS) return true;
  // Some changed their minds: what would be far beyond is milliseconds.
  if (seconds > kMaxSeconds) seconds /= 1000;
  const bool fits = seconds > 0 && seconds <= kMaxSeconds;
  if (fits) out = from_ms(static_cast<std::int64_t>(seconds * 1000));
  return true;
}

class FieldReader {
 public:
  FieldReader(const FieldTrie& trie, RecordDraft& draft, std::vector<std::string>& unknown)
      : trie_(trie), draft_(draft), unknown_(unknown) {}

  bool read(const FieldTrie::Node& node, object& json) {
    return each_field(json, [&](std::string_view key, value field) {
      const FieldTrie::Node* child = trie_.child(node, key);
      if (child != nullptr) return read(*child, field);
      if (!node.silent_inside && unknown_.size() < kMaxUnknown) {
        unknown_.push_back(node.name + "." + std::string(text::prefix_bytes(key, kMaxNameBytes)));
      }
      return true;
    });
  }

 private:
  // Recursion is as deep as the longest path of the rules.
  bool read(const FieldTrie::Node& node, value json) {
    if (node.has_slot && node.slot != Slot::body) return take(node, json);
    const bool marked = node.has_slot;
    if (!marked && !FieldTrie::is_inner(node)) return true;
    json_type type{};
    if (!get_type(json, type)) return false;
    if (type == json_type::object) {
      if (marked) draft_.body = true;
      object inner;
      if (json.get_object().get(inner) != simdjson::SUCCESS) return false;
      return read(node, inner);
    }
    if (type != json_type::array || node.item == 0) return true;
    return each_item(json, [&](value item) { return read(trie_.at(node.item), item); });
  }

  bool take(const FieldTrie::Node& node, value json) {
    switch (node.slot) {
      case Slot::blocks:
        return draft_.content.read(json);
      case Slot::calls:
        return draft_.content.read_calls(json);
      case Slot::results:
        return draft_.content.read_results(json);
      case Slot::tool_input:
        return draft_.content.read_input(json, draft_.call);
      case Slot::shown:
        return get_flag(json, draft_.shown);
      case Slot::sidechain:
        return get_flag(json, draft_.sidechain);
      case Slot::machine:
        return get_flag(json, draft_.machine);
      case Slot::time:
      case Slot::time_s:
        return take_time(node, json);
      case Slot::usage_in:
        return get_count(json, draft_.usage.input_tokens);
      case Slot::usage_out:
        return get_count(json, draft_.usage.output_tokens);
      case Slot::usage_cache_read:
        return get_count(json, draft_.usage.cache_read_tokens);
      case Slot::usage_cache_write:
        return get_count(json, draft_.usage.cache_write_tokens);
      default:
        return take_text(node, json);
    }
  }

  bool take_time(const FieldTrie::Node& node, value json) {
    Time time = kNoTime;
    const bool fine = node.slot == Slot::time ? get_time(json, time) : get_seconds(json, time);
    if (time == kNoTime || draft_.time_rank < node.priority) return fine;
    draft_.time = time;
    draft_.time_rank = node.priority;
    return fine;
  }

  bool take_text(const FieldTrie::Node& node, value json) {
    std::string_view text;
    if (node.slot == Slot::output) {
      if (!draft_.content.read_output(json, text)) return false;
    } else {
      json_type type{};
      if (!get_type(json, type)) return false;
      const bool number = type == json_type::number && may_be_number(node.slot);
      const bool flag = type == json_type::boolean && is_asked_for(node.slot);
      if (number || flag) {
        text = text::trim(json.raw_json_token());
      } else if (!get_text(json, text)) {
        return false;
      }
    }
    std::uint16_t& rank = draft_.ranks[static_cast<std::size_t>(node.slot)];
    if (text.empty() || rank < node.priority) return true;
    draft_.text(node.slot) = text;
    rank = node.priority;
    return true;
  }

  const FieldTrie& trie_;
  RecordDraft& draft_;
  std::vector<std::string>& unknown_;
};

}  // namespace

bool read_fields(const FieldTrie& trie, object& json, RecordDraft& draft,
                 std::vector<std::string>& unknown) {
  draft.clear();
  unknown.clear();
  return FieldReader(trie, draft, unknown).read(trie.root(), json);
}

}  // namespace yore::transcript
