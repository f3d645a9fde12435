// records.hpp — one OpenClaw transcript entry in, records out.
//
// Entries are those of pi (pi_entry.hpp), the same in JSONL lines, database rows and cold archives.
//
// Threads: one reader per thread. Memory: O(largest entry), kept between entries.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "transcript/dialects/pi_entry.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::openclaw {

enum class EntrySource : std::uint8_t { lines, rows };  // rows have no line number

class EntryReader {
 public:
  EntryReader(RecordSink& sink, EntrySource source) : sink_(sink), source_(source) {}

  // An OnObject: false when the entry is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  void deliver();
  void deliver_message(Record& record);
  void deliver_prompt(Record& record);
  void deliver_assistant(Record& record);
  void deliver_tool_result(Record& record);
  void deliver_shell(Record& record);
  void deliver_note(Record& record, std::string_view text);
  void deliver_text(Record& record, RecordKind kind, const Block& block);

  RecordSink& sink_;
  EntrySource source_;
  LineInfo where_;
  pi::EntryParser parser_;
  const pi::Entry& entry_ = parser_.entry;
  std::string shell_;
};

}  // namespace yore::transcript::openclaw
