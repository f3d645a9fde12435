// roots.hpp — which folders hold transcripts: the rules of the adapters, the settings and the
// flags.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_view.hpp"
#include "base/result.hpp"
#include "transcript/registry.hpp"

namespace yore::config {

// Reads one environment variable; nullopt when unset or empty. Injected, so that tests need no
// process-wide state.
using GetEnv = std::function<std::optional<std::string>(std::string_view name)>;

struct FoundRoot {
  const transcript::Adapter* adapter = nullptr;  // of the registry that was asked
  transcript::Root root;
  bool exists = false;
  std::string_view needs = {};  // a path without which it is no place of the agent's
  bool far = false;             // on another disk; see whereabouts.hpp
};

// Can it be a root? A folder, or a file that holds many sessions, such as a database.
bool is_place(const std::string& path, const FileView& files = {});

// Every place the adapters' rules lead to, each path once for an agent. Nothing is looked at:
// `exists` is false.
std::vector<FoundRoot> default_places(const transcript::AgentRegistry& agents, const GetEnv& env);
// Is it there, with what it needs?
bool exists(const FoundRoot& root, const GetEnv& env, const FileView& files = {});
// The same, and whether they exist.
std::vector<FoundRoot> default_roots(const transcript::AgentRegistry& agents, const GetEnv& env,
                                     const FileView& files = {});

// "openclaw:~/x/sessions" as given with --source or in the settings. The path is made absolute and
// not looked at.
Result<FoundRoot> parse_source(std::string_view text, const transcript::AgentRegistry& agents,
                               const GetEnv& env);

std::string home_directory(const GetEnv& env);

}  // namespace yore::config
