// records.hpp — makes records of the lines of one Claude Code transcript.
#pragma once

#include <simdjson.h>

#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"
#include "transcript/agents/claude_code/fields.hpp"
#include "transcript/agents/claude_code/spill.hpp"
#include "transcript/agents/claude_code/text.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::claude_code {

class RecordReader {
 public:
  RecordReader(const SessionRef& session, RecordSink& sink);

  // One object of the file: delivers what it says. False: not what a record should be, and nothing
  // was delivered.
  bool read(simdjson::ondemand::object& json, const LineInfo& where);

 private:
  void start_record(const LineInfo& where);
  void report_unknown();

  bool read_user();
  bool read_assistant();
  void read_system();
  void read_attachment();
  void read_queue_operation();
  void read_title(std::string_view title, TitleKind kind);
  void read_old_call();
  void read_old_output();

  void read_prompt();
  void read_tool_output();
  void add_text(std::string_view text);
  void add_result(std::string_view text, std::string_view tool_id);
  [[nodiscard]] std::string_view joined(const Content& content);
  [[nodiscard]] std::string_view with_spilled_output(std::string_view output);

  void deliver(RecordKind kind);
  void deliver_link();
  void deliver_background(const UserText& report, std::string_view whole);

  RecordSink& sink_;
  bool main_session_ = true;
  SpilledOutputs spilled_;

  FieldReader reader_;
  Fields fields_;
  Record record_;
  std::vector<Block> blocks_;
};

}  // namespace yore::transcript::claude_code
