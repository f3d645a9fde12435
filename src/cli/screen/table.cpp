#include "cli/screen/table.hpp"

#include <algorithm>
#include <cassert>

#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastLast = 12;  // the last column is worth showing from here on
constexpr std::size_t kLeastOther = 4;

std::string padded(std::string_view text, std::size_t width, bool right, bool last,
                   const Style& style, Paint paint) {
  const std::size_t taken = text::display_width(text);
  const std::string space(taken < width ? width - taken : 0, ' ');
  const std::string painted = style(paint, text);
  if (right) return space + painted;
  return last ? painted : painted + space;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = text::one_line(cell);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::shown_columns(std::size_t width) const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (width >= columns_[i].drop_below) shown.push_back(i);
  }
  return shown;
}

std::vector<std::size_t> Table::fitted_widths(const std::vector<std::size_t>& shown,
                                              std::size_t width) const {
  std::vector<std::size_t> widths;
  for (const std::size_t column : shown) {
    std::size_t widest = text::display_width(columns_[column].title);
    for (const auto& row : rows_) widest = std::max(widest, text::display_width(row[column]));
    widths.push_back(std::min(widest, columns_[column].max_width));
  }
  if (widths.empty()) return widths;
  std::size_t others = kGap * (widths.size() - 1);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) others += widths[i];
  const std::size_t wanted = std::min(widths.back(), kLeastLast);
  while (others + wanted > width && widths.size() > 1) {
    const auto widest = std::max_element(widths.begin(), widths.end() - 1);
    if (*widest <= kLeastOther) break;
    --*widest;
    --others;
  }
  widths.back() = std::min(widths.back(), width > others ? width - others : 1);
  return widths;
}

std::string Table::render(std::size_t width, const Style& style) const {
  const std::vector<std::size_t> shown = shown_columns(width);
  const std::vector<std::size_t> widths = fitted_widths(shown, width);
  std::string out;
  const auto add_line = [&](auto&& cell, auto&& paint) {
    std::string line;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const Column& column = columns_[shown[i]];
      const bool last = i + 1 == shown.size();
      line += padded(text::fit(cell(shown[i]), widths[i]), widths[i], column.right, last, style,
                     paint(column));
      if (!last) line.append(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add_line([&](std::size_t i) -> const std::string& { return columns_[i].title; },
           [](const Column&) { return Paint::dim; });
  for (const auto& row : rows_) {
    add_line([&](std::size_t i) -> const std::string& { return row[i]; },
             [](const Column& column) { return column.paint; });
  }
  return out;
}

}  // namespace yore::cli
