#include "cli/screen/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace yore::cli {
namespace {

constexpr std::size_t kDefaultColumns = 80;
constexpr std::size_t kMaxColumns = 1000;

std::optional<std::size_t> parse_columns(std::string_view text) {
  std::size_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value == 0 || value > kMaxColumns) return std::nullopt;
  return value;
}

// A variable that says which terminal it is; `begins`: only with such a value. All of these follow
// links.
struct LinkingTerminal {
  const char* variable;
  std::string_view begins;
};
constexpr std::array kLinking = {
    LinkingTerminal{"TERM_PROGRAM", "iTerm"},
    LinkingTerminal{"TERM_PROGRAM", "WezTerm"},
    LinkingTerminal{"TERM_PROGRAM", "vscode"},
    LinkingTerminal{"TERM_PROGRAM", "ghostty"},
    LinkingTerminal{"TERM_PROGRAM", "Hyper"},
    LinkingTerminal{"TERM", "xterm-kitty"},
    LinkingTerminal{"TERM", "alacritty"},
    LinkingTerminal{"TERM", "foot"},
    LinkingTerminal{"TERM", "xterm-ghostty"},
    LinkingTerminal{"KITTY_WINDOW_ID", ""},
    LinkingTerminal{"WT_SESSION", ""},
    LinkingTerminal{"KONSOLE_VERSION", ""},
    LinkingTerminal{"DOMTERM", ""},
};

}  // namespace

Screen screen_of(int fd, const config::GetEnv& env) {
  Screen screen{::isatty(fd) == 1, kDefaultColumns, 0};
  winsize size{};
  if (screen.is_terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    screen.columns = size.ws_col;
    screen.rows = size.ws_row;
    return screen;
  }
  screen.columns = parse_columns(env("COLUMNS").value_or("")).value_or(kDefaultColumns);
  return screen;
}

bool wants_color(ColorMode mode, bool is_terminal, const config::GetEnv& env) {
  if (mode == ColorMode::never || env("NO_COLOR")) return false;
  if (mode == ColorMode::always) return true;
  return is_terminal && env("TERM").value_or("") != "dumb";
}

bool wants_links(bool is_terminal, const config::GetEnv& env) {
  if (const auto forced = env("FORCE_HYPERLINK")) return *forced != "0";
  if (!is_terminal || env("TERM").value_or("") == "dumb") return false;
  // VTE (GNOME and its kin) from 0.50 on.
  const std::string vte = env("VTE_VERSION").value_or("");
  if (vte.size() >= 4 && parse_columns(vte.substr(0, 2)).value_or(0) >= 50) return true;
  return std::ranges::any_of(kLinking, [&](const LinkingTerminal& known) {
    const auto value = env(known.variable);
    return value && !value->empty() && value->starts_with(known.begins);
  });
}

}  // namespace yore::cli
