// anthropic.hpp — the content of one message: a string, or a list of blocks.
//
// Lifetime: views point into the parser's buffers or into the reader's own, until start().
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/input/text_pool.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript::claude_code {

enum class MessagePartKind : std::uint8_t {
  text,
  thinking,
  call,
  result,
  image,
  document,
  ignored,
  unknown,  // `name` holds the type
};

// One block. A plain string is one part of kind text.
struct MessagePart {
  MessagePartKind kind = MessagePartKind::text;
  std::string_view text;
  std::string_view id;
  std::string_view name;
  std::string_view rendering;
  std::string_view file;
  std::string_view removed;  // likewise: see Block
  std::string_view added;
};

enum class Shape : std::uint8_t { absent, good, wrong };

struct Content {
  Shape shape = Shape::absent;
  std::vector<MessagePart> parts;
};

// The functions return false for malformed JSON only.
class ContentReader {
 public:
  void start();
  TextPool& texts() { return texts_; }

  // A string, or a list of blocks and strings.
  bool read_content(simdjson::ondemand::value json, Content& content);
  // A tool's output: a string, or a list of texts, pictures and references to tools.
  bool read_output(simdjson::ondemand::value json, std::string_view& text);
  // A tool's input; finish_call() then makes rendering, text and file of it.
  bool read_input(simdjson::ondemand::value json);
  void finish_call(MessagePart& part);

 private:
  bool read_part(simdjson::ondemand::value json, MessagePart& part);

  TextPool texts_;
  ToolInput input_;
  bool has_input_ = false;
};

}  // namespace yore::transcript::claude_code
