#include "config/user_agents.hpp"

#include <utility>

#include "base/files/file.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::config {
namespace {

constexpr std::string_view kToml = ".toml";
constexpr std::size_t kMostFiles = 200;

Result<transcript::Adapter> load(const std::string& path, const transcript::AgentRegistry& agents) {
  const auto text = read_file(path, transcript::kMaxSpecBytes + 1);
  if (!text) return text.error();
  auto spec = transcript::parse_agent(*text, path);
  if (!spec) return spec.error();
  auto adapter = transcript::make_agent(std::move(*spec), agents);
  if (!adapter) return Error{adapter.error().code, path + ": " + adapter.error().message};
  adapter->from_user = true;
  return adapter;
}

}  // namespace

transcript::Agents with_user_agents(transcript::Agents agents, const std::string& directory,
                                    std::vector<std::string>& warnings) {
  const auto entries = list_directory(directory);
  if (!entries) {
    if (entries.error().code != Errc::not_found) warnings.push_back(entries.error().message);
    return agents;
  }
  auto all = std::make_shared<transcript::AgentRegistry>(*agents);
  std::size_t files = 0;
  for (const DirEntry& entry : *entries) {
    if (entry.type != FileType::regular || !entry.name.ends_with(kToml)) continue;
    const std::string path = path_join(directory, entry.name);
    if (++files > kMostFiles) {
      warnings.push_back(directory + ": more than " + std::to_string(kMostFiles) +
                         " descriptions: the rest is left out");
      break;
    }
    auto adapter = load(path, *agents);
    if (!adapter) {
      warnings.push_back(adapter.error().message);
      continue;
    }
    const std::string name(adapter->name);
    if (!all->add(std::move(*adapter))) {
      warnings.push_back(path + ": there is an agent '" + name + "' already");
    }
  }
  return all;
}

}  // namespace yore::config
