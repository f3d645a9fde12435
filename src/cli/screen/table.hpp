// table.hpp — rows in aligned columns, fitted to a width. Cells come straight from transcripts:
// every cell is made safe and put on one line here. Widths are columns on screen, so that wide
// (CJK) letters line up too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/screen/terminal.hpp"

namespace yore::cli {

struct Column {
  std::string title;
  bool right = false;
  Paint paint = Paint::plain;
  std::size_t max_width = 1000;
  std::size_t drop_below = 0;  // not shown on screens narrower than this
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // REQUIRES: as many cells as there are columns.
  void add(std::vector<std::string> cells);
  // No line is wider than `width`; the last column takes what is left, the others give way from
  // the widest down.
  [[nodiscard]] std::string render(std::size_t width, const Style& style) const;

 private:
  [[nodiscard]] std::vector<std::size_t> shown_columns(std::size_t width) const;
  [[nodiscard]] std::vector<std::size_t> fitted_widths(const std::vector<std::size_t>& shown,
                                                       std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace yore::cli
