// Markdown on a terminal; for terminal_text.hpp.
#include <algorithm>
#include <deque>
#include <vector>

#include "render/markdown.hpp"
#include "render/painted_text.hpp"
#include "render/terminal_text.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::render {
namespace {

class TerminalSink final : public MarkdownSink {
 public:
  TerminalSink(const TerminalOptions& options, std::string_view indent)
      : options_(options), style_(options.style), indent_(indent) {}

  std::string take() {
    flush();
    return std::move(out_);
  }

  void enter(Element element, const Attributes& attributes) override {
    switch (element) {
      case Element::paragraph:
        return flush();
      case Element::heading:
        flush();
        base_ = attributes.level <= 2 ? Paint::bold_cyan : Paint::bold;
        if (!style_.on()) line_ = std::string(attributes.level, '#') + " ";
        return;
      case Element::quote:
        flush();
        return containers_.push_back({"\u2502 ", "\u2502 "});
      case Element::list:
        flush();
        // A list in an item stands right below its words.
        if (lists_.empty() || !attributes.tight) pause();
        return lists_.push_back({attributes.numbered, attributes.start, attributes.tight});
      case Element::item:
        return enter_item(attributes);
      case Element::code_block:
        flush();
        language_ = attributes.language;
        in_code_ = true;
        return;
      case Element::rule:
        flush();
        return add_block(style_(Paint::dim, "\u2500\u2500\u2500"), true);
      case Element::table:
        flush();
        rows_.clear();
        right_.assign(attributes.columns, false);
        in_table_ = true;
        return;
      case Element::row:
        return rows_.emplace_back().clear();
      case Element::cell:
        line_.clear();
        if (attributes.right && rows_.back().size() < right_.size()) {
          right_[rows_.back().size()] = true;
        }
        return;
      case Element::strong:
        return paints_.push_back({Paint::bold, {}});
      case Element::emphasis:
        return paints_.push_back({Paint::italic, {}});
      case Element::strike:
        if (!style_.on()) put("~~");
        return paints_.push_back({Paint::strike, {}});
      case Element::code:
        if (!style_.on()) put("`");
        return paints_.push_back({Paint::yellow, {}});
      case Element::link:
        links_.push_back({std::string(attributes.target), line_.size()});
        return paints_.push_back({Paint::underline, keep(attributes.url)});
    }
  }

  void leave(Element element) override {
    switch (element) {
      case Element::paragraph:
      case Element::heading:
        return flush();
      case Element::quote:
        flush();
        containers_.pop_back();
        return;
      case Element::list:
        flush();
        lists_.pop_back();
        if (lists_.empty()) pause();
        return;
      case Element::item:
        flush();
        // An item without words is still an item.
        if (!containers_.empty() && !containers_.back().first.empty()) add_block("", false);
        containers_.pop_back();
        return;
      case Element::code_block:
        return leave_code();
      case Element::table:
        in_table_ = false;
        return draw_table();
      case Element::cell:
        rows_.back().push_back(text::one_line(line_));
        forget_line();
        return;
      case Element::strong:
      case Element::emphasis:
        return paints_.pop_back();
      case Element::strike:
        paints_.pop_back();
        if (!style_.on()) put("~~");
        return;
      case Element::code:
        paints_.pop_back();
        if (!style_.on()) put("`");
        return;
      case Element::link:
        return leave_link();
      case Element::rule:
      case Element::row:
        return;
    }
  }

  void text(std::string_view text) override { put(text); }
  void line_break() override { put(in_table_ ? " " : "\n"); }

 private:
  struct Container {
    std::string first;  // before its first line; "" from then on
    std::string rest;
  };
  struct List {
    bool numbered = false;
    unsigned next = 1;
    bool tight = true;
  };
  struct Brush {
    Paint paint;
    std::string_view url;
  };
  struct Link {
    std::string target;
    std::size_t begin;
  };

  void enter_item(const Attributes& attributes) {
    flush();
    if (!lists_.empty() && !lists_.back().tight) pause();
    std::string marker = "\u2022 ";
    if (!lists_.empty() && lists_.back().numbered) {
      marker = std::to_string(lists_.back().next++) + ". ";
    }
    if (attributes.task) marker = attributes.done ? "[x] " : "[ ] ";
    std::string rest(text::display_width(marker), ' ');
    containers_.push_back({std::move(marker), std::move(rest)});
    fresh_item_ = true;
  }

  std::string_view keep(std::string_view url) {
    return url.empty() ? std::string_view{} : std::string_view(urls_.emplace_back(url));
  }

  void put(std::string_view text) {
    if (text.empty()) return;
    if (!paints_.empty() && !in_code_) {
      const Brush& brush = paints_.back();
      spans_.push_back({line_.size(), line_.size() + text.size(), brush.paint, brush.url});
    }
    line_ += text;
  }

  void leave_link() {
    paints_.pop_back();
    const Link link = std::move(links_.back());
    links_.pop_back();
    const std::string_view shown = std::string_view(line_).substr(link.begin);
    const bool said = link.target.empty() || shown == link.target ||
                      "mailto:" + std::string(shown) == link.target;
    if (said) return;
    paints_.push_back({Paint::dim, {}});
    put(shown.empty() ? link.target : " (" + link.target + ")");
    paints_.pop_back();
  }

  void forget_line() {
    line_.clear();
    spans_.clear();
    urls_.clear();
  }

  // What stands before the lines of the block that is next: its first one, the others.
  Container prefix() {
    Container joined{indent_, indent_};
    const std::size_t most = options_.columns / 2;
    for (Container& container : containers_) {
      if (text::display_width(joined.rest) + text::display_width(container.rest) > most) {
        container.first.clear();
        continue;
      }
      joined.first += container.first.empty() ? container.rest : container.first;
      joined.rest += container.rest;
      if (container.rest.find_first_not_of(' ') == std::string::npos) container.first.clear();
    }
    return joined;
  }

  void pause() {
    // A gap asked for further out stays there.
    gap_depth_ = wants_gap_ ? std::min(gap_depth_, containers_.size()) : containers_.size();
    wants_gap_ = !out_.empty();
  }

  // The empty line before a block, with the bars of quotes.
  void begin_block() {
    if (wants_gap_) {
      std::string bars = indent_;
      const std::size_t depth = std::min(gap_depth_, containers_.size());
      for (std::size_t i = 0; i < depth; ++i) bars += containers_[i].rest;
      bars.erase(bars.find_last_not_of(' ') + 1);
      out_ += bars + "\n";
    }
    wants_gap_ = false;
    fresh_item_ = false;
  }

  // Is a block within a list whose items stand close?
  [[nodiscard]] bool close() const { return !lists_.empty() && lists_.back().tight; }

  // Lines that are drawn already, without the prefix.
  void add_block(std::string_view drawn, bool gap) {
    if (gap && !close()) pause();
    begin_block();
    const Container before = prefix();
    out_ += before.first;
    out_ += drawn;
    out_ += '\n';
    if (gap && !close()) pause();
  }

  void flush() {
    if (text::is_blank(line_)) {
      forget_line();
      base_ = Paint::plain;
      return;
    }
    if (!close()) pause();
    begin_block();
    const Container before = prefix();
    while (line_.ends_with('\n') || line_.ends_with(' ')) line_.pop_back();
    std::string drawn = wrap_painted(line_, spans_, base_, options_.columns, before.rest, style_);
    if (drawn.starts_with(before.rest)) drawn.replace(0, before.rest.size(), before.first);
    out_ += drawn + "\n";
    forget_line();
    base_ = Paint::plain;
    if (!close()) pause();
  }

  void leave_code() {
    in_code_ = false;
    pause();
    if (close() && fresh_item_) wants_gap_ = false;
    begin_block();
    const Container before = prefix();
    std::string drawn = terminal_code(line_, language_, style_, before.rest + "  ");
    if (drawn.starts_with(before.rest)) drawn.replace(0, before.rest.size(), before.first);
    out_ += drawn;
    forget_line();
    pause();
  }

  void draw_table() {
    forget_line();
    if (rows_.empty()) return;
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], text::display_width(row[i]));
      }
    }
    std::size_t total = 0;
    for (const std::size_t width : widths) total += width + 2;
    pause();
    begin_block();
    const Container before = prefix();
    const std::size_t room =
        options_.columns - std::min(options_.columns, text::display_width(before.rest));
    if (total <= room + 2) {
      draw_aligned(before.rest, widths);
    } else {
      draw_listed(before.rest);
    }
    pause();
  }

  void draw_aligned(std::string_view indent, const std::vector<std::size_t>& widths) {
    for (std::size_t number = 0; number < rows_.size(); ++number) {
      std::string row(indent);
      for (std::size_t i = 0; i < rows_[number].size(); ++i) {
        const std::string& cell = rows_[number][i];
        const std::string padding(widths[i] - text::display_width(cell), ' ');
        const bool right = i < right_.size() && right_[i];
        if (right) row += padding;
        row += number == 0 ? style_(Paint::bold, cell) : cell;
        if (!right) row += padding;
        row += "  ";
      }
      row.erase(row.find_last_not_of(' ') + 1);
      out_ += row + "\n";
      if (number > 0) continue;
      std::string rule;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        if (i > 0) rule += "  ";
        for (std::size_t column = 0; column < widths[i]; ++column) rule += "\u2500";
      }
      out_ += std::string(indent) + style_(Paint::dim, rule) + "\n";
    }
  }

  // Too wide: each row below the other, a cell a line.
  void draw_listed(const std::string& indent) {
    for (std::size_t number = 1; number < rows_.size(); ++number) {
      if (number > 1) out_ += '\n';
      for (std::size_t i = 0; i < rows_[number].size(); ++i) {
        const std::string& name = i < rows_[0].size() ? rows_[0][i] : std::string();
        if (rows_[number][i].empty()) continue;
        const std::string text = name.empty() ? rows_[number][i] : name + ": " + rows_[number][i];
        const std::vector<PaintedSpan> spans = {{0, name.size(), Paint::bold, {}}};
        out_ += wrap_painted(text, spans, Paint::plain, options_.columns, indent, style_) + "\n";
      }
    }
  }

  const TerminalOptions& options_;
  const Style& style_;
  const std::string indent_;
  std::string out_;
  std::vector<Container> containers_;
  std::vector<List> lists_;
  std::string line_;  // of the block that is being read
  std::vector<PaintedSpan> spans_;
  std::vector<Brush> paints_;
  std::vector<Link> links_;
  std::deque<std::string> urls_;
  Paint base_ = Paint::plain;
  std::string language_;
  bool in_code_ = false;
  bool in_table_ = false;
  bool wants_gap_ = false;
  std::size_t gap_depth_ = 0;  // the containers that the empty line stands in
  bool fresh_item_ = false;    // nothing was drawn of it yet
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;  // columns of numbers
};

}  // namespace

std::string terminal_markdown(std::string_view markdown, const TerminalOptions& options,
                              std::string_view indent) {
  TerminalSink sink(options, indent);
  walk_markdown(markdown, sink);
  return sink.take();
}

}  // namespace yore::render
