// genai.hpp — the parts of a message as Google's generative API shapes them. Gemini CLI and
// Qwen Code store them as they are:
//   {"text":"…"}  {"text":"…","thought":true}  {"inlineData":{…}}  {"fileData":{…}}
//   {"functionCall":{"id","name","args":{…}}}
//   {"functionResponse":{"id","name","response":{"output"|"error":"…"}}}
// A list of them, a single one, or a bare string in place of a text part.
//
// Lifetime: views point into the parser's buffers or into the reader's own, until clear().
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/input/text_pool.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript {

enum class GenaiKind : std::uint8_t { text, thought, call, response, media, other };

struct GenaiPart {
  GenaiKind kind = GenaiKind::other;
  // text, thought, response: the words. media: "[image]" or "[document]". other: its first key.
  std::string_view text;
  std::string_view id;  // call and response
  std::string_view name;
  std::size_t input = SIZE_MAX;  // of a call: see GenaiParts::input()
};

using GenaiPartList = std::vector<GenaiPart>;

// Reads lists of parts. Reuse one object: it keeps its memory.
class GenaiParts {
 public:
  void clear();

  // Appends the parts of `value` to `out`. False: malformed JSON.
  bool read(simdjson::ondemand::value value, GenaiPartList& out);
  // The arguments of a call that stands elsewhere; the index goes into GenaiPart::input.
  bool read_input(simdjson::ondemand::value value, std::size_t& index);
  // What a tool gave back: its output, else its error, else every string in it, one a line.
  bool read_response(simdjson::ondemand::value value, std::string_view& text);

  [[nodiscard]] const ToolInput& input(std::size_t index) const;
  // An empty text that lives until clear().
  std::string& take_text() { return texts_.take(); }

 private:
  bool read_part(simdjson::ondemand::value value, GenaiPartList& out);
  bool read_call(simdjson::ondemand::value value, GenaiPart& part);
  bool read_answer(simdjson::ondemand::value value, GenaiPart& part);
  bool read_media(simdjson::ondemand::value value, GenaiPart& part);

  std::deque<ToolInput> inputs_;
  std::size_t inputs_used_ = 0;
  TextPool texts_;
};

// The words of the parts of one kind, one below the other; `storage` is used when there are
// several.
std::string_view joined_parts(const GenaiPartList& parts, GenaiKind kind, std::string& storage);

// What the tools of both agents show of their arguments.
std::span<const ToolRule> genai_tool_rules();

}  // namespace yore::transcript
