#include "cli/screen/hit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/screen/format.hpp"
#include "cli/screen/painted_text.hpp"
#include "text/display.hpp"
#include "text/lines.hpp"
#include "text/shell.hpp"
#include "text/snippet.hpp"
#include "text/utf8.hpp"
#include "transcript/adapter.hpp"

namespace yore::cli {
namespace {

using search::Hit;
using search::Message;

constexpr std::string_view kHitIndent = "  ";
constexpr std::string_view kEllipsis = "\u2026";
// Stands for the space behind a name while lines are broken: no line ends there, not even before a
// text without spaces.
constexpr std::string_view kGlue = "\u00a0";
constexpr std::size_t kPromptChars = 300;
constexpr std::size_t kAnswerChars = 600;
constexpr std::size_t kNeighbourChars = 200;
constexpr std::size_t kRuleColumns = 49;

// Without empty lines: in an excerpt they only take room.
std::string without_empty_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!text::is_blank(line)) text::append_line(out, line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Both sides of the turn itself.
struct Turn {
  std::string prompt;
  std::string answer;
};

Turn turn_of(const Hit& hit) {
  Turn turn;
  for (const Message& said : hit.messages) {
    if (said.is_hit)
      text::append_line(said.role == "user" ? turn.prompt : turn.answer, said.content);
  }
  return turn;
}

// What stands behind "Tool:" and its like when the best passage is neither prompt nor answer.
std::string_view label_of(std::string_view surface) {
  if (surface == "tool") return "Tool";
  if (surface == "thinking") return "Thinking";
  return surface == "title" ? "Title" : "";
}

class HitWriter {
 public:
  HitWriter(const Context& context, const search::SearchAnswer& answer, std::size_t max_chars)
      : context_(context), answer_(answer), max_chars_(max_chars) {}

  std::string write(const Hit& hit) {
    const Turn turn = turn_of(hit);
    const std::string who = context_.speaker(hit.session.agent);
    std::string out = head(hit);
    add(out, neighbours(hit, [&](std::uint32_t number) { return number < hit.turn_number; }));
    add(out, piece("You", Paint::cyan, Paint::plain, text::one_line(turn.prompt), kPromptChars));
    add(out, piece(who, Paint::green, Paint::plain, answer_shown(hit, turn.answer), kAnswerChars));
    if (const std::string_view label = label_of(hit.snippet_surface); !label.empty()) {
      const std::string passage = without_empty_lines(text::for_terminal(hit.snippet.text));
      add(out, piece(label, Paint::dim, Paint::dim, passage, kPromptChars));
    }
    add(out, neighbours(hit, [&](std::uint32_t number) { return number > hit.turn_number; }));
    add(out, explanation(hit));
    const std::string& id = hit.chunk_short.empty() ? hit.chunk_id : hit.chunk_short;
    add(out, "  → yore chunk " + text::shell_quote(id) + "\n");
    return out;
  }

 private:
  static void add(std::string& out, std::string_view part) {
    if (!part.empty()) out.append("\n").append(part);
  }

  static std::vector<std::string> remarks(const Hit& hit) {
    std::vector<std::string> all;
    if (hit.marks.starred) all.emplace_back("★");
    if (!hit.marks.name.empty()) all.push_back(text::one_line(hit.marks.name));
    for (const std::string& tag : hit.marks.tags) all.push_back("#" + text::one_line(tag));
    if (hit.session.kind == transcript::SessionKind::subagent) all.emplace_back("sub-agent");
    if (hit.copies > 0) all.push_back("also in " + plural(hit.copies, "other session"));
    if (hit.abandoned) all.emplace_back("abandoned");
    if (hit.superseded) all.emplace_back("superseded");
    if (hit.source_missing) all.emplace_back("source is gone");
    return all;
  }

  // "[1] Project: myapp | 3 days ago | 100%"; remarks behind it, or below where there is no room.
  [[nodiscard]] std::string head(const Hit& hit) const {
    std::string line = fmt::format("[{}]", hit.rank);
    std::vector<PaintedSpan> spans = {{0, line.size(), Paint::bold_cyan}};
    line += " Project: ";
    const std::size_t project = line.size();
    line += hit.session.project.empty() ? "(none)" : text::one_line(hit.session.project);
    spans.push_back({project, line.size(), Paint::green});
    const std::size_t facts = line.size();
    if (const std::string age = format_age(hit.timestamp, context_.world.now); !age.empty()) {
      line += " | " + age;
    }
    line += fmt::format(" | {}%", hit.percent);
    std::string extra = fmt::format("{}", fmt::join(remarks(hit), " | "));
    if (text::display_width(line) + 3 + text::display_width(extra) <= context_.columns() &&
        !extra.empty()) {
      line += " | " + extra;
      extra.clear();
    }
    spans.push_back({facts, line.size(), Paint::dim});
    std::string out = wrapped(line, spans, Paint::plain, "");
    if (!extra.empty()) out += wrapped(extra, {}, Paint::dim);
    return out;
  }

  [[nodiscard]] std::string wrapped(std::string_view safe, const std::vector<PaintedSpan>& spans,
                                    Paint base, std::string_view indent = kHitIndent) const {
    std::string out =
        wrap_painted(safe, spans, base, context_.columns(), indent, context_.style) + "\n";
    if (const std::size_t glue = out.find(kGlue); glue != std::string::npos) {
      out.replace(glue, kGlue.size(), " ");
    }
    return out;
  }

  // The conclusion; the whole answer when only an earlier part of it matches.
  std::string answer_shown(const Hit& hit, std::string_view answer) {
    const std::string whole = text::for_terminal(answer);
    if (hit.conclusion_begin == 0 || hit.conclusion_begin >= answer.size()) {
      return without_empty_lines(whole);
    }
    const std::string end = text::for_terminal(answer.substr(hit.conclusion_begin));
    const bool only_before = matches(end).empty() && !matches(whole).empty();
    return without_empty_lines(only_before ? whole : end);
  }

  std::vector<text::Span> matches(std::string_view safe) {
    return text::find_matches(safe, answer_.matched, analyzer_, stemmer_);
  }

  // `safe` behind its label, cut around its matches, and how much is missing.
  std::string piece(std::string_view label, Paint label_paint, Paint base, std::string_view safe,
                    std::size_t usual_chars) {
    safe = text::trim(safe);
    if (safe.empty()) return "";
    const std::size_t limit = max_chars_ > 0 ? max_chars_ : usual_chars;
    const text::Snippet snippet =
        text::make_snippet(safe, answer_.matched, limit, analyzer_, stemmer_);
    std::string shown(label);
    shown += ":";
    std::vector<PaintedSpan> spans = {{0, shown.size(), label_paint}};
    shown += kGlue;
    for (const text::Span& span : snippet.spans) {
      spans.push_back({shown.size() + span.begin, shown.size() + span.end, Paint::bold_yellow});
    }
    shown += snippet.text;
    std::string out = wrapped(shown, spans, base);
    if (const std::size_t missing = missing_chars(safe, snippet.text); missing > 0) {
      out += wrapped(fmt::format("[truncated - {} more chars]", missing), {}, Paint::dim);
    }
    return out;
  }

  // An ellipsis at an end where something is missing is no character of the text.
  static std::size_t missing_chars(std::string_view whole, std::string_view shown) {
    if (shown == whole) return 0;
    const std::size_t kept = text::count_chars(shown);
    const std::string_view without_last = shown.substr(0, shown.size() - kEllipsis.size());
    const std::string_view without_first = shown.substr(kEllipsis.size());
    const bool one_end = whole.starts_with(without_last) || whole.ends_with(without_first);
    return text::count_chars(whole) - kept + (one_end ? 1 : 2);
  }

  template <typename Wanted>
  std::string neighbours(const Hit& hit, const Wanted& wanted) const {
    std::string out;
    for (const Message& said : hit.messages) {
      if (said.is_hit || !wanted(said.turn_number)) continue;
      const std::string who = said.role == "user" ? "You" : context_.speaker(hit.session.agent);
      const std::string line = text::one_line(said.content);
      if (line.empty()) continue;
      std::string shown = who + ":" + std::string(kGlue);
      const std::string_view head = text::first_chars(line, kNeighbourChars);
      shown += head;
      if (head.size() < line.size()) shown += kEllipsis;
      out += wrapped(shown, {}, Paint::dim);
    }
    return out;
  }

  [[nodiscard]] std::string explanation(const Hit& hit) const {
    std::size_t widest = 0;
    for (const search::ScorePart& part : hit.explain) widest = std::max(widest, part.name.size());
    std::string out;
    for (const search::ScorePart& part : hit.explain) {
      const std::string line = fmt::format("{:<{}} {:>10.4f}  {}", part.name, widest, part.value,
                                           text::one_line(part.detail));
      out += wrapped(line, {}, Paint::dim);
    }
    return out;
  }

  const Context& context_;
  const search::SearchAnswer& answer_;
  std::size_t max_chars_;
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
};

}  // namespace

std::string hits_text(const Context& context, const search::SearchAnswer& answer,
                      std::size_t max_chars) {
  HitWriter writer(context, answer, max_chars);
  std::string out;
  for (const Hit& hit : answer.hits) out += writer.write(hit) + "\n";
  std::string rule;
  for (std::size_t i = 0; i < std::min(kRuleColumns, context.columns()); ++i) rule += "─";
  out += context.style(Paint::dim, rule) + "\n";
  return out +
         fmt::format("Found {} in {:.3f}s\n", plural(answer.hits.size(), "result"), answer.seconds);
}

std::string closest_text(const Context& context, const search::SearchAnswer& answer,
                         std::size_t max_chars) {
  HitWriter writer(context, answer, max_chars);
  constexpr std::size_t kShown = 3;
  std::string out;
  for (const Hit& hit : std::span(answer.closest).first(std::min(kShown, answer.closest.size())))
    out += writer.write(hit) + "\n";
  return out;
}

}  // namespace yore::cli
