// Markdown as HTML; for html.hpp.
#include <string>
#include <vector>

#include "render/html.hpp"
#include "render/markdown.hpp"
#include "text/display.hpp"

namespace yore::render {
namespace {

class HtmlSink final : public MarkdownSink {
 public:
  std::string take() { return std::move(out_); }

  void enter(Element element, const Attributes& attributes) override {
    switch (element) {
      case Element::paragraph:
        // In a list whose items stand close, words stand by themselves.
        if (!tight()) out_ += "<p>";
        return;
      case Element::heading:
        // The page has h1 and h2 of its own.
        level_ = std::to_string(std::min(attributes.level + 2, 6U));
        out_ += "<h" + level_ + ">";
        return;
      case Element::quote:
        loose_.push_back(true);
        out_ += "<blockquote>\n";
        return;
      case Element::list:
        loose_.push_back(!attributes.tight);
        numbered_.push_back(attributes.numbered);
        out_ += attributes.numbered ? "<ol" : "<ul";
        if (attributes.numbered && attributes.start != 1) {
          out_ += " start=\"" + std::to_string(attributes.start) + "\"";
        }
        out_ += ">\n";
        return;
      case Element::item:
        out_ += attributes.task ? "<li class=\"task\">" : "<li>";
        if (attributes.task) out_ += attributes.done ? "\u2611 " : "\u2610 ";
        return;
      case Element::code_block:
        language_ = attributes.language;
        code_.clear();
        in_code_ = true;
        return;
      case Element::rule:
        out_ += "<hr>\n";
        return;
      case Element::table:
        out_ += "<div class=\"wide\"><table>\n";
        return;
      case Element::row:
        out_ += "<tr>";
        return;
      case Element::cell:
        cell_ = attributes.header ? "th" : "td";
        out_ += "<" + cell_ + (attributes.right ? " class=\"right\">" : ">");
        return;
      case Element::strong:
        out_ += "<strong>";
        return;
      case Element::emphasis:
        out_ += "<em>";
        return;
      case Element::strike:
        out_ += "<del>";
        return;
      case Element::code:
        out_ += "<code>";
        return;
      case Element::link:
        return enter_link(attributes);
    }
  }

  void leave(Element element) override {
    switch (element) {
      case Element::paragraph:
        out_ += tight() ? "\n" : "</p>\n";
        return;
      case Element::heading:
        out_ += "</h" + level_ + ">\n";
        return;
      case Element::quote:
        loose_.pop_back();
        out_ += "</blockquote>\n";
        return;
      case Element::list:
        out_ += numbered_.back() ? "</ol>\n" : "</ul>\n";
        numbered_.pop_back();
        loose_.pop_back();
        return;
      case Element::item:
        out_ += "</li>\n";
        return;
      case Element::code_block:
        in_code_ = false;
        out_ += "<pre><code>" + html_code(code_, language_) + "</code></pre>\n";
        return;
      case Element::table:
        out_ += "</table></div>\n";
        return;
      case Element::row:
        out_ += "</tr>\n";
        return;
      case Element::cell:
        out_ += "</" + cell_ + ">";
        return;
      case Element::strong:
        out_ += "</strong>";
        return;
      case Element::emphasis:
        out_ += "</em>";
        return;
      case Element::strike:
        out_ += "</del>";
        return;
      case Element::code:
        out_ += "</code>";
        return;
      case Element::link:
        return leave_link();
      case Element::rule:
        return;
    }
  }

  void text(std::string_view text) override {
    if (in_code_) {
      code_ += text;
      return;
    }
    for (Link& link : links_) link.said += text;
    out_ += html_escaped(text);
  }

  void line_break() override { out_ += "<br>\n"; }

 private:
  struct Link {
    std::string target;
    std::string said;
    bool leads = false;
  };

  [[nodiscard]] bool tight() const { return !loose_.empty() && !loose_.back(); }

  void enter_link(const Attributes& attributes) {
    // A picture may stand in a link: only the outer one leads anywhere.
    const bool leads = !attributes.url.empty() && links_.empty();
    links_.push_back({std::string(attributes.target), "", leads});
    if (!leads) return;
    out_ += "<a href=\"" + html_escaped(attributes.url) + "\" rel=\"noopener noreferrer\">";
  }

  void leave_link() {
    const Link link = std::move(links_.back());
    links_.pop_back();
    if (link.said.empty()) out_ += html_escaped(link.target);
    if (link.leads) out_ += "</a>";
    const bool shown = link.said.empty() || link.target.empty() || link.said == link.target ||
                       "mailto:" + link.said == link.target;
    if (!shown) out_ += " <span class=\"target\">(" + html_escaped(link.target) + ")</span>";
  }

  std::string out_;
  std::vector<bool> loose_;  // of the containers that are open
  std::vector<bool> numbered_;
  std::vector<Link> links_;
  std::string level_;
  std::string cell_;
  std::string language_;
  std::string code_;
  bool in_code_ = false;
};

}  // namespace

std::string html_markdown(std::string_view markdown) {
  HtmlSink sink;
  walk_markdown(markdown, sink);
  return sink.take();
}

}  // namespace yore::render
