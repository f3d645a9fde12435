#include "search/asking_session.hpp"

#include <array>
#include <utility>

namespace yore::search {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSessionVariables = {{
    {"claude-code", "CLAUDE_CODE_SESSION_ID"},
    {"qwen", "QWEN_CODE_SESSION_ID"},
}};
// Some agents write the first prompt down before they start their servers.
constexpr std::chrono::seconds kHeadStart{30};
constexpr std::size_t kMostActive = 20;

bool is_in_folder(const store::SessionRow& session, const std::string& folder) {
  return session.facts.cwd == folder || session.facts.first_cwd == folder ||
         session.ref_cwd == folder;
}

}  // namespace

std::string session_in_environment(const config::World& world, std::string_view agent) {
  for (const auto& [name, variable] : kSessionVariables) {
    if (!agent.empty() && agent != name) continue;
    if (auto id = world.env(variable); id && !id->empty()) return std::move(*id);
  }
  return "";
}

Result<std::optional<store::SessionRow>> session_by_activity(Reader& reader, const Asker& asker) {
  const std::optional<store::SessionRow> nobody;
  if (asker.agent.empty() || asker.folder.empty() || asker.since == kNoTime) return nobody;
  const Time since = asker.since - kHeadStart;
  ListFilter filter;
  filter.agents = {asker.agent};
  filter.since = since;
  filter.automated = true;
  filter.limit = kMostActive;
  filter.count_hidden = false;
  auto active = reader.list(filter);
  if (!active) return active.error();
  std::vector<store::SessionRow> running;
  std::vector<store::SessionRow> waiting;
  for (store::SessionRow& session : active->sessions) {
    if (!is_in_folder(session, asker.folder)) continue;
    const auto turns = reader.store().turns_of(session.id);
    if (!turns) return turns.error();
    if (turns->empty() || turns->back().first_time < since) continue;
    if (turns->back().assistant_blocks == 0) waiting.push_back(session);
    running.push_back(std::move(session));
  }
  if (active->more) return nobody;
  if (running.size() == 1) return std::optional(std::move(running.front()));
  if (waiting.size() == 1) return std::optional(std::move(waiting.front()));
  return nobody;
}

}  // namespace yore::search
