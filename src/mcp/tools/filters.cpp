#include "mcp/tools/filters.hpp"

#include <algorithm>

#include "search/agent_names.hpp"
#include "search/vocabulary.hpp"
#include "text/utf8.hpp"
#include "text/when.hpp"

namespace yore::mcp {
namespace {

constexpr std::size_t kNameChars = 500;

std::optional<Time> read_time(Arguments& arguments, std::string_view name,
                              const config::World& world) {
  const auto text = arguments.text(name, kNameChars);
  if (!text) return std::nullopt;
  const auto time = text::parse_time_expression(*text, world.now, world.local_offset);
  if (!time) {
    arguments.refuse(std::string(name) +
                     " must be a time such as 2h, 3d, 2w, 6m, 1y, today, yesterday, 2026-01-31 or "
                     "ISO 8601, not " +
                     shown(*text) + ".");
  }
  return time;
}

std::vector<std::string> read_names(Arguments& arguments, std::string_view name) {
  std::vector<std::string> names = arguments.texts(name);
  for (std::string& each : names) {
    each = text::trim(each);
    if (text::count_chars(each) > kNameChars) {
      arguments.refuse(std::string(name) + " must have at most 500 characters.");
    }
  }
  return names;
}

// Agents go by one name each; one that does not exist matches nothing.
void read_agents(Arguments& arguments, const transcript::AgentRegistry& agents, Filters& filters) {
  const std::vector<std::string> wanted = read_names(arguments, "agent");
  std::vector<std::string_view> known;
  for (const transcript::Adapter& adapter : agents.all()) known.push_back(adapter.name);
  for (const std::string_view each : known) {
    const bool is_wanted = std::ranges::any_of(
        wanted, [&](const std::string& name) { return text::iequals(each, name); });
    if (is_wanted) filters.agents.emplace_back(each);
  }
  for (std::string& note : search::notes_on_agents(wanted, known, agents)) {
    filters.notes.push_back(std::move(note));
  }
  filters.match_nothing = !wanted.empty() && filters.agents.empty();
}

}  // namespace

std::string read_session_id(Arguments& arguments) {
  return std::string(text::trim(arguments.required_text("session_id", kNameChars)));
}

std::size_t read_limit(Arguments& arguments, std::int64_t fallback,
                       std::vector<std::string>& notes) {
  const auto limit = arguments.at_most("limit", {1, search::kMostRows}, fallback);
  if (limit.reduced) {
    notes.push_back("limit was reduced to " + std::to_string(search::kMostRows) + ", its maximum.");
  }
  return static_cast<std::size_t>(limit.value);
}

Filters read_filters(Arguments& arguments, const config::World& world,
                     const transcript::AgentRegistry& agents, std::int64_t limit) {
  Filters filters;
  filters.limit = read_limit(arguments, limit, filters.notes);
  filters.projects = read_names(arguments, "project");
  read_agents(arguments, agents, filters);
  filters.since = read_time(arguments, "since", world);
  filters.until = read_time(arguments, "until", world);
  if (filters.since && filters.until && *filters.since >= *filters.until) {
    filters.notes.emplace_back("since is not before until, so nothing can match.");
    filters.match_nothing = true;
  }
  return filters;
}

}  // namespace yore::mcp
