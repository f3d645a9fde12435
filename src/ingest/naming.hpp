// naming.hpp — what a session and its project are called. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/store.hpp"
#include "transcript/adapter.hpp"

namespace yore::ingest {

struct Title {
  std::string text;
  std::string_view kind;  // "custom", "summary", "ai", "index", "compaction", "slug", "prompt", ""
};
// First of: custom title (or given name), the summary that belongs to the session, AI title, the
// agent's own index, compaction summary, slug, first prompt; cut to 200 characters where it is
// text.
Title title_of(const store::SessionRow& session, std::string_view leaf_summary);

// The prefix that all directory names share, cut behind a '-'; "" for fewer than two names.
std::string shared_prefix(const std::vector<std::string>& directories);

// `main_checkout`: the repository's root when cwd is a worktree of it, else "". By path: nullopt
// when the session does not know where it ran; its folder then gives the name.
std::optional<std::string> project_by_path(const store::SessionRow& session,
                                           const transcript::Adapter* adapter,
                                           std::string_view main_checkout);
std::string project_of(const store::SessionRow& session, const transcript::Adapter* adapter,
                       std::string_view prefix, std::string_view main_checkout);

// The working directory a session started in, as far as anything tells.
std::string_view start_directory(const store::SessionRow& session);

// "/w/app/.worktrees/1" and "/w/app/.claude/worktrees/x" are worktrees of "/w/app"; else "".
std::string worktree_root_by_name(std::string_view cwd);
// What a worktree's .git file says ("gitdir: /w/app/.git/worktrees/x"), else "".
std::string worktree_root_in(std::string_view git_file);

// What the settings call a project of this name, or in this folder; without such a setting its
// name.
std::string alias_of(const std::vector<std::pair<std::string, std::vector<std::string>>>& aliases,
                     std::string_view project, std::string_view path);

// The fixed project of a folder named with --source: "openclaw-clawd".
std::string source_project(std::string_view agent, std::string_view path);

}  // namespace yore::ingest
