// records.hpp — one message or part of OpenCode in, records out.
//
// Message (table message, or message/<session>/<id>.json):
//   {"role":"user","time":{"created":…},"agent":…,"model":{"modelID":…}}
//   {"role":"assistant","time":{"created":…,"completed":…},"modelID":…,"path":{"cwd":…},
//    "tokens":{"input":…,"output":…,"cache":{"read":…,"write":…}},"summary":true of a compaction}
// Part (table part, or part/<message>/<id>.json):
//   {"type":"text","text":…,"synthetic":true of what nobody typed,"time":{"start":…,"end":…}}
//   {"type":"reasoning","text":…}   {"type":"subtask","prompt":…}   {"type":"file",…} …
//   {"type":"tool","callID":…,"tool":…,"state":{"status":…,"input":{…},"output":…,"error":…}}
// Row of session_message: the message with its parts inside, of a type of its own:
//   user {"text":…}  assistant {"content":[parts],"model":{"id":…},…}  shell {"command","output"}
//   compaction {"summary"}  model-switched {"model"}  and others that nobody reads
//
// Threads: one reader per thread. Memory: O(largest item), kept between items.
#pragma once

#include <simdjson.h>

#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/agents/opencode/store.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript::opencode {

// What a message says of itself, without its parts.
struct MessageHead {
  std::string type;  // "user", "assistant", or another of session_message; "" when damaged
  std::string model;
  std::string cwd;
  Time created = kNoTime;
  bool completed = false;
  bool compaction = false;  // an assistant's summary of what went before
  bool has_words = false;   // of a compaction: its summary is there
  Usage usage;
};

// Problems and unknown things of one item, kept until it is certain that it is read to its end:
// what is read again must not be counted again.
class Findings final : public RecordSink {
 public:
  void record(const Record&) override {}
  void problem(ProblemKind kind, std::uint64_t line) override;
  void unknown(std::string_view what) override;
  void hand_over(RecordSink& sink);  // and forgets them
  void clear();

 private:
  std::vector<std::pair<ProblemKind, std::uint64_t>> problems_;
  std::vector<std::string> unknown_;
};

// `number` counts the messages of the session from 0: it is what problems are reported at.
MessageHead read_head(const Item& message, std::uint64_t number, Findings& findings);

// Delivers the parts of one message after the other.
class PartReader {
 public:
  PartReader(const SessionInfo& session, RecordSink& sink) : session_(session), sink_(sink) {}

  // `settled`: every part is final, whatever it says. All three stay alive until finish().
  void begin(const Item& message, const MessageHead& head, std::uint64_t number, bool settled);
  // False: this part may change; it was delivered as far as it is certain, and nothing behind it
  // may be read now. `followed`: another part stands behind it.
  bool add_part(const Item& part, bool followed);
  // A row of session_message, parts and all. False as above.
  bool add_row();
  // Call after the last part: delivers what is known of a settled message as a whole.
  void finish(Findings& head_findings);

 private:
  struct Part {
    std::string_view id;
    std::string_view type;
    std::string_view text;
    std::string_view tool;
    std::string_view call_id;
    std::string_view status;
    std::string_view output;
    std::string_view prompt;
    bool hidden = false;           // nobody typed it, or nobody was to see it
    std::size_t input = SIZE_MAX;  // index into inputs_
    Time start = kNoTime;
    Time end = kNoTime;
  };
  // The words of a row of session_message that has no parts.
  struct Row {
    std::string_view text;
    std::string_view command;
    std::string_view output;
    std::string_view summary;
  };

  bool read_part(simdjson::ondemand::object& object);
  bool read_state(simdjson::ondemand::value value, Part& part);
  bool read_input(simdjson::ondemand::value value, Part& part);
  bool read_output(simdjson::ondemand::value value, Part& part);
  bool read_times(simdjson::ondemand::value value, Part& part);
  void clear_parts();

  bool deliver_parts(bool followed);
  bool deliver_part(const Part& part, bool followed);
  bool deliver_words(const Part& part, BlockKind kind, bool followed);
  bool deliver_tool(const Part& part);
  void deliver_typed(const Part& part, std::string_view text);
  bool deliver_row(const Row& row);
  // `growing` names the words that this record may be a longer snapshot of.
  void deliver(RecordKind kind, const Block& block, std::string_view key, Time time,
               std::string_view growing = {});
  std::string_view key_of(const Part& part, std::string_view suffix);

  const SessionInfo& session_;
  RecordSink& sink_;
  const Item* message_ = nullptr;
  const MessageHead* head_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint64_t part_number_ = 0;
  bool settled_ = false;
  bool prompted_ = false;
  bool attached_ = false;  // a file lies beside the words
  Findings findings_;
  std::vector<Part> parts_;
  std::vector<ToolInput> inputs_;
  std::size_t inputs_used_ = 0;
  std::forward_list<std::string> joined_;  // views point into it: elements must never move
  std::vector<std::string> unknown_keys_;
  std::string rendering_;
  std::string key_;
};

}  // namespace yore::transcript::opencode
