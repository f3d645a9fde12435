#include "ingest/repositories.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "ingest/naming.hpp"
#include "text/utf8.hpp"

namespace yore::ingest {
namespace {

constexpr std::string_view kBestKnownHost = "github.com/";
constexpr std::string_view kInside = "//";  // between a repository and a folder in it
constexpr std::size_t kConfigBytes = 256 << 10;
constexpr std::size_t kLongestAddress = 500;

}  // namespace

std::string canonical_repository(std::string_view address) {
  address = text::trim(address);
  if (address.empty() || address.size() > kLongestAddress) return "";
  if (address.front() == '/') return absolute_path(address);
  const std::size_t scheme = address.find("://");
  if (scheme != std::string_view::npos) {
    if (address.starts_with("file:")) return "";
    address.remove_prefix(scheme + 3);
  }
  const std::size_t path = address.find('/');
  const std::size_t at = address.substr(0, path).rfind('@');
  if (at != std::string_view::npos) address.remove_prefix(at + 1);
  std::string key = ascii::to_lower(address);
  // "host:path" of ssh; of an address with a scheme it is the port.
  const std::size_t colon = key.substr(0, key.find('/')).find(':');
  if (colon != std::string::npos) {
    if (scheme == std::string_view::npos) {
      key[colon] = '/';
    } else {
      key.erase(colon, key.find('/', colon) - colon);
    }
  }
  while (key.ends_with('/')) key.pop_back();
  if (key.ends_with(".git")) key.erase(key.size() - 4);
  if (key.starts_with(kBestKnownHost)) key.erase(0, kBestKnownHost.size());
  const bool whole = key.find('/') != std::string::npos && key.find(kInside) == std::string::npos;
  return whole ? key : "";
}

std::string remote_in(std::string_view git_config) {
  std::string first;
  bool in_remote = false;
  bool in_origin = false;
  while (!git_config.empty()) {
    const std::size_t end = std::min(git_config.find('\n'), git_config.size());
    const std::string_view line = text::trim(git_config.substr(0, end));
    git_config.remove_prefix(std::min(end + 1, git_config.size()));
    if (line.starts_with('[')) {
      in_remote = line.starts_with("[remote ");
      in_origin = in_remote && line.find("\"origin\"") != std::string_view::npos;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!in_remote || equals == std::string_view::npos) continue;
    if (text::trim(line.substr(0, equals)) != "url") continue;
    const std::string_view url = text::trim(line.substr(equals + 1));
    if (in_origin) return std::string(url);
    if (first.empty()) first = url;
  }
  return first;
}

const std::string& RepositoryFinder::key_of(const std::string& folder) {
  const auto seen = keys_.find(folder);
  if (seen != keys_.end()) return seen->second;
  const auto before = known_.find(folder);
  std::string key = folder.starts_with('/') && may_look_(folder) ? look(folder) : "";
  if (key.empty() && before != known_.end()) key = before->second;
  keys_.emplace(folder, "");  // ends a circle of checkouts
  if (key.starts_with('/')) key = key_of(std::string(key));
  return keys_[folder] = key;
}

// The closest folder above that is a checkout; what is a part of another repository is left alone.
std::string RepositoryFinder::look(const std::string& folder) const {
  std::string root = folder;
  while (root.size() > 1) {
    const std::string git = path_join(root, ".git");
    const PathState state = look_at(git);
    std::string main = state.there && state.type == FileType::directory ? root : "";
    if (state.there && state.type == FileType::regular) {
      const auto text = read_file(git, kConfigBytes);
      if (text) main = worktree_root_in(*text);
      if (main.empty() || !may_look_(main)) return "";
    }
    if (main.empty()) {
      root = std::string(path_dirname(root));
      continue;
    }
    const auto config = read_file(path_join(main, ".git/config"), kConfigBytes);
    const std::string key = config ? canonical_repository(remote_in(*config)) : "";
    if (key.empty() || key.starts_with('/')) return "";
    return root == folder ? key : key + std::string(kInside) + folder.substr(root.size() + 1);
  }
  return "";
}

std::map<std::string, std::string, std::less<>> names_of_repositories(
    const std::vector<Checkout>& checkouts) {
  std::map<std::string, std::map<std::string, Checkout>> by_key;
  for (const Checkout& each : checkouts) {
    if (each.key.empty()) continue;
    const auto [slot, is_new] = by_key[each.key].emplace(each.path, each);
    if (!is_new && each.first != kNoTime && each.first < slot->second.first) {
      slot->second.first = each.first;
    }
  }
  std::map<std::string, std::string, std::less<>> names;
  for (const auto& [key, folders] : by_key) {
    if (folders.size() < 2) continue;
    const Checkout* last = nullptr;
    bool called_so = false;
    for (const auto& [path, each] : folders) {
      if (ascii::to_lower(each.name) == path_basename(key)) {
        last = &each;
        called_so = true;
      } else if (!called_so && (last == nullptr || each.first >= last->first)) {
        last = &each;
      }
    }
    names.emplace(key, last->name);
  }
  return names;
}

}  // namespace yore::ingest
