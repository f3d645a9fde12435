// records.hpp — one line of a pi session in, records out; see pi_entry.hpp.
//
// Version 1 has no ids: its lines follow each other. Ids are short and unique within a file only; a
// fork copies entries with their ids and times.
//
// Threads: one reader per thread. Memory: O(largest line), kept between lines.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "transcript/adapter.hpp"
#include "transcript/dialects/pi_entry.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::pi {

class EntryReader {
 public:
  EntryReader(const SessionRef& session, RecordSink& sink);

  // An OnObject: false when the line is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  void start_record(const LineInfo& where);
  void deliver_header();
  void deliver_entry();
  void deliver_message();
  void deliver_prompt(std::string_view text);
  void deliver_user();
  void deliver_assistant();
  void deliver_shell();
  void deliver(RecordKind kind, std::span<const Block> blocks = {});
  void deliver_text(RecordKind kind, BlockKind block, std::string_view text);

  RecordSink& sink_;
  std::uint64_t session_hash_;
  EntryParser parser_;
  const Entry& entry_ = parser_.entry;
  Record record_;
  std::string shell_;
  std::string key_;
};

}  // namespace yore::transcript::pi
