#include "render/painted_text.hpp"

#include "text/display.hpp"

namespace yore::render {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n';
}

}  // namespace

std::string wrap_painted(std::string_view text, const std::vector<PaintedSpan>& spans, Paint base,
                         std::size_t columns, std::string_view indent, const Style& style) {
  const std::string wrapped = text::wrap(text, columns, indent);
  if (!style.on()) return wrapped;

  std::string out;
  std::string run;  // of one paint, on one line
  Paint run_paint = Paint::plain;
  std::string_view run_url;
  const auto flush = [&] {
    out += run.empty() ? "" : style.link(run_url, style(run_paint, run));
    run.clear();
  };
  // Wrapping only adds and removes white space, so the other bytes come in the order of `text`.
  std::size_t source = 0;
  std::size_t span = 0;
  bool at_line_start = true;
  for (const char c : wrapped) {
    if (c == '\n') {
      flush();
      out += c;
      at_line_start = true;
      continue;
    }
    if (c == ' ') {
      (at_line_start ? out : run) += c;
      continue;
    }
    while (source < text.size() && is_space(text[source])) ++source;
    while (span < spans.size() && spans[span].end <= source) ++span;
    const bool inside = span < spans.size() && spans[span].begin <= source;
    const Paint paint = inside ? spans[span].paint : base;
    const std::string_view url = inside ? spans[span].url : std::string_view{};
    if (paint != run_paint || url != run_url || at_line_start) {
      // Spaces before a new colour belong to what lies between.
      const std::size_t word_end = run.find_last_not_of(' ') + 1;  // npos + 1 is 0
      const std::string spaces = run.substr(word_end);
      run.resize(word_end);
      flush();
      out += spaces;
      run_paint = paint;
      run_url = url;
    }
    at_line_start = false;
    run += c;
    ++source;
  }
  flush();
  return out;
}

}  // namespace yore::render
