#include "case_file.hpp"

#include <charconv>
#include <cstdint>

namespace yore::cases {
namespace {

constexpr std::string_view kFile = "== file ";
constexpr std::string_view kAppend = "== append ";
constexpr std::string_view kExpect = "== expect";
constexpr std::string_view kNoNewline = " (no newline)";
constexpr std::string_view kSql = " (sql)";

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::uint32_t number(std::string_view text, int base) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

// What stands between the double braces.
std::string expand_one(std::string_view placeholder, std::string_view root) {
  std::string out;
  if (placeholder == "root") return std::string(root);
  if (placeholder.starts_with("hex:")) {
    for (std::size_t i = 4; i + 1 < placeholder.size(); i += 2) {
      out += static_cast<char>(number(placeholder.substr(i, 2), 16));
    }
    return out;
  }
  if (placeholder.starts_with("repeat:")) {
    const std::string_view rest = placeholder.substr(7);
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return out;
    const std::uint32_t times = number(rest.substr(0, colon), 10);
    for (std::uint32_t i = 0; i < times; ++i) out += rest.substr(colon + 1);
    return out;
  }
  return "{{" + std::string(placeholder) + "}}";
}

}  // namespace

CaseFile parse_case(std::string_view text) {
  CaseFile result;
  bool no_newline = false;
  const auto finish_part = [&] {
    if (result.parts.empty() || !no_newline) return;
    std::string& body = result.parts.back().body;
    if (body.ends_with('\n')) body.pop_back();
  };
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const bool file = line.starts_with(kFile);
    if (line == kExpect) break;
    if (file || line.starts_with(kAppend)) {
      finish_part();
      std::string_view name = line.substr(file ? kFile.size() : kAppend.size());
      no_newline = name.ends_with(kNoNewline);
      if (no_newline) name.remove_suffix(kNoNewline.size());
      const bool sql = name.ends_with(kSql);
      if (sql) name.remove_suffix(kSql.size());
      result.parts.push_back({std::string(name), "", !file, sql});
    } else if (!result.parts.empty()) {
      result.parts.back().body.append(line).append("\n");
    }
  }
  finish_part();
  result.head = text.substr(0, text.size() - rest.size());
  if (!result.head.ends_with("\n")) result.head += '\n';
  if (!result.head.ends_with("== expect\n")) result.head += "== expect\n";
  result.expected = rest;
  return result;
}

std::string expand_placeholders(std::string_view body, std::string_view root) {
  std::string out;
  while (true) {
    const std::size_t open = body.find("{{");
    out += body.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = body.find("}}", open + 2);
    const std::string_view inside =
        close == std::string_view::npos ? "" : body.substr(open + 2, close - open - 2);
    const bool ours =
        inside == "root" || inside.starts_with("hex:") || inside.starts_with("repeat:");
    if (!ours) {  // JSON may hold double braces of its own
      out += "{";
      body.remove_prefix(open + 1);
      continue;
    }
    out += expand_one(inside, root);
    body.remove_prefix(close + 2);
  }
}

}  // namespace yore::cases
