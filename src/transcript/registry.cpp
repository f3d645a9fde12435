#include "transcript/registry.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"

namespace yore::transcript {

// Those written by hand: one per folder of transcript/agents.
extern const Adapter kClaudeCode;
extern const Adapter kOpenClaw;
extern const Adapter kCodex;
extern const Adapter kGemini;
extern const Adapter kQwen;
extern const Adapter kOpenCode;
extern const Adapter kKimi;
extern const Adapter kPi;

const Agents& built_in_agents() {
  // On first use: the adapters are constants of other files and may not exist before main().
  static const Agents all = std::make_shared<AgentRegistry>(std::vector<Adapter>{
      kClaudeCode,
      kOpenClaw,
      kCodex,
      kGemini,
      kQwen,
      kOpenCode,
      kKimi,
      kPi,
  });
  return all;
}

const Adapter* AgentRegistry::find(std::string_view name) const {
  const auto found = std::ranges::find(agents_, name, &Adapter::name);
  return found == agents_.end() ? nullptr : &*found;
}

bool AgentRegistry::add(Adapter agent) {
  if (find(agent.name) != nullptr) return false;
  agents_.push_back(std::move(agent));
  return true;
}

bool is_safe_id(std::string_view id) {
  if (id.empty() || !ascii::is_alnum(id.front())) return false;
  return std::ranges::all_of(id, [](char c) {
    return ascii::is_alnum(c) || c == '.' || c == '_' || c == ':' || c == '-';
  });
}

}  // namespace yore::transcript
