// prompt.hpp — what of a user message a person has typed. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace yore::transcript::gemini {

enum class TypedKind : std::uint8_t {
  nothing,   // empty, or text that the program puts in: environment, hooks, editor state
  prompt,    // typed
  command,   // "/name args", or "?"
  snapshot,  // what is left of the conversation after its compression
};
TypedKind typed_kind(std::string_view text);

// The program's own text in place of a person's.
bool is_injected(std::string_view text);

// A prompt that names files with @ goes on with their contents.
struct Typed {
  std::string_view text;
  std::string_view files;
};
Typed split_files(std::string_view text);

}  // namespace yore::transcript::gemini
