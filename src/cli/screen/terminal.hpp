// terminal.hpp — what is known of the two output streams.
#pragma once

#include <cstddef>

#include "config/roots.hpp"
#include "render/paint.hpp"

namespace yore::cli {

struct Screen {
  bool is_terminal = false;
  std::size_t columns = 80;
  std::size_t rows = 0;  // 0: unknown
};

// Width of the terminal behind `fd`, else $COLUMNS, else 80; never 0 and never absurdly large.
Screen screen_of(int fd, const config::GetEnv& env);

enum class ColorMode { automatic, always, never };

// NO_COLOR wins over everything; "automatic" means: on a terminal that is not dumb.
bool wants_color(ColorMode mode, bool is_terminal, const config::GetEnv& env);

// Can the terminal follow links in a text (OSC 8)? As far as its environment tells; NO_COLOR does
// not matter, FORCE_HYPERLINK=0 or 1 decides.
bool wants_links(bool is_terminal, const config::GetEnv& env);

using render::Paint;
using render::Style;

}  // namespace yore::cli
