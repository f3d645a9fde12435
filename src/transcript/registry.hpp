// registry.hpp — the agents that a program knows, by name.
//
// A value: programs and tests can have their own. Adapters are found by pointers into it, so it
// does not change once it is in use; whoever holds such a pointer holds the registry.
//
// Threads: a const one may be used from any thread.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"

namespace yore::transcript {

struct AgentSpec;

class AgentRegistry {
 public:
  AgentRegistry() = default;
  explicit AgentRegistry(std::vector<Adapter> agents) : agents_(std::move(agents)) {}

  // In the order in which they are shown.
  [[nodiscard]] std::span<const Adapter> all() const { return agents_; }
  // Null: there is none of this name.
  [[nodiscard]] const Adapter* find(std::string_view name) const;
  // False when the name is taken; nothing has changed then.
  bool add(Adapter agent);

 private:
  std::vector<Adapter> agents_;
};

// Shared by settings and all that was opened with them.
using Agents = std::shared_ptr<const AgentRegistry>;

// An adapter of a description, which may be like one of `agents`; an error when there is no such.
Result<Adapter> make_agent(AgentSpec spec, const AgentRegistry& agents);

// The agents that come with the program; made at the first call.
const Agents& built_in_agents();

}  // namespace yore::transcript
