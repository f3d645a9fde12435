// arguments.hpp — the arguments of a tool call, read with checks that a model can act on.
//
// Read everything, then look at error() once: the first problem is kept, as a sentence, and later
// reads give their fallback. Lenient where models are sloppy and the meaning is plain: "10" and
// 10.0 are 10, "true" is true, a lone text is a list of one, null is absent. Names that the tool
// does not know are refused: a filter that was silently ignored would look like an answer.
//
//   Arguments args(call.arguments, {"query", "limit"});
//   const std::string query = args.required_text("query");
//   const auto limit = args.integer("limit", {1, 100}, 10);
//   if (args.error()) return tool_error(*args.error());
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/protocol/json.hpp"

namespace yore::mcp {

// A value as a sentence names it: short, and on one line.
std::string shown(const Json& value);

struct Range {
  std::int64_t least;
  std::int64_t most;
};

class Arguments {
 public:
  static constexpr std::size_t kMaxTextChars = 10'000;

  // `known` lists every name the tool takes. Keeps a reference to `object`.
  Arguments(const Json& object, std::initializer_list<std::string_view> known);

  // Not blank.
  std::string required_text(std::string_view name, std::size_t max_chars = kMaxTextChars);
  std::int64_t required_integer(std::string_view name, Range range);

  // Blank counts as absent.
  std::optional<std::string> text(std::string_view name, std::size_t max_chars = kMaxTextChars);
  std::int64_t integer(std::string_view name, Range range, std::int64_t fallback);
  std::optional<std::int64_t> optional_integer(std::string_view name, Range range);
  // As integer(), but more than the range holds is taken as its most; `reduced` tells.
  struct AtMost {
    std::int64_t value;
    bool reduced;
  };
  AtMost at_most(std::string_view name, Range range, std::int64_t fallback);
  bool flag(std::string_view name, bool fallback);
  // A text or a list of texts; absent is empty.
  std::vector<std::string> texts(std::string_view name);
  // One of `choices`, whatever its case.
  std::optional<std::string> choice(std::string_view name,
                                    std::span<const std::string_view> choices);
  // Some of `choices`: a list, or one text with commas. In the order given.
  std::vector<std::string> choices(std::string_view name,
                                   std::span<const std::string_view> choices);

  // Keeps `sentence` unless there is a problem already; for checks of the tool's own.
  void refuse(std::string sentence);
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }

 private:
  const Json* given(std::string_view name) const;  // nullptr when absent or null
  const Json* required(std::string_view name);
  void refuse_value(std::string_view name, std::string_view wanted, const Json& value);
  std::string checked_text(std::string_view name, const Json& value, std::size_t max_chars);
  std::string checked_choice(std::string_view name, std::string_view word,
                             std::span<const std::string_view> choices);

  const Json& object_;
  std::optional<std::string> error_;
};

}  // namespace yore::mcp
