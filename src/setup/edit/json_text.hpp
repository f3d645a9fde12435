// json_text.hpp — reads JSON, JSON with comments and JSON5, and remembers where things stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "setup/edit/entry.hpp"

namespace yore::setup {

struct JsonMember;

struct JsonNode {
  enum class Kind : std::uint8_t { none, object, array, string, number, word };
  Kind kind = Kind::none;  // none: the text holds nothing but white space and comments
  std::size_t begin = 0;   // of its text
  std::size_t end = 0;
  // Of an object or an array (whose items have no key) that is not nested deeper than kDepthKept;
  // what lies deeper is only checked.
  std::vector<JsonMember> members;
};

struct JsonMember {
  std::string key;
  std::size_t begin = 0;  // of the key's text; of an item of an array: of its value
  JsonNode value;
  std::size_t comma = std::string_view::npos;  // the one that follows it
};

inline constexpr std::size_t kDepthKept = 8;

// The whole text. corrupt: not valid; names the line.
Result<JsonNode> parse_json_text(std::string_view text, Format format);
// The node as a value. REQUIRES: nothing in it is deeper than what is kept (deeper: null).
Json to_value(std::string_view text, const JsonNode& node);
// Behind white space and comments that begin at `at`, but not beyond the end of its line.
std::size_t skip_remarks_on_line(std::string_view text, std::size_t at, Format format);

}  // namespace yore::setup
