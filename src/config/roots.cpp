#include "config/roots.hpp"

#include <algorithm>

#include "base/files/file.hpp"

namespace yore::config {

using transcript::Adapter;
using transcript::RootRule;

namespace {

// What rules begin with; asked for once, however many rules there are.
struct Bases {
  explicit Bases(const GetEnv& env)
      : home(home_directory(env)),
        config(env("XDG_CONFIG_HOME").value_or(path_join(home, ".config"))),
        data(env("XDG_DATA_HOME").value_or(path_join(home, ".local/share"))) {}

  std::string home;
  std::string config;
  std::string data;
};

std::string resolve(const RootRule& rule, const Bases& bases, const GetEnv& env) {
  std::string base;
  if (!rule.env.empty()) base = expand_home(env(rule.env).value_or(""), bases.home);
  // The variable replaces the default folder; what a rule adds below it is the same.
  if (base.empty()) {
    base = rule.base == "~config" ? bases.config
           : rule.base == "~data" ? bases.data
                                  : expand_home(rule.base, bases.home);
  }
  return absolute_path(rule.suffix.empty() ? base : path_join(base, rule.suffix));
}

}  // namespace

bool is_place(const std::string& path, const FileView& files) {
  const PathState state = files.look(path);
  return state.there && (state.type == FileType::directory || state.type == FileType::regular);
}

std::string home_directory(const GetEnv& env) {
  return env("HOME").value_or("/");
}

std::vector<FoundRoot> default_places(const transcript::AgentRegistry& agents, const GetEnv& env) {
  const Bases bases(env);
  std::vector<FoundRoot> places;
  for (const Adapter& adapter : agents.all()) {
    const std::size_t first = places.size();
    for (const RootRule& rule : adapter.roots) {
      std::string path = resolve(rule, bases, env);
      const bool known =
          std::any_of(places.begin() + static_cast<std::ptrdiff_t>(first), places.end(),
                      [&](const FoundRoot& other) { return other.root.path == path; });
      if (known) continue;
      places.push_back({&adapter, {std::move(path), false}, false, rule.needs});
    }
  }
  return places;
}

bool exists(const FoundRoot& root, const GetEnv& env, const FileView& files) {
  const bool needed =
      root.needs.empty() || is_place(expand_home(root.needs, home_directory(env)), files);
  return needed && is_place(root.root.path, files);
}

std::vector<FoundRoot> default_roots(const transcript::AgentRegistry& agents, const GetEnv& env,
                                     const FileView& files) {
  std::vector<FoundRoot> roots = default_places(agents, env);
  for (FoundRoot& root : roots) root.exists = exists(root, env, files);
  return roots;
}

Result<FoundRoot> parse_source(std::string_view text, const transcript::AgentRegistry& agents,
                               const GetEnv& env) {
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
  return found;
}

}  // namespace yore::config
