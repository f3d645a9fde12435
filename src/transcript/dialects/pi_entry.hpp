// pi_entry.hpp — one entry of a session as pi writes it, and OpenClaw, which is built on pi.
//
//   {"type":"session","version":3,"id":…,"timestamp":…,"cwd":…}                    first
//   {"type":"message","id":…,"parentId":…,"timestamp":…,"message":{"role":…,…}}
//   {"type":"compaction"|"model_change"|"session_info"|…,"id":…,"parentId":…,…}
// Keys come in any order, so an entry is read whole; what it means is for the adapters to say.
//
// Threads: one parser per thread. Memory: O(largest entry), kept between entries. Views live until
// the next entry.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript::pi {

// A content block as it stands there; which of the fields count depends on `type`.
struct EntryPart {
  std::string_view type;
  std::string_view text;
  std::string_view thinking;
  std::string_view id;
  std::string_view name;
  std::size_t input = SIZE_MAX;  // which of the parser's inputs
};

struct Message {
  std::string_view role;
  std::string_view model;
  std::string_view provider;
  std::string_view stop_reason;
  std::string_view error;
  std::string_view tool_call_id;
  std::string_view command;
  std::string_view output;
  std::string_view provenance;
  Time time = kNoTime;
  bool display = false;
  Usage usage;
};

struct Entry {
  std::string_view type;
  std::string_view id;
  std::string_view parent_id;
  std::string_view cwd;
  std::string_view version;
  std::string_view summary;
  std::string_view name;
  std::string_view model;
  Time time = kNoTime;
  bool display = false;
  bool has_message = false;
  bool wrong_type = false;  // a text or a list was something else, and counts as absent
  Usage usage;
  Message message;
};

class EntryParser {
 public:
  // False when the JSON is malformed.
  bool read(simdjson::ondemand::object& object);

  Entry entry;
  std::vector<EntryPart> parts;      // of the message, or of the entry itself
  std::vector<std::string> unknown;  // keys: "entry.x", "message.y"

  // The words of all text parts, one below the other.
  std::string_view joined_text(RecordSink& sink);
  // What the assistant says, thinks and calls.
  std::span<const Block> blocks(std::span<const ToolRule> rules, RecordSink& sink);

 private:
  bool read_field(std::string_view key, simdjson::ondemand::value json);
  bool read_message(simdjson::ondemand::value json);
  bool read_message_field(std::string_view key, simdjson::ondemand::value json);
  bool read_content(simdjson::ondemand::value json);
  bool read_part(simdjson::ondemand::value json);
  bool read_input(simdjson::ondemand::value json, EntryPart& part);
  bool text(simdjson::ondemand::value json, std::string_view& out);
  bool scalar(simdjson::ondemand::value json, std::string_view& out);
  bool pass_key(std::string_view where, std::string_view key,
                std::span<const std::string_view> silent);

  std::vector<ToolInput> inputs_;
  std::size_t inputs_used_ = 0;
  std::vector<std::string> renderings_;
  std::vector<Block> blocks_;
  std::string joined_;
};

}  // namespace yore::transcript::pi
