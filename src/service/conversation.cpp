#include "service/conversation.hpp"

#include "render/local_time.hpp"
#include "text/display.hpp"

namespace yore::service {
namespace {

std::string title_of_session(const store::SessionRow& session) {
  const std::string& prompt = session.facts.first_prompt;
  const bool says_nothing = session.title.empty() || session.title_kind == "slug";
  const std::string& title = says_nothing && !prompt.empty() ? prompt : session.title;
  constexpr std::size_t kColumns = 100;
  return title.empty() ? "(no title)" : text::fit(title, kColumns);
}

std::string time_span(const turns::SessionFacts& facts) {
  const std::string from = render::local_time(facts.first_time);
  const std::string until = render::local_time(facts.last_time);
  if (from == until) return from;
  // The same day is said once.
  constexpr std::size_t kDay = 11;
  const bool same_day = from.size() > kDay && until.starts_with(from.substr(0, kDay));
  return from + " \u2013 " + (same_day ? until.substr(kDay) : until);
}

std::string turns_text(const search::ReadAnswer& answer) {
  std::string turns = text::with_commas(answer.turns.size());
  if (answer.turns.size() < answer.total_turns) {
    turns += " of " + text::with_commas(answer.total_turns);
  }
  if (answer.superseded) turns += ", superseded";
  return turns;
}

std::string in_one_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

std::vector<std::string> marks_text(const store::MarksOn& marks) {
  std::vector<std::string> shown;
  if (marks.starred) shown.emplace_back("\u2605");
  if (!marks.name.empty()) shown.push_back(marks.name);
  for (const std::string& tag : marks.tags) shown.push_back("#" + tag);
  return shown;
}

render::Heading heading_of(const search::ReadAnswer& answer,
                           const transcript::AgentRegistry& agents) {
  const store::SessionRow& session = answer.session;
  const transcript::Adapter* adapter = agents.find(session.agent);
  render::Heading heading;
  heading.title = title_of_session(session);
  heading.assistant = adapter == nullptr ? session.agent : std::string(adapter->speaker);
  heading.facts = {
      {"agent", adapter == nullptr ? session.agent : std::string(adapter->display_name)},
      {"project", session.project},
      {"folder", session.facts.cwd.empty() ? session.ref_cwd : session.facts.cwd},
      {"branch", session.facts.branch},
      {"model", session.facts.model},
      {"time", time_span(session.facts)},
      {"turns", turns_text(answer)},
      {"machine", session.host},
      {"marks", in_one_line(marks_text(answer.marks))},
      {"session", session.uid},
  };
  return heading;
}

render::Conversation conversation_of(const search::ReadAnswer& answer,
                                     const transcript::AgentRegistry& agents, render::View view) {
  render::Conversation conversation{heading_of(answer, agents), {}};
  conversation.turns.reserve(answer.turns.size());
  for (const turns::WholeTurn& turn : answer.turns) {
    render::Turn& made = conversation.turns.emplace_back(render::make_turn(turn, view));
    const auto marks = answer.marks_of_turns.find(turn.number);
    if (marks == answer.marks_of_turns.end()) continue;
    const std::vector<std::string> shown = marks_text(marks->second);
    made.marks.insert(made.marks.end(), shown.begin(), shown.end());
  }
  return conversation;
}

std::size_t masked_in(const search::ReadAnswer& answer) {
  std::size_t count = 0;
  for (const turns::WholeTurn& turn : answer.turns) count += turn.masked;
  return count;
}

}  // namespace yore::service
