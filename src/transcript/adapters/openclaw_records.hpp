// openclaw_records.hpp — one OpenClaw transcript entry in, records out.
//
// Entries are the same in JSONL lines, database rows and cold archives:
//   {"type":"session","version":3,"id":…,"timestamp":…,"cwd":…}                    first
//   {"type":"message","id":…,"parentId":…,"timestamp":…,"message":{"role":…,…}}
//   {"type":"compaction"|"model_change"|"session_info"|…,"id":…,"parentId":…,…}
// Keys come in any order, so an entry is read whole before anything is delivered.
//
// Threads: one reader per thread. Memory: O(largest entry), kept between entries.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/jsonl.hpp"
#include "transcript/record.hpp"
#include "transcript/tool_render.hpp"

namespace yore::transcript::openclaw {

enum class Place : std::uint8_t { lines, rows };  // rows have no line number

class EntryReader {
 public:
  EntryReader(RecordSink& sink, Place place) : sink_(sink), place_(place) {}

  // An OnObject: false when the entry is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  // A content block as it stands there; which of the fields count depends on `type`.
  struct RawBlock {
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
    std::string_view provider;
    std::string_view stop_reason;
    std::string_view error;
    std::string_view tool_call_id;
    std::string_view command;
    std::string_view output;
    std::string_view provenance;
    Time time = kNoTime;
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
    std::string_view model_id;
    bool display = false;
    Time time = kNoTime;
    Message message;
  };

  void clear();
  bool read_entry(simdjson::ondemand::object& object);
  bool read_message(simdjson::ondemand::value value);
  bool read_content(simdjson::ondemand::value value);
  bool read_block(simdjson::ondemand::value value);
  bool read_tool_input(simdjson::ondemand::value value, RawBlock& block);

  void deliver();
  void deliver_message(Record& record);
  void deliver_prompt(Record& record);
  void deliver_assistant(Record& record);
  void deliver_tool_result(Record& record);
  void deliver_shell(Record& record);
  void deliver_note(Record& record, std::string_view text);
  void deliver_text(Record& record, RecordKind kind, const Block& block);
  Block tool_call(const RawBlock& raw, std::string& rendering) const;
  // The words of all text blocks, one below the other.
  std::string_view joined_text();

  RecordSink& sink_;
  Place place_;
  LineInfo where_;
  Entry entry_;
  std::vector<RawBlock> raw_blocks_;
  std::vector<ToolInput> inputs_;
  std::size_t inputs_used_ = 0;
  std::vector<std::string> renderings_;
  std::vector<Block> blocks_;
  std::vector<std::string_view> unknown_keys_;
  std::string joined_;
};

}  // namespace yore::transcript::openclaw
