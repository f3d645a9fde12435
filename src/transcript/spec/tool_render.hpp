// tool_render.hpp — builds the two texts of a tool call: the compact JSON object shown to people
// and agents, and the lines that are searched. Shared by all adapters.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <forward_list>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yore::transcript {

// Longest command in a rendering, in characters.
inline constexpr std::size_t kCommandChars = 200;
// All of one call's input that is searched, in bytes; the rest is dropped.
inline constexpr std::size_t kInputBytes = 16 << 10;

// {"tool":"Read","file":"/x"}: keys in the order they are added.
class Rendering {
 public:
  explicit Rendering(std::string& out, std::string_view tool);  // clears `out`
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, std::uint64_t value);
  void finish();

 private:
  std::string& out_;
};

// Appends `text` as the inside of a JSON string: valid JSON and UTF-8 whatever `text` holds.
// Control characters become \n, \r, \t or \u00XX, bytes that are not valid UTF-8 become U+FFFD.
void append_json_escaped(std::string& out, std::string_view text);

// The strings of a tool call's input: by name for the rendering, together for the search.
// Views live as long as the parser's buffers, and until the next read() or clear(). Reuse one
// object for many calls: it keeps its memory.
class ToolInput {
 public:
  void clear();
  // Reads the input: an object, or anything else (then only searched). A command given as an array
  // of words counts as one string, as do the strings of any other list ("a; b"); those of the
  // objects in a list are named "files.path", of which the first counts. False: malformed JSON, or
  // a string the parser cannot decode.
  bool read(simdjson::ondemand::value value);
  // One more argument; the views have to live as long as this.
  void add(std::string_view key, std::string_view text);
  // The value of the first of these keys that is there, else "".
  [[nodiscard]] std::string_view get(std::initializer_list<std::string_view> keys) const;
  using Named = std::vector<std::pair<std::string_view, std::string_view>>;
  // All strings by name, in their order: of the input itself, and of the object `arguments` in it,
  // which is where tools that call other tools keep what is for them.
  [[nodiscard]] const Named& strings() const { return strings_; }
  [[nodiscard]] const Named& inner_strings() const { return inner_strings_; }
  // Every string in it (nested ones to a depth of 4), one a line, up to kInputBytes.
  [[nodiscard]] const std::string& search_text() const { return search_text_; }

 private:
  bool read_field(std::string_view key, simdjson::ondemand::value value);
  bool read_inner(simdjson::ondemand::value value);
  bool read_list(std::string_view key, simdjson::ondemand::value value);
  bool read_item(std::string_view key, simdjson::ondemand::value value);
  bool collect(simdjson::ondemand::value value, int depth);
  void add_search_line(std::string_view line);

  Named strings_;
  Named inner_strings_;
  std::forward_list<std::string> joined_;  // views point into it: elements must never move
  std::string search_text_;
};

}  // namespace yore::transcript
