#include "ingest/naming.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "text/glob.hpp"
#include "text/utf8.hpp"

namespace yore::ingest {
namespace {

constexpr std::size_t kTitleChars = 200;

std::string cut(std::string_view text) {
  return std::string(text::first_chars(text::trim(text), kTitleChars));
}

// The last two parts of a directory name: "-home-ann-blog-engine" gives "blog-engine".
std::string_view last_two_parts(std::string_view name) {
  const std::size_t last = name.rfind('-');
  if (last == std::string_view::npos || last == 0) return name;
  const std::size_t before = name.rfind('-', last - 1);
  return before == std::string_view::npos ? name : name.substr(before + 1);
}

}  // namespace

Title title_of(const store::SessionRow& session, std::string_view leaf_summary) {
  const turns::SessionFacts& facts = session.facts;
  const std::string_view own_index =
      facts.index_title.empty() ? std::string_view(session.ref_title) : facts.index_title;
  const std::pair<std::string_view, std::string_view> candidates[] = {
      {facts.custom_title, "custom"}, {facts.name_title, "custom"},
      {leaf_summary, "summary"},      {facts.ai_title, "ai"},
      {own_index, "index"},           {facts.compaction_title, "compaction"},
      {facts.slug, "slug"},           {facts.first_prompt, "prompt"},
  };
  for (const auto& [text, kind] : candidates) {
    if (!text.empty()) return {cut(text), kind};
  }
  return {"", ""};
}

std::string shared_prefix(const std::vector<std::string>& directories) {
  if (directories.size() < 2) return "";
  std::string_view prefix = directories.front();
  for (const std::string& name : directories) {
    const auto end = std::ranges::mismatch(prefix, name).in1;
    prefix = prefix.substr(0, static_cast<std::size_t>(end - prefix.begin()));
  }
  const std::size_t dash = prefix.rfind('-');
  return std::string(dash == std::string_view::npos ? "" : prefix.substr(0, dash + 1));
}

std::string_view start_directory(const store::SessionRow& session) {
  return session.facts.first_cwd.empty() ? std::string_view(session.ref_cwd)
                                         : session.facts.first_cwd;
}

std::optional<std::string> project_by_path(const store::SessionRow& session,
                                           const transcript::Adapter* adapter,
                                           std::string_view main_checkout) {
  if (!session.fixed_project.empty()) return session.fixed_project;
  const std::string_view cwd = start_directory(session);
  if (adapter == nullptr || cwd.empty()) return std::nullopt;
  const auto& name_of = adapter->directory_name;
  const bool another = name_of != nullptr && name_of(cwd) != session.directory;
  if (another) return std::nullopt;  // the folder stands for something else
  std::string path(main_checkout.empty() ? cwd : main_checkout);
  std::ranges::replace(path, '\\', '/');  // transcripts of Windows
  const std::string_view name = path_basename(path);
  if (name.empty()) return std::nullopt;
  return std::string(name);
}

std::string project_of(const store::SessionRow& session, const transcript::Adapter* adapter,
                       std::string_view prefix, std::string_view main_checkout) {
  if (auto project = project_by_path(session, adapter, main_checkout)) return *std::move(project);
  std::string_view name = session.directory;
  if (prefix.empty()) return std::string(last_two_parts(name));
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return std::string(name.empty() ? std::string_view(session.directory) : name);
}

std::string worktree_root_by_name(std::string_view cwd) {
  for (const std::string_view marker :
       {"/.claude/worktrees/", "/.qwen/worktrees/", "/.worktrees/"}) {
    const std::size_t at = cwd.find(marker);
    if (at != std::string_view::npos && at > 0) return std::string(cwd.substr(0, at));
  }
  return "";
}

std::string worktree_root_in(std::string_view git_file) {
  constexpr std::string_view kKey = "gitdir:";
  if (!git_file.starts_with(kKey)) return "";
  const std::string_view target =
      text::trim(git_file.substr(kKey.size(), git_file.find('\n') - kKey.size()));
  const std::size_t at = target.find("/.git/worktrees/");
  return at == std::string_view::npos ? "" : std::string(target.substr(0, at));
}

std::string alias_of(const std::vector<std::pair<std::string, std::vector<std::string>>>& aliases,
                     std::string_view project, std::string_view path) {
  for (const auto& [name, others] : aliases) {
    const bool meant = std::ranges::any_of(others, [&](const std::string& other) {
      const bool is_path = other.find('/') != std::string::npos;
      return text::glob_match(other, is_path ? path : project);
    });
    if (meant) return name;
  }
  return std::string(project);
}

std::string source_project(std::string_view agent, std::string_view path) {
  std::string_view name = path_basename(path);
  if (name == "sessions") name = path_basename(path_dirname(path));
  return std::string(agent) + "-" + std::string(name);
}

}  // namespace yore::ingest
