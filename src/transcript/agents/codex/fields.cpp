#include "transcript/agents/codex/fields.hpp"

#include "transcript/input/json_values.hpp"
#include "transcript/input/key_table.hpp"
#include "transcript/limits.hpp"

namespace yore::transcript::codex {
namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

constexpr std::size_t kMaxUnknownKeys = 16;

enum class Key : std::uint8_t {
  ignored,  // known, of no use here
  text,
  action,
  content,
  git,
  images,
  info,
  input,
  num_turns,
  output,
  summary,
};

struct KnownKey {
  std::string_view name;
  Key key = Key::ignored;
  std::string_view Fields::*text = nullptr;
};
constexpr KnownKey text_key(std::string_view name, std::string_view Fields::*text) {
  return {name, Key::text, text};
}

// Every key seen in session_meta and in response items, and those of other payloads that are of
// use. What is not here shows up as drift.
constexpr std::array kKeys = {
    KnownKey{"account_scoped"},
    KnownKey{"action", Key::action},
    KnownKey{"agent_nickname"},
    KnownKey{"agent_path"},
    KnownKey{"agent_role"},
    KnownKey{"arguments", Key::input},
    KnownKey{"author"},
    KnownKey{"base_instructions"},
    text_key("call_id", &Fields::call_id),
    text_key("cli_version", &Fields::cli_version),
    KnownKey{"content", Key::content},
    KnownKey{"context_window"},
    text_key("cwd", &Fields::cwd),
    KnownKey{"dynamic_tools"},
    KnownKey{"encrypted_content"},
    KnownKey{"execution"},
    KnownKey{"forked_from_id"},
    KnownKey{"ghost_commit"},
    KnownKey{"git", Key::git},
    KnownKey{"history_base"},
    KnownKey{"history_mode"},
    text_key("id", &Fields::id),
    KnownKey{"images", Key::images},
    KnownKey{"info", Key::info},
    KnownKey{"input", Key::input},
    KnownKey{"instructions"},
    KnownKey{"internal_chat_message_metadata_passthrough"},
    text_key("kind", &Fields::kind),
    KnownKey{"local_images", Key::images},
    KnownKey{"memory_mode"},
    text_key("message", &Fields::message),
    KnownKey{"metadata"},
    text_key("model", &Fields::model),
    KnownKey{"model_provider"},
    KnownKey{"multi_agent_version"},
    text_key("name", &Fields::name),
    text_key("namespace", &Fields::name_space),
    KnownKey{"num_turns", Key::num_turns},
    text_key("originator", &Fields::originator),
    KnownKey{"output", Key::output},
    KnownKey{"parent_thread_id"},
    KnownKey{"phase"},
    KnownKey{"recipient"},
    KnownKey{"result"},
    text_key("revised_prompt", &Fields::revised_prompt),
    text_key("role", &Fields::role),
    KnownKey{"runtime_workspace_roots"},
    KnownKey{"session_id"},
    KnownKey{"source"},
    KnownKey{"status"},
    KnownKey{"subagent_history_start_ordinal"},
    KnownKey{"summary", Key::summary},
    text_key("thread_name", &Fields::thread_name),
    KnownKey{"thread_source"},
    KnownKey{"timestamp"},
    KnownKey{"tools"},
    text_key("turn_id", &Fields::turn_id),
    text_key("type", &Fields::item),
    text_key("user_facing_hint", &Fields::review_hint),
};
constexpr KeyTable kKeyTable(kKeys);

bool read_part(value json, std::vector<ItemPart>& parts) {
  ItemPart part;
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) {
    part.type = "text";
    if (!get_text(json, part.text)) return false;
  } else {
    const bool fine = each_field(json, [&](std::string_view key, value inner) {
      if (key == "type") return get_text(inner, part.type);
      if (key == "text") return get_text(inner, part.text);
      return true;
    });
    if (!fine) return false;
  }
  if (parts.size() < kMaxParts) parts.push_back(part);
  return true;
}

// A string, one part, or a list of parts.
bool read_parts(value json, std::vector<ItemPart>& parts) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::array) {
    return each_item(json, [&](value item) { return read_part(item, parts); });
  }
  if (type == json_type::string || type == json_type::object) return read_part(json, parts);
  return true;
}

// A tool's output. Older builds wrote {"content":"…","success":true}.
bool read_output(value json, std::vector<ItemPart>& parts) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::object) return read_parts(json, parts);
  ItemPart part;
  part.type = "text";
  const bool fine = each_field(json, [&](std::string_view key, value inner) {
    if (key == "text") return get_text(inner, part.text);
    if (key == "content") return read_parts(inner, parts);
    return true;
  });
  if (!part.text.empty()) parts.push_back(part);
  return fine;
}

bool read_input(value json, Input& input) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type == json_type::string) return get_text(json, input.text);
  if (type != json_type::object) return true;
  input.is_object = true;
  return input.object.read(json);
}

// {"type":"search","query":…} and {"type":"exec","command":[…]}
bool read_action(value json, Fields& fields) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::object) return true;
  if (!fields.input.object.read(json)) return false;
  fields.input.is_object = true;
  fields.query = fields.input.object.get({"query"});
  fields.url = fields.input.object.get({"url"});
  fields.pattern = fields.input.object.get({"pattern"});
  return true;
}

// {"total_token_usage":{"input_tokens":5,"cached_input_tokens":3,…},…}. What was read from the
// cache is part of the input there, and apart from it here.
bool read_usage(value json, Fields& fields) {
  return each_field(json, [&](std::string_view key, value inner) {
    if (key != "total_token_usage") return true;
    Usage usage;
    const bool fine = each_field(inner, [&](std::string_view name, value count) {
      if (name == "input_tokens") return get_count(count, usage.input_tokens);
      if (name == "output_tokens") return get_count(count, usage.output_tokens);
      if (name == "cached_input_tokens") return get_count(count, usage.cache_read_tokens);
      if (name == "cache_write_input_tokens") return get_count(count, usage.cache_write_tokens);
      return true;
    });
    usage.input_tokens -= std::min(usage.input_tokens, usage.cache_read_tokens);
    fields.usage = usage;
    fields.has_usage = true;
    return fine;
  });
}

// A list of parts; a word in records that are no reasoning.
bool read_summary(value json, Fields& fields) {
  json_type type{};
  if (!get_type(json, type)) return false;
  return type != json_type::array || read_parts(json, fields.summary);
}

bool read_images(value json, Fields& fields) {
  json_type type{};
  if (!get_type(json, type)) return false;
  if (type != json_type::array) return true;
  return each_item(json, [&](value) {
    fields.has_images = true;
    return true;
  });
}

bool read_field(value json, const KnownKey& known, Fields& fields) {
  switch (known.key) {
    case Key::ignored:
      return true;
    case Key::text:
      return get_text(json, fields.*known.text);
    case Key::action:
      return read_action(json, fields);
    case Key::content:
      return read_parts(json, fields.content);
    case Key::git:
      return each_field(json, [&](std::string_view key, value inner) {
        if (key == "branch") return get_text(inner, fields.branch);
        return key != "repository_url" || get_text(inner, fields.repository);
      });
    case Key::images:
      return read_images(json, fields);
    case Key::info:
      return read_usage(json, fields);
    case Key::input:
      return read_input(json, fields.input);
    case Key::num_turns:
      return get_count(json, fields.num_turns);
    case Key::output:
      return read_output(json, fields.output);
    case Key::summary:
      return read_summary(json, fields);
  }
  return true;
}

void note_unknown(std::vector<std::string_view>& keys, std::string_view key) {
  if (keys.size() < kMaxUnknownKeys) keys.push_back(key);
}

}  // namespace

void Fields::clear() {
  // Vectors and the input keep their memory.
  const auto emptied = [](auto& list) {
    auto kept = std::move(list);
    kept.clear();
    return kept;
  };
  Fields fresh;
  fresh.content = emptied(content);
  fresh.summary = emptied(summary);
  fresh.output = emptied(output);
  fresh.unknown_line_keys = emptied(unknown_line_keys);
  fresh.unknown_item_keys = emptied(unknown_item_keys);
  fresh.input.object = std::move(input.object);
  fresh.input.object.clear();
  *this = std::move(fresh);
}

bool FieldReader::read(simdjson::ondemand::object& json, Fields& fields) {
  fields.clear();
  const bool fine = each_field(json, [&](std::string_view key, value inner) {
    if (key == "timestamp") return get_time(inner, fields.time);
    if (key == "type") return get_text(inner, fields.type);
    if (key == "payload") return read_payload(inner, fields);
    if (key == "record_type") return get_text(inner, fields.record_type);
    if (key == "ordinal" || key == "metadata") return true;
    const KnownKey* const known = kKeyTable.find(key);
    if (known != nullptr) return read_field(inner, *known, fields);
    note_unknown(fields.unknown_line_keys, key);
    return true;
  });
  if (!fields.has_payload) fields.item = fields.type;
  return fine;
}

bool FieldReader::read_payload(value json, Fields& fields) {
  fields.has_payload = true;
  return each_field(json, [&](std::string_view key, value inner) {
    const KnownKey* const known = kKeyTable.find(key);
    if (known != nullptr) return read_field(inner, *known, fields);
    note_unknown(fields.unknown_item_keys, key);
    return true;
  });
}

}  // namespace yore::transcript::codex
