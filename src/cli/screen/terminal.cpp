#include "cli/screen/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <optional>

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

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::bold:
      return "1";
    case Paint::dim:
      return "2";
    case Paint::cyan:
      return "36";
    case Paint::green:
      return "32";
    case Paint::yellow:
      return "33";
    case Paint::red:
      return "31";
    case Paint::bold_cyan:
      return "1;36";
    case Paint::bold_yellow:
      return "1;33";
  }
  return "";
}

}  // namespace

Screen screen_of(int fd, const config::GetEnv& env) {
  Screen screen{::isatty(fd) == 1, kDefaultColumns};
  winsize size{};
  if (screen.is_terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    screen.columns = size.ws_col;
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

std::string Style::operator()(Paint paint, std::string_view text) const {
  if (!on_ || paint == Paint::plain || text.empty()) return std::string(text);
  std::string painted = "\x1b[";
  painted.append(code_of(paint)).append("m").append(text).append("\x1b[0m");
  return painted;
}

}  // namespace yore::cli
