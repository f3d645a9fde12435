// records.hpp — one line of a transcript of Kimi CLI or Kimi Code in, records out.
//
// Three formats, told apart line by line:
//   context   {"role":"user","content":"…"}            kimi-cli: what the model was sent; no times
//             {"role":"assistant","content":[…],"tool_calls":[{"id","function":{"name",
//              "arguments":"{…}"}}]}   {"role":"tool","tool_call_id":…,"content":[…]}
//   wire      {"timestamp":1775953944.5,"message":{"type":"TurnBegin","payload":{…}}}    kimi-cli
//   record    {"type":"turn.prompt","input":[…],"origin":{"kind":"user"},"time":…}      kimi-code
//             {"type":"context.append_loop_event","event":{"type":"content.part",…},"time":…}
// The latter two begin with {"type":"metadata","protocol_version":…}. Keys come in any order, so a
// line is read whole before anything is delivered.
//
// Threads: one reader per thread. Memory: O(largest line), kept between lines.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript::kimi {

// What reading carries from one line to the next; it is part of the cursor. Kimi Code writes a
// prompt twice, first as what was typed and then as what the model was sent: hashes of the former
// that wait for the latter.
struct State {
  std::vector<std::uint64_t> typed;
};

class EntryReader {
 public:
  // Both outlive the reader.
  EntryReader(State& state, RecordSink& sink) : state_(state), sink_(sink) {}

  // An OnObject: false when the line is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

 private:
  // A piece of content: {"type":"text","text":…}, {"type":"think","think":…} …
  struct Piece {
    std::string_view type;
    std::string_view text;
  };
  struct Call {
    std::string_view id;
    std::string_view name;
    std::string_view arguments;  // JSON in a string
    bool has_input = false;      // or in input_
  };
  struct Entry {
    std::string_view type;    // of a record
    std::string_view role;    // of a context line, or of a record's message
    std::string_view wire;    // of a wire message
    std::string_view event;   // of a loop event
    std::string_view origin;  // who wrote it: "user", "injection", "cron_job" …
    std::string_view origin_name;
    std::string_view key;
    std::string_view message_id;
    std::string_view call_id;
    std::string_view model;
    std::string_view cwd;
    std::string_view version;
    std::string_view text;  // a summary, a plan, a notification
    Usage usage;
    Time time = kNoTime;
    bool has_message = false;
  };

  void clear();
  bool read_top(std::string_view key, simdjson::ondemand::value value);
  bool read_message(simdjson::ondemand::value value);
  bool read_payload(simdjson::ondemand::value value);
  bool read_event(simdjson::ondemand::value value);
  bool read_origin(simdjson::ondemand::value value);
  bool read_pieces(simdjson::ondemand::value value);
  bool read_piece(simdjson::ondemand::value value);
  bool read_calls(simdjson::ondemand::value value);
  bool read_call(simdjson::ondemand::value value);
  bool read_function(simdjson::ondemand::value value, Call& call);
  bool read_result(simdjson::ondemand::value value);
  bool read_input(simdjson::ondemand::value value, Call& call);
  bool read_usage(simdjson::ondemand::value value);
  // For a key that is not read: noted unless it is a silent one. True.
  bool pass_key(std::string_view where, std::string_view key,
                std::span<const std::string_view> silent);

  void deliver_context();
  void deliver_wire();
  void deliver_record();
  void deliver_event();
  void deliver_typed(RecordKind kind);
  void deliver_sent();
  void deliver_from(RecordKind kind);
  void report_origin();
  void deliver_answer();
  void deliver_calls();
  void deliver_output();
  void deliver_meta(RecordKind kind = RecordKind::meta);
  // A line of which nothing but metadata is read; what its keys are does not matter.
  void pass_over(bool known, std::string_view what, std::string_view name);
  void deliver_text(RecordKind kind, std::string_view text, BlockKind block = BlockKind::text);
  [[nodiscard]] Record new_record(RecordKind kind) const;
  // The words of all pieces of text, one below the other.
  std::string_view joined_text();

  State& state_;
  RecordSink& sink_;
  LineInfo where_;
  Entry entry_;
  std::vector<Piece> pieces_;
  std::vector<Call> calls_;
  std::vector<std::string> unknown_;
  ToolInput input_;
  ToolInput arguments_;
  // JSON inside a string has a parser of its own: the line's is still needed.
  simdjson::ondemand::parser parser_;
  std::string inner_;
  std::string joined_;
  std::string rendering_;
};

}  // namespace yore::transcript::kimi
