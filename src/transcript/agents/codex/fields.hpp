// fields.hpp — one line of a Codex rollout as plain fields.
//
//   {"timestamp":…,"type":"response_item","payload":{"type":"message",…}}   since late 2025
//   {"type":"message",…}   {"id":…,"timestamp":…,"instructions":…}          before: bare payload
// One pass, keys in any order. Large values of no use (instructions, pictures, copies of the
// history) are skipped unread. A field of the wrong type counts as absent.
//
// Lifetime: views point into the parser's buffers or into the reader's own, until the next read().
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript::codex {

// A piece of a message, of reasoning or of an output.
struct ItemPart {
  std::string_view type;
  std::string_view text;
};

// A call's arguments: an object, or a string that may hold one.
struct Input {
  bool is_object = false;  // then `object` was read
  std::string_view text;
  ToolInput object;
};

struct Fields {
  std::string_view type;     // of the line
  std::string_view item;     // of the payload
  bool has_payload = false;  // false: a line of the older format, `item` is its type
  Time time = kNoTime;

  std::string_view id;
  std::string_view role;
  std::string_view message;  // of events and compactions
  std::string_view name;
  std::string_view name_space;
  std::string_view call_id;
  std::string_view turn_id;
  std::string_view thread_name;
  std::string_view cwd;
  std::string_view model;
  std::string_view cli_version;
  std::string_view originator;
  std::string_view branch;
  std::string_view repository;
  std::string_view kind;
  std::string_view review_hint;
  std::string_view record_type;
  std::string_view revised_prompt;
  std::vector<ItemPart> content;
  std::vector<ItemPart> summary;
  std::vector<ItemPart> output;
  Input input;
  // web_search_call: what of its action is there. local_shell_call: the command in `input`.
  std::string_view query;
  std::string_view url;
  std::string_view pattern;
  Usage usage;
  bool has_usage = false;
  std::uint64_t num_turns = 0;
  bool has_images = false;

  std::vector<std::string_view> unknown_line_keys;
  std::vector<std::string_view> unknown_item_keys;

  void clear();
};

class FieldReader {
 public:
  // False: malformed JSON, nothing in `fields` may be used.
  bool read(simdjson::ondemand::object& json, Fields& fields);

 private:
  bool read_payload(simdjson::ondemand::value json, Fields& fields);
};

}  // namespace yore::transcript::codex
