#include "config/roots.hpp"

#include <algorithm>

#include "base/files/file.hpp"

namespace yore::config {

using transcript::Adapter;
using transcript::RootRule;

namespace {

std::string base_of(std::string_view name, const GetEnv& env) {
  const std::string home = home_directory(env);
  if (name == "~config") {
    return env("XDG_CONFIG_HOME").value_or(path_join(home, ".config"));
  }
  if (name == "~data") {
    return env("XDG_DATA_HOME").value_or(path_join(home, ".local/share"));
  }
  return expand_home(name, home);
}

std::string resolve(const RootRule& rule, const GetEnv& env) {
  std::string base;
  if (!rule.env.empty()) base = expand_home(env(rule.env).value_or(""), home_directory(env));
  // The variable replaces the default folder; what a rule adds below it is the same.
  if (base.empty()) base = base_of(rule.base, env);
  return absolute_path(rule.suffix.empty() ? base : path_join(base, rule.suffix));
}

}  // namespace

bool is_place(const std::string& path, const FileView& files) {
  return files.is_directory(path) || files.is_regular_file(path);
}

std::string home_directory(const GetEnv& env) {
  return env("HOME").value_or("/");
}

std::vector<FoundRoot> default_roots(const transcript::AgentRegistry& agents, const GetEnv& env,
                                     const FileView& files) {
  std::vector<FoundRoot> roots;
  for (const Adapter& adapter : agents.all()) {
    for (const RootRule& rule : adapter.roots) {
      const std::string path = resolve(rule, env);
      const bool known = std::ranges::any_of(roots, [&](const FoundRoot& other) {
        return other.adapter == &adapter && other.root.path == path;
      });
      if (known) continue;
      FoundRoot& found = roots.emplace_back();
      found.adapter = &adapter;
      const bool needed = rule.needs.empty() || is_place(base_of(rule.needs, env), files);
      found.exists = needed && is_place(path, files);
      found.root.path = path;
    }
  }
  return roots;
}

Result<FoundRoot> parse_source(std::string_view text, const transcript::AgentRegistry& agents,
                               const GetEnv& env, const FileView& files) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) {
    return Error{Errc::invalid_argument, "source '" + std::string(text) + "': want FORMAT:PATH",
                 "for example openclaw:~/.openclaw/agents/clawd/sessions"};
  }
  const std::string_view format = text.substr(0, colon);
  const Adapter* adapter = agents.find(format);
  if (adapter == nullptr) {
    std::string known;
    for (const Adapter& each : agents.all()) {
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    return Error{Errc::invalid_argument, "source format '" + std::string(format) + "' is unknown",
                 "known formats: " + known};
  }
  FoundRoot found;
  found.adapter = adapter;
  found.root.path = absolute_path(expand_home(text.substr(colon + 1), home_directory(env)));
  found.root.named = true;
  found.exists = is_place(found.root.path, files);
  return found;
}

}  // namespace yore::config
