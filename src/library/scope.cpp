#include "library/scope.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "library/values.hpp"
#include "text/utf8.hpp"

namespace yore::library {
namespace {

using store::SessionRow;
using Texts = std::vector<std::string>;

bool any_contained(const Texts& wanted, const SessionRow& session) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& text) {
           return text::icontains(session.project, text) ||
                  text::icontains(session.directory, text) ||
                  text::icontains(session.project_path, text);
         });
}

bool any_equal(const Texts& wanted, const std::string& agent) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& text) {
           return text::iequals(text, agent);
         });
}

bool matches(const SessionRow& session, const CorpusOptions& options) {
  // A source of its own is alone, whatever else the data directory holds.
  if (options.source != nullptr && !session.path.empty()) return false;
  if (options.since && session.facts.last_time < to_time(*options.since)) return false;
  return session.facts.turn_count > 0 && any_equal(options.agents, session.agent) &&
         any_contained(options.projects, session);
}

bool narrows(const CorpusOptions& options) {
  return options.since || !options.projects.empty() || !options.agents.empty() ||
         options.max_sessions > 0 || options.source != nullptr;
}

}  // namespace

Result<std::shared_ptr<const config::SessionSet>> sessions_in_scope(store::Store& store,
                                                                    const CorpusOptions& options) {
  if (!narrows(options)) return std::shared_ptr<const config::SessionSet>{};
  auto sessions = std::make_shared<config::SessionSet>();
  std::unordered_set<std::string> names;
  std::vector<std::pair<store::SessionId, std::string>> subagents;  // with their parents
  std::size_t taken = 0;
  const Status status = store.each_session([&](SessionRow&& session) {
    if (session.kind == transcript::SessionKind::subagent) {
      subagents.emplace_back(session.id, std::move(session.parent));
      return true;
    }
    const bool full = options.max_sessions > 0 && taken == options.max_sessions;
    if (full || !matches(session, options)) return true;
    ++taken;
    sessions->insert(session.id);
    names.insert(std::move(session.uid));
    return true;
  });
  if (!status) return status.error();
  for (const auto& [id, parent] : subagents) {
    if (names.contains(parent)) sessions->insert(id);
  }
  return std::shared_ptr<const config::SessionSet>(std::move(sessions));
}

}  // namespace yore::library
