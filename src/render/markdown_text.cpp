#include "render/markdown_text.hpp"

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "render/local_time.hpp"
#include "render/markdown.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::render {
namespace {

// Longer than any run of backticks in it.
std::string fence_for(std::string_view code) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max<std::size_t>(longest + 1, 3), '`');
}

// Would it begin something at the start of a line?
bool begins_block(std::string_view rest) {
  if (rest.empty()) return false;
  if (std::string_view("#>+-=~|").find(rest.front()) != std::string_view::npos) return true;
  return false;
}

// One line, whatever stands before it on the page; `starts`: nothing does.
void append_line_escaped(std::string& out, std::string_view line, bool starts) {
  std::size_t at = 0;
  if (starts) {
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    for (; at < spaces; ++at) out += spaces < 4 ? " " : "&nbsp;";
    std::size_t digits = at;
    while (digits < line.size() && ascii::is_digit(line[digits])) ++digits;
    const bool number =
        digits > at && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
    if (number) {
      out.append(line, at, digits - at);
      out += '\\';
      out += line[digits];
      at = digits + 1;
    } else if (begins_block(line.substr(at))) {
      out += '\\';
      out += line[at++];
    }
  }
  for (; at < line.size(); ++at) {
    const char c = line[at];
    const bool in_word = at > 0 && at + 1 < line.size() && ascii::is_alnum(line[at - 1]) &&
                         ascii::is_alnum(line[at + 1]);
    const bool entity =
        c == '&' && at + 1 < line.size() && (ascii::is_alnum(line[at + 1]) || line[at + 1] == '#');
    const bool special = c == '\\' || c == '`' || c == '*' || c == '[' || c == ']' || c == '<' ||
                         c == '|' || (c == '_' && !in_word) || entity ||
                         (c == '~' && at + 1 < line.size() && line[at + 1] == '~');
    if (special) out += '\\';
    out += c;
  }
}

std::string fenced(std::string_view code, std::string_view language) {
  while (code.ends_with('\n')) code.remove_suffix(1);
  const std::string fence = fence_for(code);
  std::string out = fence;
  for (const char c : language) {
    if (ascii::is_alnum(c) || c == '+' || c == '-' || c == '#') out += c;
  }
  return out.append("\n").append(code).append("\n").append(fence).append("\n");
}

class CleanSink final : public MarkdownSink {
 public:
  std::string take() {
    while (out_.ends_with('\n')) out_.pop_back();
    return out_.empty() ? out_ : out_ + "\n";
  }

  void enter(Element element, const Attributes& attributes) override {
    switch (element) {
      case Element::paragraph:
        return begin_block();
      case Element::heading:
        begin_block();
        // The document has # and ## of its own.
        out_ += std::string(std::min(attributes.level + 2, 6U), '#') + " ";
        starts_ = false;
        return;
      case Element::quote:
        begin_block();
        starts_ = true;
        out_ += "> ";
        at_start_ = true;
        return prefixes_.push_back("> ");
      case Element::list:
        if (lists_.empty()) gap();
        return lists_.push_back({attributes.numbered, attributes.start, attributes.tight});
      case Element::item:
        return enter_item(attributes);
      case Element::code_block:
        begin_block();
        language_ = attributes.language;
        code_.clear();
        in_code_ = true;
        return;
      case Element::rule:
        begin_block();
        out_ += "---";
        return end_block();
      case Element::table:
        return begin_block();
      case Element::row:
        out_ += "|";
        cells_ = 0;
        header_ = false;
        return;
      case Element::cell:
        header_ = attributes.header;
        ++cells_;
        out_ += " ";
        starts_ = false;
        return;
      case Element::strong:
        out_ += "**";
        return;
      case Element::emphasis:
        out_ += "*";
        return;
      case Element::strike:
        out_ += "~~";
        return;
      case Element::code:
        code_.clear();
        in_span_ = true;
        return;
      case Element::link:
        links_.push_back(
            {std::string(attributes.target), !attributes.url.empty() && links_.empty()});
        if (!links_.back().leads) return;
        if (out_.ends_with('!')) out_.insert(out_.size() - 1, "\\");  // no picture
        out_ += "[";
        return;
    }
  }

  void leave(Element element) override {
    switch (element) {
      case Element::paragraph:
      case Element::heading:
        return end_block();
      case Element::quote:
        prefixes_.pop_back();
        return end_block();
      case Element::list:
        lists_.pop_back();
        if (lists_.empty()) gap();
        return;
      case Element::item:
        if (!out_.ends_with('\n')) out_ += '\n';
        prefixes_.pop_back();
        return;
      case Element::code_block:
        return leave_code();
      case Element::rule:
        return;
      case Element::table:
        cells_ = 0;
        return end_block();
      case Element::row:
        new_line();
        if (header_) {
          out_ += "|";
          for (std::size_t i = 0; i < cells_; ++i) out_ += " --- |";
          new_line();
        }
        return;
      case Element::cell:
        out_ += " |";
        return;
      case Element::strong:
        out_ += "**";
        return;
      case Element::emphasis:
        out_ += "*";
        return;
      case Element::strike:
        out_ += "~~";
        return;
      case Element::code:
        return leave_span();
      case Element::link:
        return leave_link();
    }
  }

  void text(std::string_view text) override {
    if (in_code_ || in_span_) {
      code_ += text;
      return;
    }
    append_line_escaped(out_, text, starts_);
    starts_ = false;
    at_start_ = false;
  }

  void line_break() override {
    if (in_span_) {
      code_ += ' ';
      return;
    }
    out_ += "  ";
    new_line();
    starts_ = true;
  }

 private:
  struct List {
    bool numbered;
    unsigned next;
    bool tight;
  };
  struct Link {
    std::string target;
    bool leads;
  };

  [[nodiscard]] std::string prefix() const {
    std::string all;
    for (const std::string& each : prefixes_) all += each;
    return all;
  }
  void new_line() { out_ += "\n" + prefix(); }
  [[nodiscard]] bool close() const { return !lists_.empty() && lists_.back().tight; }

  void gap() { wants_gap_ = !out_.empty(); }

  void begin_block() {
    starts_ = true;
    if (at_start_) {  // right behind a marker
      at_start_ = false;
      wants_gap_ = false;
      return;
    }
    if (out_.empty()) return;
    if (!out_.ends_with('\n')) out_ += '\n';
    std::string before = prefix();
    if (wants_gap_ || !close()) {
      std::string empty = before;
      empty.erase(empty.find_last_not_of(' ') + 1);
      out_ += empty + "\n";
    }
    wants_gap_ = false;
    out_ += before;
  }
  void end_block() {
    while (out_.ends_with(' ')) out_.pop_back();
    if (!out_.ends_with('\n')) out_ += '\n';
    starts_ = true;
    at_start_ = false;
  }

  void enter_item(const Attributes& attributes) {
    if (at_start_) {
      at_start_ = false;
    } else if (!out_.empty()) {
      if (!out_.ends_with('\n')) out_ += '\n';
      const std::string before = prefix();
      std::string empty = before;
      empty.erase(empty.find_last_not_of(' ') + 1);
      if (wants_gap_ || !close()) out_ += empty + "\n";
      out_ += before;
    }
    wants_gap_ = false;
    std::string marker = "- ";
    if (!lists_.empty() && lists_.back().numbered) {
      marker = std::to_string(lists_.back().next++) + ". ";
    }
    out_ += marker;
    if (attributes.task) out_ += attributes.done ? "[x] " : "[ ] ";
    prefixes_.emplace_back(marker.size(), ' ');
    at_start_ = true;
    starts_ = true;
  }

  void leave_code() {
    in_code_ = false;
    const std::string block = fenced(code_, language_);
    const std::string before = prefix();
    for (std::size_t begin = 0; begin < block.size();) {
      const std::size_t end = block.find('\n', begin);
      if (begin > 0) out_ += before;
      out_.append(block, begin, end - begin);
      out_ += '\n';
      begin = end + 1;
    }
    starts_ = true;
    gap();
  }

  void leave_span() {
    in_span_ = false;
    std::replace(code_.begin(), code_.end(), '\n', ' ');
    const std::string fence = fence_for(code_).substr(code_.find('`') == std::string::npos ? 2 : 0);
    const bool pad = code_.starts_with('`') || code_.ends_with('`');
    std::string cell;
    for (const char c : code_) {
      if (c == '|' && cells_ > 0) cell += '\\';
      cell += c;
    }
    out_ += fence + (pad ? " " : "") + cell + (pad ? " " : "") + fence;
    starts_ = false;
    at_start_ = false;
  }

  void leave_link() {
    const Link link = std::move(links_.back());
    links_.pop_back();
    if (link.leads) {
      out_ += "](<" + link.target + ">)";
    } else if (!link.target.empty()) {
      out_ += " (";
      append_line_escaped(out_, link.target, false);
      out_ += ")";
    }
    starts_ = false;
  }

  std::string out_;
  std::vector<std::string> prefixes_;  // of the lines in containers
  std::vector<List> lists_;
  std::vector<Link> links_;
  std::string language_;
  std::string code_;
  std::size_t cells_ = 0;
  bool header_ = false;
  bool in_code_ = false;
  bool in_span_ = false;
  bool starts_ = true;     // nothing stands before it on the line
  bool at_start_ = false;  // right behind the marker of an item or quote
  bool wants_gap_ = false;
};

// The first lines, and how many more there are.
std::string first_lines(std::string_view text, std::size_t most) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  const std::size_t all = count_lines(text);
  if (all <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t i = 0; i < most; ++i) end = text.find('\n', end) + 1;
  return std::string(text.substr(0, end)) + "\u2026 " + plural(all - most, "more line");
}

std::string quoted(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += end == 0 ? ">" : "> ";
    append_line_escaped(out, text.substr(0, end), true);
    text.remove_prefix(std::min(end + 1, text.size()));
    out += text.empty() || end == 0 ? "\n" : "  \n";
  }
  return out;
}

std::string block_text(const Block& block, std::size_t lines) {
  const std::string safe = text::for_terminal(block.text);
  switch (block.kind) {
    case Block::Kind::prompt:
      return quoted(text::trim(safe));
    case Block::Kind::answer:
      return clean_markdown(block.text);
    case Block::Kind::thinking:
      return "*Thinking*\n\n" + fenced(first_lines(safe, lines), "text");
    case Block::Kind::note:
      return "*Note*\n\n" + fenced(first_lines(safe, lines), "text");
    case Block::Kind::output:
      return "*Output*\n\n" + fenced(first_lines(safe, lines), "text");
    case Block::Kind::digest:
      return "*" + plain_as_markdown(text::one_line(safe)) + "*\n";
    case Block::Kind::tool:
      break;
  }
  std::string out = "**" + plain_as_markdown(text::one_line(block.name)) + "**";
  if (const std::string detail = text::one_line(block.detail); !detail.empty()) {
    const std::string fence =
        fence_for(detail).substr(detail.find('`') == std::string::npos ? 2 : 0);
    out += " " + fence + " " + detail + " " + fence;
  }
  out += "\n";
  if (!block.diff.empty()) {
    out += "\n" + fenced(first_lines(text::for_terminal(block.diff), lines), "diff");
  }
  if (!text::is_blank(safe)) out += "\n" + fenced(first_lines(safe, lines), "text");
  return out;
}

}  // namespace

std::string clean_markdown(std::string_view markdown) {
  CleanSink sink;
  walk_markdown(markdown, sink);
  return sink.take();
}

std::string plain_as_markdown(std::string_view text) {
  const std::string safe = text::for_terminal(text);
  std::string out;
  std::string_view rest = safe;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    append_line_escaped(out, rest.substr(0, end), true);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!rest.empty()) out += end == 0 ? "\n" : "  \n";
  }
  return out;
}

std::string markdown_document(const Conversation& conversation, std::size_t output_lines) {
  const Heading& heading = conversation.heading;
  std::string out = "# " + plain_as_markdown(text::one_line(heading.title)) + "\n\n";
  for (const auto& [name, value] : heading.facts) {
    const std::string shown = text::one_line(value);
    if (!shown.empty()) out += "- " + name + ": " + plain_as_markdown(shown) + "\n";
  }
  for (const Turn& turn : conversation.turns) {
    out += "\n## Turn " + std::to_string(turn.number);
    if (const std::string time = local_time(turn.time); !time.empty()) out += " · " + time;
    for (const std::string& mark : turn.marks) out += " · " + plain_as_markdown(mark);
    out += "\n";
    bool spoke = false;
    for (const Block& block : turn.blocks) {
      if (block.kind == Block::Kind::prompt) {
        out += "\n**You:**\n";
      } else if (!spoke) {
        out += "\n**" + plain_as_markdown(text::one_line(heading.assistant)) + ":**\n";
        spoke = true;
      }
      out += "\n" + block_text(block, output_lines);
    }
  }
  return out;
}

}  // namespace yore::render
