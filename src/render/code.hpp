// code.hpp — which pieces of code are keywords, strings, comments: enough to read it by, for any
// language, told by tables. Pure; O(n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yore::render {

enum class CodeKind : std::uint8_t { keyword, string, number, comment, added, removed, place };

struct CodeSpan {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  CodeKind kind = CodeKind::keyword;
};

// In order, none touching another; none for a language that is not known. `language` as behind a
// fence, whatever its case.
std::vector<CodeSpan> code_spans(std::string_view language, std::string_view text);

// What a diff adds and takes away: "+3 −1" lines.
std::string changed_lines(std::string_view diff);

// The language of a file by its ending; "" when it tells nothing.
std::string_view language_of_path(std::string_view path);

}  // namespace yore::render
