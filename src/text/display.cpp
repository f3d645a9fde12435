#include "text/display.hpp"

#include <algorithm>
#include <array>

#include "text/char_range.hpp"
#include "text/ellipsis.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

constexpr char kEscape = '\x1b';

// Characters that move, reorder or hide others without being seen. U+200C, U+200D and the
// variation selectors are missing on purpose: Persian, Indic scripts and emoji need them.
constexpr std::array kInvisible = {
    CharRange{0x061C, 0x061C},  // Arabic letter mark
    CharRange{0x180E, 0x180E},  // Mongolian vowel separator
    CharRange{0x200B, 0x200B},  // zero-width space
    CharRange{0x200E, 0x200F},  // left-to-right and right-to-left mark
    CharRange{0x202A, 0x202E},  // bidi embeddings and overrides
    CharRange{0x2060,
              0x206F},  // word joiner, invisible operators, bidi isolates, old format controls
    CharRange{0xFEFF, 0xFEFF},    // byte order mark
    CharRange{0xFFF9, 0xFFFB},    // interlinear annotation
    CharRange{0xE0000, 0xE007F},  // tags
};

bool is_invisible(char32_t c) {
  return any_contains(kInvisible, c);
}

constexpr bool is_plain_ascii(char c) {
  return c >= 0x20 && c < 0x7F;
}
constexpr bool is_c1(char32_t c) {
  return c >= 0x80 && c <= 0x9F;
}
constexpr bool is_between(char c, char first, char last) {
  return first <= c && c <= last;
}

std::size_t skip_between(std::string_view text, std::size_t at, char first, char last) {
  while (at < text.size() && is_between(text[at], first, last)) ++at;
  return at;
}

// The functions below get the byte after an introducer and answer where the sequence ends.

// CSI: parameters, intermediates, one final byte. A broken one ends before the byte that broke it.
std::size_t end_of_csi(std::string_view text, std::size_t at) {
  at = skip_between(text, at, '0', '?');
  at = skip_between(text, at, ' ', '/');
  return at < text.size() && is_between(text[at], '@', '~') ? at + 1 : at;
}

// OSC, DCS, SOS, PM, APC: anything up to ST (7- or 8-bit), CAN or SUB, for OSC also BEL. Any other
// control sequence on the way breaks the string, as in a terminal; then, as at the end of the
// text, only the introducer goes. Stopping there also keeps for_terminal() linear.
std::size_t end_of_string(std::string_view text, std::size_t begin, bool bell_ends) {
  for (std::size_t at = begin; at < text.size();) {
    const Char c = decode_at(text, at);
    const std::size_t next = at + c.size_bytes;
    if (c.code_point == 0x18 || c.code_point == 0x1A || c.code_point == 0x9C) return next;
    if (c.code_point == 0x07 && bell_ends) return next;
    if (c.code_point == static_cast<char32_t>(kEscape)) {
      return next < text.size() && text[next] == '\\' ? next + 1 : begin;
    }
    if (is_c1(c.code_point)) return begin;
    at = next;
  }
  return begin;
}

// A C1 control by its 7-bit name: ESC '[' and U+009B are the same.
std::size_t end_of_c1(std::string_view text, std::size_t at, char name) {
  switch (name) {
    case '[':
      return end_of_csi(text, at);
    case ']':
      return end_of_string(text, at, true);
    case 'P':
    case 'X':
    case '^':
    case '_':
      return end_of_string(text, at, false);
    default:
      return at;
  }
}

// After ESC: a C1 control by its 7-bit name, or intermediates and a final byte ("ESC ( B").
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  if (at < text.size() && is_between(text[at], '@', '_')) return end_of_c1(text, at + 1, text[at]);
  at = skip_between(text, at, ' ', '/');
  return at < text.size() && is_between(text[at], '0', '~') ? at + 1 : at;
}

// Length in bytes of the first row of `line`, which is wider than `columns`: up to the last space
// that fits (spaces before the first word are indentation, no place to break), else what fits.
std::size_t row_length(std::string_view line, std::size_t columns) {
  const std::size_t fitting =
      std::max(prefix_columns(line, columns).size(), decode_at(line, 0).size_bytes);
  if (fitting == line.size() || line[fitting] == ' ') return fitting;
  const std::size_t word = line.find_first_not_of(' ');
  const std::size_t space = line.rfind(' ', fitting - 1);
  return space != std::string_view::npos && word != std::string_view::npos && space > word
             ? space
             : fitting;
}

std::string_view without_trailing_spaces(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);  // npos + 1 is 0
}

void append_row(std::string& out, std::string_view indent, std::string_view row) {
  row = without_trailing_spaces(row);
  out += row.empty() ? without_trailing_spaces(indent) : indent;
  out += row;
}

void append_wrapped_line(std::string& out, std::string_view line, std::size_t columns,
                         std::string_view indent) {
  line = without_trailing_spaces(line);
  while (prefix_columns(line, columns).size() < line.size()) {
    const std::size_t length = row_length(line, columns);
    append_row(out, indent, line.substr(0, length));
    line.remove_prefix(std::min(line.find_first_not_of(' ', length), line.size()));
    if (line.empty()) return;
    out += '\n';
  }
  append_row(out, indent, line);
}

}  // namespace

std::string for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t run = at;
    while (at < text.size() && is_plain_ascii(text[at])) ++at;
    out.append(text, run, at - run);
    if (at == text.size()) break;

    const Char c = decode_at(text, at);
    const std::string_view bytes = text.substr(at, c.size_bytes);
    at += c.size_bytes;
    if (c.is_stray()) {
      out += kReplacementText;
    } else if (c.code_point == static_cast<char32_t>(kEscape)) {
      at = end_of_escape(text, at);
    } else if (is_c1(c.code_point)) {
      at = end_of_c1(text, at, static_cast<char>(c.code_point - 0x40));
    } else if (c.code_point == '\n' || c.code_point == 0x2028 || c.code_point == 0x2029) {
      out += '\n';
    } else if (c.code_point == '\t') {
      out += "  ";
    } else if (c.code_point >= 0x80 && !is_invisible(c.code_point)) {
      out += bytes;
    }  // else: a control or an invisible character, dropped
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  bool pending_space = false;
  for (const char c : for_terminal(text)) {
    if (c == ' ' || c == '\n') {
      pending_space = !out.empty();
      continue;
    }
    if (pending_space) out += ' ';
    pending_space = false;
    out += c;
  }
  return out;
}

std::string fit(std::string_view text, std::size_t columns) {
  std::string line = one_line(text);
  if (prefix_columns(line, columns).size() == line.size()) return line;
  if (columns == 0) return {};
  std::string out{without_trailing_spaces(prefix_columns(line, columns - 1))};
  out += kEllipsis;
  return out;
}

std::string wrap(std::string_view text, std::size_t columns, std::string_view indent) {
  const std::size_t indent_columns = display_width(indent);
  const std::size_t room = columns > indent_columns ? columns - indent_columns : 1;
  std::string out;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    append_wrapped_line(out, text.substr(0, newline), room, indent);
    if (newline == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(newline + 1);
  }
  return out;
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace yore::text
