#include "cli/screen/hit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/screen/format.hpp"
#include "render/painted_text.hpp"
#include "text/display.hpp"
#include "text/lines.hpp"
#include "text/shell.hpp"
#include "text/snippet.hpp"
#include "text/utf8.hpp"
#include "transcript/adapter.hpp"

namespace yore::cli {
namespace {

using render::PaintedSpan;
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
// Of a longer message one such piece is looked at: what is shown of it are some hundred characters.
constexpr std::size_t kPieceBytes = 128 << 10;

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
  std::string_view prompt;
  std::string_view answer;
};

Turn turn_of(const Hit& hit) {
  Turn turn;
  for (const Message& said : hit.messages) {
    std::string_view& side = said.role == "user" ? turn.prompt : turn.answer;
    if (said.is_hit && side.empty()) side = said.content;
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
    const std::string who = hit.kind == "note" ? "Note" : context_.speaker(hit.session.agent);
    std::string out = head(hit);
    add(out, neighbours(hit, [&](std::uint32_t number) { return number < hit.turn_number; }));
    const bool alone = has_no_neighbours(hit);
    if (alone && hit.before) out += "\n" + beside("\u2191 You", hit.before->text);
    const std::string_view asked = excerpt(turn.prompt);
    const bool joined = alone && hit.before && !text::is_blank(turn.prompt);
    const std::string prompt = piece("You", Paint::cyan, Paint::plain, text::one_line(asked),
                                     kPromptChars, chars_beside(asked, turn.prompt));
    if (joined) {
      out += prompt;
    } else {
      add(out, prompt);
    }
    const std::string_view said = answer_shown(hit, turn.answer);
    const std::string_view part = excerpt(said);
    add(out, piece(who, Paint::green, Paint::plain, without_empty_lines(text::for_terminal(part)),
                   kAnswerChars, chars_beside(part, said)));
    if (const std::string_view label = label_of(hit.snippet_surface); !label.empty()) {
      const std::string passage = without_empty_lines(text::for_terminal(hit.snippet.text));
      add(out, piece(label, Paint::dim, Paint::dim, passage, kPromptChars));
    }
    if (alone && hit.after) add(out, beside("\u2193 " + who, hit.after->text));
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
    if (hit.kind == "prompts") all.emplace_back("prompts only");
    if (hit.kind == "note") all.emplace_back("note");
    if (hit.source_missing) all.emplace_back("source is gone");
    if (!hit.place.empty()) all.push_back("on " + text::one_line(hit.place));
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
    std::string about;
    if (const std::string age = format_age(hit.timestamp, context_.world.now); !age.empty()) {
      about += " | " + age;
    }
    about += fmt::format(" | {}%", hit.percent);
    constexpr std::size_t kLeastTitle = 16;
    const std::size_t taken = text::display_width(line) + text::display_width(about) + 3;
    const std::string title = telling_title(hit);
    const bool beside_project = taken + kLeastTitle <= context_.columns();
    if (!title.empty() && beside_project) {
      line += " \u00b7 " + text::fit(title, context_.columns() - taken);
    }
    const std::size_t facts = line.size();
    line += about;
    std::string extra = fmt::format("{}", fmt::join(remarks(hit), " | "));
    if (text::display_width(line) + 3 + text::display_width(extra) <= context_.columns() &&
        !extra.empty()) {
      line += " | " + extra;
      extra.clear();
    }
    spans.push_back({facts, line.size(), Paint::dim});
    std::string out = wrapped(line, spans, Paint::plain, "");
    if (!title.empty() && !beside_project) {
      const std::size_t room = std::max(context_.columns(), kHitIndent.size() + 1);
      out += wrapped(text::fit(title, room - kHitIndent.size()), {}, Paint::dim);
    }
    if (!extra.empty()) out += wrapped(extra, {}, Paint::dim);
    return out;
  }

  [[nodiscard]] std::string wrapped(std::string_view safe, const std::vector<PaintedSpan>& spans,
                                    Paint base, std::string_view indent = kHitIndent) const {
    std::string out =
        render::wrap_painted(safe, spans, base, context_.columns(), indent, context_.style) + "\n";
    if (const std::size_t glue = out.find(kGlue); glue != std::string::npos) {
      out.replace(glue, kGlue.size(), " ");
    }
    return out;
  }

  static bool has_no_neighbours(const Hit& hit) {
    return std::ranges::all_of(hit.messages, &Message::is_hit);
  }

  // One dim line of what was said beside the hit.
  [[nodiscard]] std::string beside(const std::string& who, std::string_view said) const {
    const std::size_t columns = context_.columns();
    const std::size_t room = columns > kHitIndent.size() ? columns - kHitIndent.size() : 1;
    const std::string line = text::fit(who + ": " + text::one_line(said), room);
    return std::string(kHitIndent) + context_.style(Paint::dim, line) + "\n";
  }

  // What tells more than a prompt that says little: "3", "yes", "push".
  static std::string telling_title(const Hit& hit) {
    constexpr std::size_t kFewChars = 20;
    const std::string prompt = text::one_line(turn_of(hit).prompt);
    if (text::count_chars(prompt) > kFewChars) return "";
    const bool is_slug = hit.session.title.empty() || hit.session.title_kind == "slug";
    const std::string& first = hit.session.facts.first_prompt;
    std::string title = text::one_line(is_slug && !first.empty() ? first : hit.session.title);
    return title == prompt ? "" : title;
  }

  // The conclusion; the whole answer when only an earlier part of it matches.
  std::string_view answer_shown(const Hit& hit, std::string_view answer) {
    if (hit.conclusion_begin == 0 || hit.conclusion_begin >= answer.size()) return answer;
    const std::string_view end = answer.substr(hit.conclusion_begin);
    return !has_match(excerpt(end)) && has_match(excerpt(answer)) ? answer : end;
  }

  // Of a long message the first piece that matches, else its beginning.
  std::string_view excerpt(std::string_view raw) {
    for (std::string_view rest = raw; rest.size() > 0 && raw.size() > kPieceBytes;) {
      const std::string_view part = text::prefix_bytes(rest, kPieceBytes);
      if (has_match(part)) return part;
      rest.remove_prefix(part.size());
    }
    return text::prefix_bytes(raw, kPieceBytes);
  }
  static std::size_t chars_beside(std::string_view part, std::string_view whole) {
    return part.size() == whole.size() ? 0 : text::count_chars(whole) - text::count_chars(part);
  }

  bool has_match(std::string_view raw) { return !matches(text::for_terminal(raw)).empty(); }

  std::vector<text::Span> matches(std::string_view safe) {
    return text::find_matches(safe, answer_.matched, analyzer_, stemmer_);
  }

  // `safe` behind its label, cut around its matches, and how much is missing; `beside`: characters
  // that are missing already.
  std::string piece(std::string_view label, Paint label_paint, Paint base, std::string_view safe,
                    std::size_t usual_chars, std::size_t beside = 0) {
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
    const std::size_t missing = missing_chars(safe, snippet.text) + beside;
    if (missing > 0) {
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
      const std::string line = text::one_line(text::prefix_bytes(said.content, kPieceBytes));
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
