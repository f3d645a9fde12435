// parts.hpp — content blocks in the shapes that agents share, as a table per shape.
//
//   anthropic    {"type":"text"|"thinking"|"tool_use"|"tool_result",…}
//   openai       {"type":"text"|"think",…}, calls as {"id","function":{"name","arguments":"{…}"}}
//   pi           {"type":"text"|"thinking"|"toolCall",…}
//   typed_parts  {"type":"text"|"reasoning"|"tool","tool","callID","state":{"input","output"}},
//                {"type":"toolRequest"|"toolResponse",…}, {"type":"tool_call","data":{…}}
//   tagged       {"Text":"…"}, {"Thinking":{"text"}}, {"ToolUse":{"id","name","input"}}
//   genai        {"text"}, {"functionCall":{…}}, {"functionResponse":{…}}: named by their keys
//   vscode       {"value":…}, {"kind":"thinking"|"toolInvocationSerialized"|"inlineReference",…}:
//                texts that follow each other are pieces of one
//   acp          {"type":"text","text"}, {"type":"content","content":{…}}, {"type":"diff",…}
// Everywhere a text may stand in place of a block, and one block in place of a list of them.
//
// Threads: one reader per thread. Lifetime: views point into the parser's buffers or the reader's
// own, until clear(). Memory: O(largest message), kept.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/input/text_pool.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/agent_spec.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript {

enum class ContentKind : std::uint8_t {
  text,
  thinking,
  call,
  result,
  call_and_result,  // both in one: a call whose output was added later
  shell,            // a person's own command, with its output
  picture,
  silent,
  unknown,  // `type` says what
};

struct ContentPart {
  ContentKind kind = ContentKind::unknown;
  std::string_view type;
  std::string_view text;    // text, thinking
  std::string_view output;  // result
  std::string_view id;
  std::string_view name;
  std::string_view arguments;    // input of a call as JSON in a string
  std::size_t input = SIZE_MAX;  // or read: which of the reader's
  bool beside = false;           // it stood beside the content
};

struct DialectTable;

// All functions that read return false for malformed JSON only.
class PartReader {
 public:
  explicit PartReader(Dialect dialect);

  void clear();
  // Content: adds its parts.
  bool read(simdjson::ondemand::value json);
  // Tool calls that stand beside the content.
  bool read_calls(simdjson::ondemand::value json);
  // Outputs that stand beside the content: a list of them, or each by the id of its call.
  bool read_results(simdjson::ondemand::value json);
  // The input of a call whose name stands elsewhere: an object, or JSON in a string.
  bool read_input(simdjson::ondemand::value json, ContentPart& part);
  // One argument of such a call that stands alone.
  void add_input(ContentPart& part, std::string_view key, std::string_view text);
  // A tool's output: a text, or every text in a list or an object, one a line.
  bool read_output(simdjson::ondemand::value json, std::string_view& text);

  [[nodiscard]] const std::vector<ContentPart>& parts() const { return parts_; }
  // Is it a type of block that this dialect has?
  [[nodiscard]] bool knows(std::string_view type) const;
  // The words of all text parts, one below the other.
  std::string_view joined_text();
  // The block of a call. It lives until clear().
  Block call_block(const ContentPart& part, std::span<const ToolRule> rules);

 private:
  bool read_part(simdjson::ondemand::value json, bool calls);
  bool read_fields(simdjson::ondemand::value json, ContentPart& part, int depth);
  void finish(ContentPart& part, bool calls);
  void add(const ContentPart& part);
  bool merge_call(const ContentPart& part);

  const DialectTable& table_;
  std::vector<ContentPart> parts_;
  std::deque<ToolInput> inputs_;
  std::size_t inputs_used_ = 0;
  TextPool texts_;
  std::string* pieces_ = nullptr;  // the text of the last part, when it is one of several pieces
  std::string_view first_key_;
  bool thought_ = false;
  // JSON inside a string has a parser of its own: the record's is still needed.
  simdjson::ondemand::parser parser_;
  std::string inner_;
};

}  // namespace yore::transcript
