// terminal.hpp — what is known of the two output streams, and the few styles used on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "config/roots.hpp"

namespace yore::cli {

struct Screen {
  bool is_terminal = false;
  std::size_t columns = 80;
};

// Width of the terminal behind `fd`, else $COLUMNS, else 80; never 0 and never absurdly large.
Screen screen_of(int fd, const config::GetEnv& env);

enum class ColorMode { automatic, always, never };

// NO_COLOR wins over everything; "automatic" means: on a terminal that is not dumb.
bool wants_color(ColorMode mode, bool is_terminal, const config::GetEnv& env);

enum class Paint { plain, bold, dim, cyan, green, yellow, red, bold_cyan, bold_yellow };

// Wraps text in escape codes when colour is on. The text itself must already be safe.
class Style {
 public:
  explicit Style(bool on = false) : on_(on) {}
  [[nodiscard]] std::string operator()(Paint paint, std::string_view text) const;
  [[nodiscard]] bool on() const { return on_; }

 private:
  bool on_;
};

}  // namespace yore::cli
