// scope_filter.hpp — which sessions a scope (PATTERN, --source, a program's own choice) lets
// through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "store/store.hpp"

namespace yore::search {

class ScopeFilter {
 public:
  static Result<ScopeFilter> make(const config::World& world,
                                  const transcript::AgentRegistry& agents,
                                  const config::Scope& scope, store::Store& store);
  [[nodiscard]] bool unlimited() const { return unlimited_; }
  // Does it let every place through? Then it does not depend on the roots.
  [[nodiscard]] bool anywhere() const { return anywhere_; }
  [[nodiscard]] const config::Scope& scope() const { return scope_; }
  [[nodiscard]] bool allows(store::SessionId session, store::RootId root,
                            std::string_view directory) const;

 private:
  [[nodiscard]] bool allows_place(store::RootId root, std::string_view directory) const;

  config::Scope scope_;
  bool unlimited_ = true;
  bool anywhere_ = true;                     // neither PATTERN nor --source
  std::vector<store::RootId> scope_roots_;   // of --source
  std::vector<store::RootId> claude_roots_;  // unnamed Claude Code roots
};

}  // namespace yore::search
