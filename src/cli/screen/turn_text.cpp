#include "cli/screen/turn_text.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "cli/screen/format.hpp"
#include "render/terminal_text.hpp"
#include "service/conversation.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

constexpr std::string_view kIndent = "  ";
// Of a turn that is one of many.
constexpr std::size_t kToolsInAPage = 12;

std::string spoken(const Context& context, Paint paint, std::string_view who,
                   std::string_view raw) {
  const std::string safe = text::for_terminal(raw);
  const std::string_view trimmed = text::trim(safe);
  if (trimmed.empty()) return "";
  std::string out = context.style(paint, std::string(who) + ":") + "\n";
  return out + text::wrap(trimmed, context.columns(), kIndent) + "\n";
}

std::string tools_text(const Context& context, const std::vector<std::string>& tools,
                       std::size_t max_tools) {
  std::string out;
  const std::size_t shown = std::min(tools.size(), max_tools);
  const std::size_t room = context.columns() > 4 ? context.columns() - 4 : 1;
  for (std::size_t i = 0; i < shown; ++i) {
    out += "  " + context.style(Paint::dim, "• " + text::fit(tool_line(tools[i]), room)) + "\n";
  }
  if (shown < tools.size()) {
    const std::string more = "… and " + plural(tools.size() - shown, "more tool call");
    out += "  " + context.style(Paint::dim, text::fit(more, room)) + "\n";
  }
  return out;
}

}  // namespace

std::string tool_line(const std::string& rendering) {
  render::CallLine line = render::call_line(rendering);
  if (line.detail.empty()) return std::move(line.name);
  return line.name.empty() ? line.detail : line.name + " " + line.detail;
}

bool Reading::drawn(const Context& context) const {
  return context.program.out_screen.is_terminal || context.style.on() || focused || unfold;
}

turns::Detail Reading::detail(const Context& context) const {
  return drawn(context) ? turns::Detail::parts : turns::Detail::sides;
}

void declare_reading(Options& options, Reading& reading) {
  options.flag("--focused", reading.focused, "only what was asked and what was concluded");
  options.flag("--unfold", reading.unfold, "all that tools printed and the model thought, too");
}

std::string turn_text(const Context& context, const turns::WholeTurn& turn, std::string_view agent,
                      const Reading& reading, bool alone, const store::MarksOn& marks) {
  if (!reading.drawn(context)) {
    return turn_text(context, turn, agent, alone ? kAllTools : kToolsInAPage);
  }
  constexpr std::size_t kLinesOfOne = 10;
  render::TerminalOptions options{context.style, context.columns(), alone ? kLinesOfOne : 0};
  if (reading.unfold) options.folded_lines = render::kUnfolded;
  const render::View view = reading.focused ? render::View::focused : render::View::all;
  render::Turn drawn = render::make_turn(turn, view);
  for (std::string& mark : service::marks_text(marks)) drawn.marks.push_back(std::move(mark));
  return render::terminal_turn(drawn, context.speaker(agent), options);
}

store::MarksOn marks_of(const search::ReadAnswer& answer, turns::TurnNumber number) {
  const auto found = answer.marks_of_turns.find(number);
  return found == answer.marks_of_turns.end() ? store::MarksOn{} : found->second;
}

std::string turn_text(const Context& context, const turns::WholeTurn& turn, std::string_view agent,
                      std::size_t max_tools) {
  std::string title = fmt::format("turn {}", turn.number);
  if (const std::string time = local_time(turn.time); !time.empty()) title += " · " + time;
  if (turn.abandoned) title += " · abandoned";
  if (turn.superseded) title += " · superseded";
  std::string out = context.style(Paint::dim, "── " + title + " ──") + "\n";
  const std::string parts[] = {
      spoken(context, Paint::cyan, "You", turn.user_text),
      tools_text(context, turn.tools_used, max_tools),
      spoken(context, Paint::green, turn.note ? "Note" : context.speaker(agent),
             turn.assistant_text)};
  bool first = true;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!first) out += "\n";
    out += part;
    first = false;
  }
  return out;
}

namespace {

std::string turns_of(const search::ReadAnswer& answer) {
  std::string turns = count(answer.total_turns);
  const std::uint32_t superseded = answer.session.superseded;
  if (superseded > 0) turns += fmt::format(" (and {} superseded)", count(superseded));
  return turns;
}

bool is_note(const search::ReadAnswer& answer) {
  return answer.session.standing == store::Standing::note;
}

std::string source_of(const Context& context, const search::ReadAnswer& answer) {
  if (answer.session.standing == store::Standing::prompts) {
    return "prompts alone, of " + shown_path(answer.session.path, context.home());
  }
  if (answer.superseded) return "rewritten since, read from the index";
  if (answer.source_missing) return "source is gone, read from the index";
  return shown_path(answer.session.path, context.home());
}

}  // namespace

std::string session_header(const Context& context, const search::ReadAnswer& answer) {
  const store::SessionRow& session = answer.session;
  const turns::SessionFacts& facts = session.facts;
  const std::string from = local_time(facts.first_time);
  const std::string until = local_time(facts.last_time);
  const std::pair<std::string_view, std::string> rows[] = {
      {is_note(answer) ? "note" : "session", session.uid},
      {"agent", context.display_name(session.agent)},
      {"project", session.project},
      {"folder", shown_path(facts.cwd.empty() ? session.ref_cwd : facts.cwd, context.home())},
      {"branch", facts.branch},
      {"model", facts.model},
      {"time", from == until ? from : from + " – " + until},
      {"turns", answer.superseded ? count(facts.turn_count) + ", superseded" : turns_of(answer)},
      {"parent", session.parent},
      {"marks", fmt::format("{}", fmt::join(service::marks_text(answer.marks), " "))},
      {"source", source_of(context, answer)},
  };
  const std::string title = session.title.empty() ? "(no title)" : session.title;
  std::string out = context.style(Paint::bold, text::fit(title, context.columns())) + "\n";
  for (const auto& [name, value] : rows) {
    // Whole, even when longer than the line: ids and paths are there to be copied.
    std::string safe = text::one_line(value);
    if (safe.empty()) continue;
    const bool is_source = name == "source" && !answer.superseded && !answer.source_missing;
    if (is_source) safe = context.style.link(render::file_url(session.path), safe);
    out += fmt::format("  {}  {}\n", context.style(Paint::dim, fmt::format("{:<8}", name)), safe);
  }
  return out;
}

}  // namespace yore::cli
