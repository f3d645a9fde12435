// Text that people type or that stands in transcripts: analysis, queries, times, settings.
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "fuzz/target.hpp"
#include "render/html.hpp"
#include "render/markdown_text.hpp"
#include "render/terminal_text.hpp"
#include "search/query.hpp"
#include "text/analyzer.hpp"
#include "text/display.hpp"
#include "text/named_date.hpp"
#include "text/utf8.hpp"
#include "text/when.hpp"
#include "unit/text/analyzer_twin.hpp"

namespace yore::fuzz {
namespace {

// The analyser agrees with its twin, and folding twice is folding once.
void analyzer(std::string_view bytes) {
  static text::Analyzer analyzer;
  const auto& terms = analyzer.analyze(bytes);
  const auto expected = text::analyze_slowly(bytes);
  check(terms.size() == expected.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    check(terms[i].text == expected[i].text && terms[i].position == expected[i].position);
    check(terms[i].begin == expected[i].begin && terms[i].end == expected[i].end);
    check(terms[i].kind == expected[i].kind && terms[i].stemmable == expected[i].stemmable);
  }
  const std::string folded = text::fold(bytes);
  check(text::fold(folded) == folded);
}

// Nothing is a syntax error, nothing is invented: every part stands in the query.
void query(std::string_view bytes) {
  const search::ParsedQuery parsed = search::parse_query(bytes);
  for (const search::QueryPart& part : parsed.parts) {
    check(!part.text.empty() && part.text.size() <= bytes.size());
    if (part.kind == search::QueryPart::Kind::words) continue;
    check(bytes.find(part.text) != std::string_view::npos);
  }
}

// A date that is found lies in the question, and its days are in order.
void named_date(std::string_view bytes) {
  constexpr std::chrono::sys_days kToday{std::chrono::year{2026} / 3 / 4};
  const auto date = text::find_named_date(bytes, kToday);
  if (!date) return;
  check(date->first <= date->last && date->begin < date->end && date->end <= bytes.size());
  check(date->days_from(date->first) == 0 && date->days_from(date->last) == 0);
  check(date->days_from(kToday) >= 0);
}

// A time that is read can be written and read again; an expression is never before 1970.
void times(std::string_view bytes) {
  constexpr Time kNow = from_ms(1'772'625'600'000);
  if (const auto time = parse_iso8601(bytes); time && *time != kNoTime) {
    check(parse_iso8601(format_iso8601(*time)) == time);
  }
  const auto asked = text::parse_time_expression(bytes, kNow, std::chrono::hours{2});
  check(!asked || *asked > kNoTime);
  check(!asked || !format_age(*asked, kNow).empty());
}

// What may reach a terminal is valid UTF-8, and cleaning it again changes nothing.
void display(std::string_view bytes) {
  const std::string valid = text::valid_utf8(bytes);
  check(text::valid_utf8(valid) == valid);
  const std::string shown = text::for_terminal(bytes);
  check(text::valid_utf8(shown) == shown && text::for_terminal(shown) == shown);
}

// However it is drawn, it controls no terminal and opens no tag of its own.
void markdown(std::string_view bytes) {
  const render::TerminalOptions options{render::Style(false), 40, 3};
  const std::string screen = render::terminal_markdown(bytes, options, "  ");
  check(text::for_terminal(screen) == screen);
  const std::string html = render::html_markdown(bytes);
  for (const char* tag : {"<script", "<img", "<style", "<iframe", "href=\"javascript"}) {
    check(html.find(tag) == std::string::npos);
  }
  check(html.size() <= 64 * bytes.size() + 4096);
  check(render::html_markdown(render::clean_markdown(bytes)).find("<script") == std::string::npos);
}

constexpr Target kTextTargets[] = {
    {"analyzer", analyzer},     {"query", query},     {"named_date", named_date},
    {"time_expression", times}, {"display", display}, {"markdown", markdown},
};

}  // namespace

std::span<const Target> text_targets() {
  return kTextTargets;
}

}  // namespace yore::fuzz
