#include "cli/screen/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

namespace yore::cli {
namespace {

config::GetEnv environment(std::map<std::string, std::string, std::less<>> values) {
  return [values](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

std::size_t columns_with(const std::string& value) {
  const int fd = ::open("/dev/null", O_RDONLY);
  const Screen screen = screen_of(fd, environment({{"COLUMNS", value}}));
  ::close(fd);
  EXPECT_FALSE(screen.is_terminal);
  return screen.columns;
}

TEST(ScreenOf, BelievesColumnsOffATerminal) {
  EXPECT_EQ(columns_with("40"), 40U);
}

TEST(ScreenOf, FallsBackToEightyWhenColumnsMakesNoSense) {
  for (const char* value : {"0", "-3", "wide", "99999", "12x"}) {
    EXPECT_EQ(columns_with(value), 80U) << value;
  }
}

TEST(WantsColor, OnlyOnATerminalUnlessAsked) {
  const auto env = environment({{"TERM", "xterm"}});
  EXPECT_TRUE(wants_color(ColorMode::automatic, true, env));
  EXPECT_FALSE(wants_color(ColorMode::automatic, false, env));
  EXPECT_TRUE(wants_color(ColorMode::always, false, env));
  EXPECT_FALSE(wants_color(ColorMode::never, true, env));
}

TEST(WantsColor, NeverWithNoColor) {
  const auto env = environment({{"NO_COLOR", "1"}});
  EXPECT_FALSE(wants_color(ColorMode::automatic, true, env));
  EXPECT_FALSE(wants_color(ColorMode::always, true, env));
}

TEST(WantsColor, NotOnADumbTerminal) {
  EXPECT_FALSE(wants_color(ColorMode::automatic, true, environment({{"TERM", "dumb"}})));
}

TEST(Style, AddsNothingWhenColourIsOff) {
  EXPECT_EQ(Style(false)(Paint::cyan, "x"), "x");
  EXPECT_EQ(Style(true)(Paint::cyan, "x"), "\x1b[36mx\x1b[0m");
  EXPECT_EQ(Style(true)(Paint::cyan, ""), "");
}

}  // namespace
}  // namespace yore::cli
