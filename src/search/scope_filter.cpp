#include "search/scope_filter.hpp"

#include <algorithm>

#include "text/glob.hpp"

namespace yore::search {
namespace {
constexpr std::string_view kClaudeCode = "claude-code";
}

Result<ScopeFilter> ScopeFilter::make(const config::World& world,
                                      const transcript::AgentRegistry& agents,
                                      const config::Scope& scope, store::Store& store) {
  ScopeFilter filter;
  filter.scope_ = scope;
  filter.anywhere_ = !scope.pattern && scope.sources.empty();
  filter.unlimited_ = filter.anywhere_ && scope.sessions == nullptr;
  if (filter.anywhere_) return filter;
  auto roots = store.roots();
  if (!roots) return roots.error();
  for (const store::RootRow& root : *roots) {
    if (root.agent == kClaudeCode && !root.named) filter.claude_roots_.push_back(root.id);
  }
  for (const std::string& text : scope.sources) {
    const auto wanted = config::parse_source(text, agents, world.env);
    if (!wanted) return wanted.error();
    for (const store::RootRow& root : *roots) {
      const bool same = root.agent == wanted->adapter->name && root.path == wanted->root.path;
      if (same) filter.scope_roots_.push_back(root.id);
    }
  }
  return filter;
}

bool ScopeFilter::allows(store::SessionId session, store::RootId root,
                         std::string_view directory) const {
  if (scope_.sessions != nullptr && !scope_.sessions->contains(session)) return false;
  return anywhere_ || allows_place(root, directory);
}

bool ScopeFilter::allows_place(store::RootId root, std::string_view directory) const {
  if (std::ranges::find(scope_roots_, root) != scope_roots_.end()) return true;
  if (std::ranges::find(claude_roots_, root) == claude_roots_.end()) return false;
  return !scope_.pattern || text::glob_match(*scope_.pattern, directory);
}

}  // namespace yore::search
