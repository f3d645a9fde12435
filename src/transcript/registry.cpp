#include "transcript/registry.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/crush/hooks.hpp"
#include "transcript/agents/exports/hooks.hpp"
#include "transcript/agents/grok/hooks.hpp"
#include "transcript/agents/kimi/hooks.hpp"
#include "transcript/agents/llm/hooks.hpp"
#include "transcript/agents/vibe/hooks.hpp"
#include "transcript/agents/warp/hooks.hpp"
#include "transcript/spec/built_in_specs.hpp"
#include "transcript/spec/lazy_agent.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::transcript {
namespace {

// One of our own descriptions: its head is a constant, the rest is parsed when it is needed.
Adapter described(std::string_view file, const Hooks* hooks) {
  const auto specs = built_in_specs();
  const auto found = std::ranges::find(specs, file, &BuiltInSpec::file);
  if (found == specs.end()) return {};  // a test fails before this is ever so
  const BuiltInSpec& spec = *found;
  return make_adapter(spec.head.head(), hooks,
                      [&spec] { return parse_agent(spec.text, spec.file); });
}

// The agents that are described: file, and what is odd about it.
struct Described {
  std::string_view file;
  const Hooks* hooks = nullptr;
};
constexpr std::array kDescribed = {
    Described{"kimi.toml", &kimi::kHooks},
    Described{"pi.toml"},
    Described{"copilot.toml"},
    Described{"vscode-chat.toml"},
    Described{"antigravity.toml"},
    Described{"droid.toml"},
    Described{"grok.toml", &grok::kHooks},
    Described{"vibe.toml", &vibe::kHooks},
    Described{"aider.toml"},
    Described{"continue.toml"},
    Described{"openhands.toml"},
    Described{"amp.toml"},
    Described{"gptme.toml"},
    Described{"junie.toml"},
    Described{"codebuddy.toml"},
    Described{"qoder.toml"},
    Described{"hermes.toml"},
    Described{"goose.toml"},
    Described{"crush.toml", &crush::kHooks},
    Described{"omp.toml"},
    Described{"prime.toml"},
    Described{"zed.toml"},
    Described{"forge.toml"},
    Described{"llm.toml", &llm::kHooks},
    Described{"kiro.toml"},
    Described{"amazon-q.toml"},
    Described{"cursor.toml"},
    Described{"cline.toml"},
    Described{"roo.toml"},
    Described{"warp.toml", &warp::kHooks},
    Described{"dsh.toml"},
    Described{"iflow.toml"},
    Described{"codewhale.toml"},
    Described{"jcode.toml"},
    Described{"auggie.toml"},
    Described{"devin.toml"},
    Described{"chatgpt.toml", &exports::kChatGptHooks},
    Described{"claude-ai.toml", &exports::kClaudeAiHooks},
};

// Those that write what an agent which is written by hand writes: nothing but names.
struct Follower {
  std::string_view file;
  std::string_view like;
};
constexpr std::array kFollowers = {
    Follower{"traex.toml", "codex"},
    Follower{"tabnine.toml", "gemini"},
};

Adapter follower(const Follower& follower, const std::vector<Adapter>& agents) {
  const auto specs = built_in_specs();
  const auto spec = std::ranges::find(specs, follower.file, &BuiltInSpec::file);
  const auto other = std::ranges::find(agents, follower.like, &Adapter::name);
  if (spec == specs.end() || other == agents.end()) return {};  // a test fails before this is so
  return make_renamed(*other, spec->head.head(), nullptr);
}

}  // namespace

const Agents& built_in_agents() {
  // On first use: the adapters are constants of other files and may not exist before main().
  static const Agents all = [] {
    std::vector<Adapter> agents = {
        claude_code::kAdapter,
        cowork::kAdapter,
        claude_code::kOpenClaudeAdapter,
        claude_code::kCommandCodeAdapter,
        openclaw::kAdapter,
        codex::kAdapter,
        gemini::kAdapter,
        qwen::kAdapter,
    };
    std::ranges::move(opencode::family(), std::back_inserter(agents));
    for (const auto& [file, hooks] : kDescribed) agents.push_back(described(file, hooks));
    for (const Follower& each : kFollowers) agents.push_back(follower(each, agents));
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

Result<Adapter> make_agent(AgentSpec spec, const AgentRegistry& agents) {
  if (spec.like.empty()) return make_adapter(std::move(spec));
  const Adapter* other = agents.find(spec.like);
  if (other == nullptr || other->from_user) {
    return Error{Errc::invalid_argument, "'like' of " + spec.name + ": there is no agent '" +
                                             spec.like.substr(0, 80) + "'"};
  }
  return make_renamed(*other, std::move(spec));
}

bool is_safe_id(std::string_view id) {
  if (id.empty() || !ascii::is_alnum(id.front())) return false;
  return std::ranges::all_of(id, [](char c) {
    return ascii::is_alnum(c) || c == '.' || c == '_' || c == ':' || c == '-';
  });
}

}  // namespace yore::transcript
