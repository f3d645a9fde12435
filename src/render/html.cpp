#include "render/html.hpp"

#include <array>

#include "render/code.hpp"
#include "render/local_time.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::render {
namespace {

void append_escaped(std::string& out, std::string_view safe) {
  for (const char c : safe) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
}

std::string escaped(std::string_view safe) {
  std::string out;
  out.reserve(safe.size() + safe.size() / 16);
  append_escaped(out, safe);
  return out;
}

char class_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::keyword:
      return 'k';
    case CodeKind::string:
      return 's';
    case CodeKind::number:
      return 'n';
    case CodeKind::comment:
      return 'c';
    case CodeKind::added:
      return 'a';
    case CodeKind::removed:
      return 'r';
    case CodeKind::place:
      return 'p';
  }
  return 'c';
}

std::string time_tag(Time time) {
  const std::string local = local_time(time);
  if (local.empty()) return "";
  return "<time datetime=\"" + format_iso8601(time) + "\">" + local + "</time>";
}

std::string badges(const std::vector<std::string>& marks) {
  std::string out;
  for (const std::string& mark : marks) {
    out += " <span class=\"mark\">" + escaped(text::one_line(mark)) + "</span>";
  }
  return out;
}

std::string folded(std::string_view css_class, std::string_view summary, std::string_view body) {
  std::string out = "<details class=\"";
  out.append(css_class).append("\"><summary>").append(summary).append("</summary>");
  return out.append(body).append("</details>\n");
}

std::string lines_note(std::string_view text) {
  return " <small>" + plural(count_lines(text), "line") + "</small>";
}

std::string tool_html(const Block& block) {
  std::string line = "<b>" + html_escaped(text::one_line(block.name)) + "</b>";
  if (!block.detail.empty())
    line += " <code>" + html_escaped(text::one_line(block.detail)) + "</code>";
  const std::string output = text::for_terminal(block.text);
  const bool printed = !text::is_blank(output);
  if (block.diff.empty() && !printed) return "<p class=\"tool\">" + line + "</p>\n";
  std::string body;
  if (!block.diff.empty()) {
    body += "<pre class=\"diff\"><code>" + html_code(block.diff, "diff") + "</code></pre>";
  }
  if (!block.diff.empty()) line += " <small>" + changed_lines(block.diff) + "</small>";
  if (printed) {
    body += "<pre><code>" + escaped(output) + "</code></pre>";
    if (block.diff.empty()) line += lines_note(output);
  }
  return folded("tool", line, body);
}

std::string block_html(const Block& block) {
  switch (block.kind) {
    case Block::Kind::prompt:
      return "<div class=\"prompt\">" + html_escaped(text::trim(block.text)) + "</div>\n";
    case Block::Kind::answer: {
      const std::string_view kind = block.conclusion ? "answer conclusion" : "answer";
      return "<div class=\"" + std::string(kind) + "\">" + html_markdown(block.text) + "</div>\n";
    }
    case Block::Kind::thinking:
      return folded("thinking", "Thinking" + lines_note(block.text), html_markdown(block.text));
    case Block::Kind::note:
      return folded("note", "Note" + lines_note(block.text), html_markdown(block.text));
    case Block::Kind::output:
      return folded("tool", "Output" + lines_note(block.text),
                    "<pre><code>" + html_escaped(block.text) + "</code></pre>");
    case Block::Kind::tool:
      return tool_html(block);
    case Block::Kind::digest:
      return "<p class=\"tool\">" + html_escaped(text::one_line(block.text)) + "</p>\n";
  }
  return "";
}

}  // namespace

std::string html_escaped(std::string_view text) {
  return escaped(text::for_terminal(text));
}

std::string html_code(std::string_view code, std::string_view language) {
  const std::string safe = text::for_terminal(code);
  std::string out;
  std::size_t at = 0;
  for (const CodeSpan& span : code_spans(language, safe)) {
    append_escaped(out, std::string_view(safe).substr(at, span.begin - at));
    out += "<span class=\"";
    out += class_of(span.kind);
    out += "\">";
    append_escaped(out, std::string_view(safe).substr(span.begin, span.end - span.begin));
    out += "</span>";
    at = span.end;
  }
  append_escaped(out, std::string_view(safe).substr(at));
  return out;
}

std::string html_turn(const Turn& turn, std::string_view assistant) {
  const std::string number = std::to_string(turn.number);
  std::string out = "<article class=\"turn\" id=\"turn-" + number + "\">\n";
  out += "<h2><a href=\"#turn-" + number + "\">Turn " + number + "</a> " + time_tag(turn.time) +
         badges(turn.marks) + "</h2>\n";
  bool spoke = false;
  for (const Block& block : turn.blocks) {
    if (block.kind == Block::Kind::prompt) {
      out += "<p class=\"who you\">You</p>\n";
    } else if (!spoke) {
      out += "<p class=\"who\">" + html_escaped(text::one_line(assistant)) + "</p>\n";
      spoke = true;
    }
    out += block_html(block);
  }
  return out + "</article>\n";
}

std::string html_fragment(const Conversation& conversation) {
  const Heading& heading = conversation.heading;
  std::string out =
      "<header>\n<h1>" + html_escaped(text::one_line(heading.title)) + "</h1>\n<dl>\n";
  for (const auto& [name, value] : heading.facts) {
    const std::string shown = text::one_line(value);
    if (shown.empty()) continue;
    out += "<div><dt>" + escaped(name) + "</dt><dd>" + escaped(shown) + "</dd></div>\n";
  }
  out += "</dl>\n</header>\n";
  for (const Turn& turn : conversation.turns) out += html_turn(turn, heading.assistant);
  return out;
}

std::string html_document(std::string_view title, std::string_view fragment) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
  out += html_escaped(text::one_line(title));
  out += "</title>\n<style>\n";
  out += html_style();
  out += "</style>\n</head>\n<body>\n<main>\n";
  out += fragment;
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace yore::render
