#include "transcript/registry.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/crush/hooks.hpp"
#include "transcript/agents/kimi/hooks.hpp"
#include "transcript/spec/built_in_specs.hpp"
#include "transcript/spec/lazy_agent.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::transcript {
namespace {

// Of one of our own descriptions: its head now, the rest when it is needed.
Adapter described(std::string_view file, const Hooks* hooks) {
  const auto specs = built_in_specs();
  const auto found = std::ranges::find(specs, file, &BuiltInSpec::file);
  const std::string_view text = found == specs.end() ? std::string_view{} : found->text;
  auto head = parse_agent_head(text, file);
  if (!head) return {};  // a test fails before this is ever so
  head->hooks = hooks;
  return make_adapter(std::move(*head), [file, text, hooks] {
    auto spec = parse_agent(text, file);
    if (spec) spec->hooks = hooks;
    return spec;
  });
}

// The agents that are described: file, and what is odd about it.
struct Described {
  std::string_view file;
  const Hooks* hooks = nullptr;
};
constexpr std::array kDescribed = {
    Described{"kimi.toml", &kimi::kHooks},
    Described{"pi.toml"},
    Described{"hermes.toml"},
    Described{"goose.toml"},
    Described{"crush.toml", &crush::kHooks},
    Described{"zed.toml"},
    Described{"forge.toml"},
    Described{"llm.toml"},
    Described{"kiro.toml"},
    Described{"amazon-q.toml"},
};

}  // namespace

const Agents& built_in_agents() {
  // On first use: the adapters are constants of other files and may not exist before main().
  static const Agents all = [] {
    std::vector<Adapter> agents = {
        claude_code::kAdapter, openclaw::kAdapter, codex::kAdapter,
        gemini::kAdapter,      qwen::kAdapter,
    };
    std::ranges::move(opencode::family(), std::back_inserter(agents));
    for (const auto& [file, hooks] : kDescribed) agents.push_back(described(file, hooks));
    return std::make_shared<AgentRegistry>(std::move(agents));
  }();
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
