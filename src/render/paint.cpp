#include "render/paint.hpp"

#include "base/ascii.hpp"

namespace yore::render {
namespace {

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
    case Paint::italic:
      return "3";
    case Paint::underline:
      return "4";
    case Paint::strike:
      return "9";
    case Paint::magenta:
      return "35";
    case Paint::blue:
      return "34";
  }
  return "";
}

}  // namespace

std::string Style::operator()(Paint paint, std::string_view text) const {
  if (!on_ || paint == Paint::plain || text.empty()) return std::string(text);
  std::string painted = "\x1b[";
  painted.append(code_of(paint)).append("m").append(text).append("\x1b[0m");
  return painted;
}

std::string Style::link(std::string_view url, std::string_view text) const {
  if (!links_ || url.empty()) return std::string(text);
  std::string linked = "\x1b]8;;";
  linked.append(url).append("\x1b\\").append(text).append("\x1b]8;;\x1b\\");
  return linked;
}

std::string file_url(std::string_view path) {
  if (!path.starts_with('/')) return "";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url = "file://";
  for (const char c : path) {
    const bool safe = ascii::is_alnum(c) || std::string_view("/-._~").find(c) != std::string::npos;
    if (safe) {
      url += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    url += '%';
    url += kDigits[byte >> 4];
    url += kDigits[byte & 0x0F];
  }
  return url;
}

}  // namespace yore::render
