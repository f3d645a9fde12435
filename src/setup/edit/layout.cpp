#include "setup/edit/layout.hpp"

#include <algorithm>

#include "text/utf8.hpp"

namespace yore::setup {

std::size_t mark_bytes(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

std::string_view line_end(std::string_view text) {
  const std::size_t at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? mark_bytes(text) : before + 1;
}

std::size_t line_stop(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  if (end == std::string_view::npos) return text.size();
  return end > at && text[end - 1] == '\r' ? end - 1 : end;
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::string_view indent_of(std::string_view text, std::size_t at) {
  const std::size_t begin = line_begin(text, at);
  std::size_t end = begin;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  return text.substr(begin, end - begin);
}

bool begins_line(std::string_view text, std::size_t at) {
  return line_begin(text, at) + indent_of(text, at).size() >= at;
}

std::size_t line_number(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

Status check_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const text::Char c = text::decode_at(text, at);
    if (c.is_stray() || c.code_point == 0) {
      return Error{Errc::corrupt,
                   "line " + std::to_string(line_number(text, at)) + " is not UTF-8 text"};
    }
    at += c.size_bytes;
  }
  return {};
}

}  // namespace yore::setup
