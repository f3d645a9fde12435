// records.hpp — one message of a Gemini session in, records out.
//
//   {"id","timestamp","type":"user","content","displayContent"?}
//   {"id","timestamp","type":"gemini","content","thoughts"?,"tokens"?,"model"?,"toolCalls"?:[
//     {"id","name","args":{…},"result":[…],"status","timestamp","resultDisplay"…}]}
//   {…,"type":"info"|"warning"|"error",…}      what the program told the person: not read
// Contents are parts (genai.hpp).
//
// A message is written again when its tokens are counted and when its tools have ended: records are
// made in the order in which it grows, so that the longer version says what the shorter one said
// and goes on.
//
// Messages come in the order of the conversation. Threads: one reader per thread.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/dialects/gemini/project.hpp"
#include "transcript/dialects/genai.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::gemini {

class MessageReader {
 public:
  explicit MessageReader(RecordSink& sink) : sink_(sink) {}

  // The number of the next message: rewinds go by it.
  void begin(std::uint32_t number) { number_ = number; }
  // An OnObject: false when the message is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);

  // Messages from this number on were taken back: the next prompt takes the place of the first
  // prompt among them.
  void rewind(std::uint32_t first);
  void deliver_title(std::string_view title, const LineInfo& where);
  void set_project_hash(std::string_view hash) { directory_.set_hash(hash); }

 private:
  struct ToolCall {
    std::string_view id;
    std::string_view name;
    std::string_view status;
    std::string_view result;
    std::string_view display;
    Time time = kNoTime;
    std::size_t input = SIZE_MAX;
  };
  struct Message {
    std::string_view id;
    std::string_view type;
    std::string_view model;
    Time time = kNoTime;
    Usage usage;
  };
  struct Prompt {
    std::uint32_t number = 0;
    std::string parent;
  };

  void clear();
  bool read_fields(simdjson::ondemand::object& object);
  bool read_thought(simdjson::ondemand::value value);
  bool read_tokens(simdjson::ondemand::value value);
  bool read_tool_call(simdjson::ondemand::value value);
  bool read_result(simdjson::ondemand::value value, std::string_view& text);
  void note_unknown(std::string_view prefix, std::string_view name);

  void deliver();
  void deliver_user();
  void deliver_typed(std::string_view text);
  void deliver_assistant();
  void deliver_call(const ToolCall& call);
  void deliver_result(std::string_view call_id, std::string_view text, Time time);
  void deliver_text(RecordKind kind, std::string_view text, bool with_key);
  [[nodiscard]] Record new_record() const;

  RecordSink& sink_;
  std::uint32_t number_ = 0;
  LineInfo where_;
  Message message_;
  GenaiParts parts_;
  GenaiPartList content_;
  GenaiPartList display_;
  GenaiPartList result_;
  std::vector<std::string_view> thoughts_;
  std::vector<ToolCall> calls_;
  std::vector<std::string> unknown_;
  std::vector<Block> blocks_;
  std::string joined_;
  std::string attached_;
  std::string rendering_;

  std::string parent_;  // key of the message before this one
  std::vector<Prompt> prompts_;
  std::optional<std::string> rewound_to_;
  DirectoryFinder directory_;
};

}  // namespace yore::transcript::gemini
