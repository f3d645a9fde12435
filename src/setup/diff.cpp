#include "setup/diff.hpp"

#include <algorithm>

#include "setup/edit/layout.hpp"
#include "text/utf8.hpp"

namespace yore::setup {
namespace {

constexpr std::size_t kLongLine = 200;

std::string marked_lines(std::string_view text, char mark) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out += mark;
    out += line.size() > kLongLine ? std::string(text::prefix_bytes(line, kLongLine)) + "…"
                                   : std::string(line);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string diff_text(std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t same = 0;
  while (same < most && before[same] == after[same]) ++same;
  std::size_t tail = 0;
  while (tail < most - same && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::size_t begin = line_begin(after, same);
  std::size_t before_end = before.size() - tail;
  std::size_t after_end = after.size() - tail;
  // Whole lines, unless they are so long that nothing would be seen of the change.
  const std::size_t line_tail = std::min(after.find('\n', after_end), after.size()) - after_end;
  const bool is_long = same - begin + line_tail > kLongLine;
  std::string out = "@@ line " + std::to_string(line_number(after, same)) + " @@\n";
  if (is_long) {
    begin = same;
    while (begin > 0 && (static_cast<unsigned char>(after[begin]) & 0xC0) == 0x80) --begin;
  } else {
    const bool ends_line = after_end > 0 && after[after_end - 1] == '\n';
    if (!ends_line || (before_end > begin && before[before_end - 1] != '\n')) {
      before_end = std::min(before_end + line_tail + 1, before.size());
      after_end = std::min(after_end + line_tail + 1, after.size());
    }
  }
  return out + marked_lines(before.substr(begin, before_end - begin), '-') +
         marked_lines(after.substr(begin, after_end - begin), '+');
}

}  // namespace yore::setup
