#include "cli/screen/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "text/utf8.hpp"

namespace yore::cli {
namespace {

const Style kPlain{false};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Table, AlignsColumnsByWhatIsSeen) {
  Table table({{"ID"}, {"N", true}, {"TITLE"}});
  table.add({"日本", "5", "wide"});
  table.add({"abcdef", "1,234", "narrow"});
  EXPECT_EQ(table.render(80, kPlain),
            "ID          N  TITLE\n"
            "日本        5  wide\n"
            "abcdef  1,234  narrow\n");
}

TEST(Table, CutsTheLastColumnAtTheEdge) {
  Table table({{"ID"}, {"TITLE"}});
  table.add({"abcd", "a long title that does not fit"});
  EXPECT_EQ(lines_of(table.render(20, kPlain))[1], "abcd  a long title…");
}

TEST(Table, LeavesOutColumnsThatANarrowScreenHasNoRoomFor) {
  Table table({{"ID"}, {"PROJECT", false, Paint::plain, 20, 50}, {"TITLE"}});
  table.add({"abcd", "shop", "title"});
  EXPECT_EQ(lines_of(table.render(49, kPlain))[1], "abcd  title");
  EXPECT_EQ(lines_of(table.render(50, kPlain))[1], "abcd  shop     title");
}

TEST(Table, NoLineIsWiderThanTheScreen) {
  Table table({{"IDENTIFIER"}, {"PROJECT"}, {"TITLE"}});
  table.add({"openclaw:1a2b3c4d5e6f", "プロジェクトの名前", "見出しはとても長いので切られる"});
  for (std::size_t width = 16; width < 100; ++width) {
    for (const std::string& line : lines_of(table.render(width, kPlain))) {
      EXPECT_LE(text::display_width(line), width) << line;
    }
  }
}

TEST(Table, MakesCellsSafe) {
  Table table({{"A"}, {"B"}});
  table.add({"x\x1b[31my\nz", "\x1b]0;title\x07 end"});
  EXPECT_EQ(lines_of(table.render(80, kPlain))[1], "xy z  end");
}

TEST(Table, PaintsWithoutMovingAnything) {
  Table table({{"A", false, Paint::cyan}, {"B"}});
  table.add({"x", "y"});
  EXPECT_EQ(lines_of(table.render(80, Style{true}))[1], "\x1b[36mx\x1b[0m  y");
}

}  // namespace
}  // namespace yore::cli
