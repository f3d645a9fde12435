// terminal_text.hpp — conversations, Markdown and code as people read them on a terminal, in
// columns that wide letters keep. Nothing of a transcript controls the terminal (text/display.hpp).
// Pure but for the time zone.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "render/conversation.hpp"
#include "render/paint.hpp"

namespace yore::render {

inline constexpr std::size_t kUnfolded = std::numeric_limits<std::size_t>::max();

struct TerminalOptions {
  Style style;
  std::size_t columns = 80;
  // So many lines are shown of what a tool printed or changed, of a thought and of a note; of the
  // rest it is said how much there is.
  std::size_t folded_lines = 0;
};

// "── turn 3 · 2026-02-10 08:19 ──", then its blocks; ends with a newline.
std::string terminal_turn(const Turn& turn, std::string_view assistant,
                          const TerminalOptions& options);

// Lines of at most `columns`, each behind `indent`; lines of code are as long as they are.
std::string terminal_markdown(std::string_view markdown, const TerminalOptions& options,
                              std::string_view indent);

// Each line behind `indent`, coloured as the language is known.
std::string terminal_code(std::string_view code, std::string_view language, const Style& style,
                          std::string_view indent);

}  // namespace yore::render
