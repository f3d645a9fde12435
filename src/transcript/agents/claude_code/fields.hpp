// fields.hpp — one line of a Claude Code transcript as plain fields.
//
// One pass over the object in whatever order its keys come (`message` often stands before `type`).
// Large values that say nothing new (toolUseResult, progress data, pictures) are skipped unread.
// A field of the wrong type counts as absent.
//
// Lifetime: views point into the parser's buffers or into the reader's own, until the next read().
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "transcript/dialects/anthropic.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::claude_code {

struct Fields {
  std::string_view type;
  std::string_view subtype;
  std::string_view uuid;
  std::string_view parent_uuid;
  std::string_view logical_parent_uuid;
  Time time = kNoTime;
  std::string_view cwd;
  std::string_view branch;
  std::string_view version;
  std::string_view slug;
  bool is_meta = false;
  bool is_sidechain = false;
  bool is_compact_summary = false;
  bool is_api_error = false;
  std::string_view origin_kind;
  std::string_view prompt_source;
  std::string_view turn_origin;  // "sdk": `-p` or a program, not the terminal

  Shape message = Shape::absent;
  Content said;  // message.content
  std::string_view message_id;
  std::string_view model;
  Usage usage;

  Content content;  // of system and queue-operation records
  std::string_view operation;
  std::string_view summary;
  std::string_view leaf_uuid;
  std::string_view custom_title;
  std::string_view ai_title;
  std::string_view agent_name;

  std::string_view attachment_type;
  Content attachment_prompt;
  std::string_view attachment_mode;
  std::string_view attachment_origin;
  bool attachment_is_meta = false;

  MessagePart old_tool;  // records of type tool_use and tool_result: the block is the record

  std::vector<std::string_view> unknown_keys;          // of the record
  std::vector<std::string_view> unknown_message_keys;  // of its message

  void clear();
};

class FieldReader {
 public:
  // False: malformed JSON, nothing in `fields` may be used.
  bool read(simdjson::ondemand::object& json, Fields& fields);
  // Makes text, rendering and file of a record that is itself a tool call.
  void finish_old_call(Fields& fields) { content_.finish_call(fields.old_tool); }
  TextPool& texts() { return content_.texts(); }

 private:
  bool read_field(simdjson::ondemand::value json, std::string_view key, Fields& fields);
  bool read_message(simdjson::ondemand::value json, Fields& fields);
  bool read_attachment(simdjson::ondemand::value json, Fields& fields);

  ContentReader content_;
};

}  // namespace yore::transcript::claude_code
