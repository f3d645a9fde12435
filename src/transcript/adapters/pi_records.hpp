// pi_records.hpp — one line of a pi session in, records out.
//
//   {"type":"session","version":3,"id":…,"timestamp":…,"cwd":…}                    first
//   {"type":"message","id":…,"parentId":…,"timestamp":…,"message":{"role":…,…}}
//   {"type":"compaction"|"model_change"|"session_info"|…,"id":…,"parentId":…,…}
// Version 1 has no ids: its lines follow each other. Ids are short and unique within a file only; a
// fork copies entries with their ids and times. Keys come in any order, so a line is read whole
// before anything is delivered.
//
// Threads: one reader per thread. Memory: O(largest line), kept between lines.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"
#include "transcript/jsonl.hpp"
#include "transcript/record.hpp"
#include "transcript/tool_render.hpp"

namespace yore::transcript::pi {

class EntryReader {
 public:
  EntryReader(const SessionRef& session, RecordSink& sink);

  // An OnObject: false when the line is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  // A content block as it stands there; which of the fields count depends on `type`.
  struct Part {
    std::string_view type;
    std::string_view text;
    std::string_view thinking;
    std::string_view id;
    std::string_view name;
    std::size_t input = SIZE_MAX;  // index into inputs_
  };
  struct Message {
    std::string_view role;
    std::string_view model;
    std::string_view stop_reason;
    std::string_view error;
    std::string_view tool_call_id;
    std::string_view command;
    std::string_view output;
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
    Usage usage;
    Message message;
  };

  bool read_entry(simdjson::ondemand::object& object);
  bool read_message(simdjson::ondemand::value json);
  bool read_content(simdjson::ondemand::value json);
  bool read_part(simdjson::ondemand::value json);
  bool read_input(simdjson::ondemand::value json, Part& part);

  void start_record(const LineInfo& where);
  void deliver_header();
  void deliver_entry();
  void deliver_message();
  void deliver_prompt(std::string_view text);
  void deliver_user();
  void deliver_assistant();
  void deliver_shell();
  void deliver(RecordKind kind);
  void deliver_text(RecordKind kind, BlockKind block, std::string_view text);
  // The words of all text parts, one below the other.
  std::string_view joined_text();

  RecordSink& sink_;
  std::uint64_t session_hash_;
  Entry entry_;
  Record record_;
  std::vector<Part> parts_;
  std::vector<ToolInput> inputs_;
  std::size_t inputs_used_ = 0;
  std::vector<std::string> renderings_;
  std::vector<Block> blocks_;
  std::vector<std::string> unknown_;
  std::string joined_;
  std::string key_;
};

}  // namespace yore::transcript::pi
