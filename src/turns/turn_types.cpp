#include "turns/turn_types.hpp"

#include <array>
#include <cstddef>

namespace yore::turns {

std::string_view surface_name(Surface surface) {
  static constexpr std::array<std::string_view, kSurfaces> kNames = {
      "user_prompt", "assistant_text", "tool",  "thinking", "calls",
      "own",         "note",           "title", "synopsis"};
  return kNames[static_cast<std::size_t>(surface)];
}

}  // namespace yore::turns
