#include "render/terminal_text.hpp"

#include <algorithm>

#include "render/code.hpp"
#include "render/local_time.hpp"
#include "render/painted_text.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::render {
namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::string_view kOutputIndent = "      ";

class TurnWriter {
 public:
  TurnWriter(const TerminalOptions& options, std::string_view assistant)
      : options_(options), style_(options.style), assistant_(assistant) {}

  std::string write(const Turn& turn) {
    std::string title = "turn " + std::to_string(turn.number);
    if (const std::string time = local_time(turn.time); !time.empty()) title += " · " + time;
    for (const std::string& mark : turn.marks) title += " · " + text::one_line(mark);
    out_ = style_(Paint::dim, "── " + title + " ──") + "\n";
    for (const Block& block : turn.blocks) write_block(block);
    return std::move(out_);
  }

 private:
  void write_block(const Block& block) {
    switch (block.kind) {
      case Block::Kind::prompt:
        gap(Last::words);
        label(Paint::cyan, "You");
        out_ += text::wrap(text::trim(text::for_terminal(block.text)), options_.columns, kIndent);
        out_ += '\n';
        return;
      case Block::Kind::answer:
        speak(Last::words);
        out_ += terminal_markdown(block.text, options_, kIndent);
        return;
      case Block::Kind::thinking:
        return write_folded("\u22ef thinking", block.text);
      case Block::Kind::note:
        return write_folded("\u22ef note", block.text);
      case Block::Kind::output:
        return write_folded("\u2022 output", block.text);
      case Block::Kind::tool:
        return write_tool(block);
      case Block::Kind::digest:
        speak(Last::tools);
        return line(Paint::dim, "\u2022 " + block.text);
    }
  }

  enum class Last : std::uint8_t { nothing, words, tools };

  // An empty line, but not between tools.
  void gap(Last next) {
    const bool together = last_ == Last::nothing || (last_ == Last::tools && next == Last::tools);
    if (!together) out_ += '\n';
    last_ = next;
  }
  void label(Paint paint, std::string_view who) {
    out_ += style_(paint, std::string(who) + ":") + "\n";
  }
  // What follows is the assistant's doing.
  void speak(Last next) {
    gap(next);
    if (!spoke_) label(Paint::green, assistant_);
    spoke_ = true;
  }
  void line(Paint paint, std::string_view text) {
    const std::size_t room =
        options_.columns > kIndent.size() ? options_.columns - kIndent.size() : 1;
    out_ += kIndent;
    out_ += style_(paint, text::fit(text, room)) + "\n";
  }

  void write_folded(std::string_view what, std::string_view raw) {
    speak(Last::tools);
    const std::string safe = text::for_terminal(raw);
    const std::string_view body = text::trim(safe);
    line(Paint::dim, std::string(what) + " (" + plural(count_lines(body), "line") + ")");
    write_lines(body, "");
  }

  void write_tool(const Block& block) {
    speak(Last::tools);
    const std::string output = text::for_terminal(block.text);
    const std::string diff = text::for_terminal(block.diff);
    std::string about;
    if (!diff.empty()) about = changed_lines(diff);
    if (const std::size_t lines = count_lines(output); lines > 0 && diff.empty()) {
      about = plural(lines, "line");
    }
    if (!about.empty()) about = "  (" + about + ")";
    const std::string name = text::one_line(block.name);
    const std::size_t taken = kIndent.size() + 2 + text::display_width(about);
    const std::size_t room = options_.columns > taken ? options_.columns - taken : 1;
    const std::string call = text::fit(name + " " + block.detail, room);
    const std::string_view shown_name = std::string_view(call).substr(0, name.size());
    out_ += kIndent;
    out_ += style_(Paint::dim, "\u2022 ");
    if (call.starts_with(name)) {
      out_ += std::string(shown_name) + style_(Paint::dim, call.substr(name.size()) + about);
    } else {
      out_ += style_(Paint::dim, call + about);
    }
    out_ += '\n';
    if (!diff.empty()) {
      write_lines(diff, "diff");
    }
    const bool both = options_.folded_lines == kUnfolded;
    if (diff.empty() || both) write_lines(output, "");
  }

  // The first lines, cut to the width, and how many more there are.
  void write_lines(std::string_view body, std::string_view language) {
    while (body.starts_with('\n')) body.remove_prefix(1);
    const std::size_t all = count_lines(body);
    const std::size_t shown = std::min(all, options_.folded_lines);
    if (shown == 0) return;
    const std::size_t room =
        options_.columns > kOutputIndent.size() ? options_.columns - kOutputIndent.size() : 1;
    std::string head;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string_view whole = body.substr(0, body.find('\n'));
      const bool fits = options_.folded_lines == kUnfolded ||
                        text::prefix_columns(whole, room).size() == whole.size();
      head += fits ? whole : std::string(text::prefix_columns(whole, room - 1)) + "\u2026";
      head += '\n';
      body.remove_prefix(std::min(whole.size() + 1, body.size()));
    }
    if (language.empty()) {
      for (std::size_t begin = 0; begin < head.size();) {
        const std::size_t end = head.find('\n', begin);
        if (end > begin) out_ += kOutputIndent;
        out_ += style_(Paint::dim, std::string_view(head).substr(begin, end - begin)) + "\n";
        begin = end + 1;
      }
    } else {
      out_ += terminal_code(head, language, style_, kOutputIndent);
    }
    if (shown == all) return;
    out_ += kOutputIndent;
    out_ += style_(Paint::dim, "\u2026 " + plural(all - shown, "more line")) + "\n";
  }

  const TerminalOptions& options_;
  const Style& style_;
  std::string_view assistant_;
  std::string out_;
  Last last_ = Last::nothing;
  bool spoke_ = false;
};

Paint paint_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::keyword:
      return Paint::magenta;
    case CodeKind::string:
    case CodeKind::added:
      return Paint::green;
    case CodeKind::number:
    case CodeKind::place:
      return Paint::cyan;
    case CodeKind::comment:
      return Paint::dim;
    case CodeKind::removed:
      return Paint::red;
  }
  return Paint::plain;
}

}  // namespace

std::string terminal_turn(const Turn& turn, std::string_view assistant,
                          const TerminalOptions& options) {
  return TurnWriter(options, assistant).write(turn);
}

std::string terminal_code(std::string_view code, std::string_view language, const Style& style,
                          std::string_view indent) {
  while (code.ends_with('\n')) code.remove_suffix(1);
  const std::vector<CodeSpan> spans =
      style.on() ? code_spans(language, code) : std::vector<CodeSpan>{};
  std::string out;
  std::size_t span = 0;
  for (std::size_t begin = 0; begin <= code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    if (end > begin) out += indent;
    while (begin < end) {
      while (span < spans.size() && spans[span].end <= begin) ++span;
      const bool inside = span < spans.size() && spans[span].begin <= begin;
      const std::size_t next = span == spans.size() ? end
                               : inside             ? std::min(spans[span].end, end)
                                                    : std::min(spans[span].begin, end);
      const Paint paint = inside ? paint_of(spans[span].kind) : Paint::plain;
      out += style(paint, code.substr(begin, next - begin));
      begin = next;
    }
    out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace yore::render
