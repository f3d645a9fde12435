// records.hpp — one line of a Qwen Code transcript in, records out.
//
//   {"uuid","parentUuid","sessionId","timestamp","type","subtype"?,"cwd","version","gitBranch"?,
//    "message"?:{"role","parts":[…]},"model"?,"usageMetadata"?,"toolCallResult"?,"systemPayload"?}
// type: user, assistant, tool_result or system. Parts are those of genai.hpp. A message may
// come in several lines of one uuid, each with other parts of it. A rewind is a system line whose
// parent is the line before the prompt that was taken back.
//
// Threads: one reader per thread. Memory: O(largest line), kept between lines.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"
#include "transcript/dialects/genai.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::qwen {

class RecordReader {
 public:
  RecordReader(const SessionRef& session, RecordSink& sink)
      : sink_(sink), main_session_(session.kind == SessionKind::main) {}

  // An OnObject: false when the line is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  struct Fields {
    std::string_view uuid;
    std::string_view parent_uuid;
    std::string_view type;
    std::string_view subtype;
    std::string_view provenance;
    std::string_view cwd;
    std::string_view version;
    std::string_view branch;
    std::string_view model;
    Time time = kNoTime;
    Usage usage;
    bool sidechain = false;
    // toolCallResult
    std::string_view call_id;
    std::string_view result_display;
    // systemPayload
    std::string_view display_text;
    std::string_view custom_title;
    std::string_view title_source;
    std::string_view raw_command;
    std::string_view phase;
    std::string_view model_id;
  };

  void clear();
  bool read_field(std::string_view key, simdjson::ondemand::value field);
  bool read_message(simdjson::ondemand::value value);
  bool read_usage(simdjson::ondemand::value value);
  bool read_tool_result(simdjson::ondemand::value value);
  bool read_payload(simdjson::ondemand::value value);
  void note_unknown(std::string_view prefix, std::string_view name);

  void deliver();
  void deliver_user();
  void deliver_prompt(RecordKind kind, bool automated);
  void deliver_assistant();
  void deliver_tool_result();
  void deliver_system();
  void deliver_link();
  void deliver_said(RecordKind kind);
  void deliver_text(Record& record, RecordKind kind, std::string_view text);
  [[nodiscard]] Record new_record() const;
  [[nodiscard]] std::string_view typed_text();

  RecordSink& sink_;
  bool main_session_ = true;
  LineInfo where_;
  Fields fields_;
  GenaiParts reader_;
  GenaiPartList parts_;
  std::vector<Block> blocks_;
  std::vector<std::string> unknown_;
  std::string joined_;
  std::string files_;
  std::string key_;
};

}  // namespace yore::transcript::qwen
