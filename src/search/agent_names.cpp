#include "search/agent_names.hpp"

#include <algorithm>

#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::search {
namespace {

constexpr std::size_t kShownChars = 60;

}  // namespace

Error no_such_agent(std::string_view name, const transcript::AgentRegistry& agents) {
  std::vector<std::string_view> known;
  std::string list = "known agents: ";
  for (const transcript::Adapter& adapter : agents.all()) {
    list.append(known.empty() ? "" : ", ").append(adapter.name);
    known.push_back(adapter.name);
  }
  const std::string_view shown = text::first_chars(name, kShownChars);
  std::string sentence = "no agent \"" + std::string(shown);
  sentence += shown.size() < name.size() ? "…\"" : "\"";
  const std::string_view meant = text::closest(name, known);
  if (!meant.empty()) sentence.append("; did you mean ").append(meant).append("?");
  return {Errc::invalid_argument, std::move(sentence), std::move(list)};
}

std::vector<std::string> notes_on_agents(const std::vector<std::string>& wanted,
                                         const std::vector<std::string_view>& present,
                                         const transcript::AgentRegistry& agents) {
  std::vector<std::string> notes;
  for (const std::string& name : wanted) {
    const auto is_meant = [&](std::string_view agent) { return text::iequals(agent, name); };
    if (std::ranges::any_of(present, is_meant)) continue;
    const auto adapters = agents.all();
    const auto adapter = std::ranges::find_if(adapters, is_meant, &transcript::Adapter::name);
    if (adapter != adapters.end()) {
      notes.push_back("There are no sessions of " + std::string(adapter->display_name) + ".");
      continue;
    }
    const Error error = no_such_agent(name, agents);
    notes.push_back(error.message + (error.message.ends_with('?') ? " " : "; ") + error.hint);
  }
  return notes;
}

}  // namespace yore::search
