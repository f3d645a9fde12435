#include "ingest/naming_run.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "ingest/naming.hpp"
#include "store/naming_data.hpp"

namespace yore::ingest {
namespace {

using SummaryOf = std::unordered_map<store::SessionId, std::string>;

// Every summary goes to the sessions that hold its leaf; one whose leaf is known nowhere counts for
// the file it stands in when it came after the first turn. Before it stand titles of other
// sessions, which may be lost. The last of several for one session wins, in the order of session
// ids and lines; ordering by uid makes it independent of which session was read first.
Result<SummaryOf> place_summaries(store::Store& store) {
  const auto rows = store::summaries(store);
  if (!rows) return rows.error();
  if (rows->empty()) return SummaryOf{};
  std::unordered_multimap<std::uint64_t, std::size_t> by_leaf;
  for (std::size_t i = 0; i < rows->size(); ++i) by_leaf.emplace((*rows)[i].leaf, i);

  std::vector<bool> placed(rows->size());
  std::unordered_map<store::SessionId, std::set<std::size_t>> found;  // session -> rows it holds
  const Status read = store::each_record_keys(
      store, [&](store::SessionId session, std::span<const std::uint64_t> keys) {
        for (const std::uint64_t key : keys) {
          const auto [begin, end] = by_leaf.equal_range(key);
          for (auto it = begin; it != end; ++it) {
            placed[it->second] = true;
            found[session].insert(it->second);
          }
        }
      });
  if (!read) return read.error();
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if (!placed[i] && !(*rows)[i].early) found[(*rows)[i].session].insert(i);
  }
  SummaryOf summaries;
  for (const auto& [session, held] : found) summaries[session] = (*rows)[*held.rbegin()].text;
  return summaries;
}

// Root of the repository that `cwd` is a worktree of, by its path or by its .git file.
class WorktreeFinder {
 public:
  explicit WorktreeFinder(MayLook may_look) : may_look_(std::move(may_look)) {}

  const std::string& root_of(const std::string& cwd) {
    const auto known = roots_.find(cwd);
    if (known != roots_.end()) return known->second;
    std::string root = worktree_root_by_name(cwd);
    if (root.empty() && cwd.starts_with('/') && may_look_(cwd)) {
      const std::string git = path_join(cwd, ".git");
      if (is_regular_file(git)) {
        if (const auto text = read_file(git, 4096)) root = worktree_root_in(*text);
      }
    }
    return roots_.emplace(cwd, std::move(root)).first->second;
  }

 private:
  MayLook may_look_;
  std::unordered_map<std::string, std::string> roots_;
};

// What names were made of: the last change, what the settings exclude and rename, how many
// summaries there are.
struct NamingMark {
  std::int64_t seq = 0;
  std::uint64_t excluded = 0;
  std::int64_t summaries = 0;
  friend bool operator==(const NamingMark&, const NamingMark&) = default;

  [[nodiscard]] std::string text() const {
    return std::to_string(seq) + ":" + std::to_string(excluded) + ":" + std::to_string(summaries);
  }
  static std::optional<NamingMark> parse(const std::string& text) {
    NamingMark mark;
    const int fields = std::sscanf(text.c_str(), "%" SCNd64 ":%" SCNu64 ":%" SCNd64, &mark.seq,
                                   &mark.excluded, &mark.summaries);
    return fields == 3 ? std::optional{mark} : std::nullopt;
  }
};

struct NamingMarks {
  NamingMark now;
  std::optional<NamingMark> stored;  // nullopt: names were never given
};

Result<NamingMarks> read_marks(store::Store& store, const config::Settings& settings) {
  const auto state = store::naming_state(store);
  if (!state) return state.error();
  NamingMarks marks{{state->seq, 0, state->summaries}, NamingMark::parse(state->mark)};
  for (const std::string& pattern : settings.exclude) {
    marks.now.excluded = hash64(pattern, marks.now.excluded);
  }
  for (const auto& [name, others] : settings.aliases) {
    marks.now.excluded = hash64(name, marks.now.excluded);
    for (const std::string& other : others) marks.now.excluded = hash64(other, marks.now.excluded);
  }
  return marks;
}

// The sessions that have only grown since; nullopt: more than that has changed, so that any name
// may be another one. A session that has come to hold a summary's leaf is such a case.
Result<std::optional<std::vector<store::SessionId>>> grown_since(store::Store& store,
                                                                 const NamingMark& mark) {
  using Grown = std::optional<std::vector<store::SessionId>>;
  const auto grown = store::grown_after(store, mark.seq);
  if (!grown) return grown.error();
  if (!*grown) return Grown{};
  std::vector<store::SessionId> sessions;
  for (const store::GrownSession& each : **grown) sessions.push_back(each.session);
  if (mark.summaries == 0) return Grown{std::move(sessions)};
  const auto rows = store::summaries(store);
  if (!rows) return rows.error();
  std::unordered_set<std::uint64_t> leaves;
  for (const store::SummaryRow& row : *rows) leaves.insert(row.leaf);
  for (const store::GrownSession& each : **grown) {
    const auto keys = store::record_keys(store, each.session, each.first_part);
    if (!keys) return keys.error();
    if (std::ranges::any_of(*keys, [&](std::uint64_t key) { return leaves.contains(key); })) {
      return Grown{};
    }
  }
  return Grown{std::move(sessions)};
}

// Everything but prefixes, summaries and what a repository is called is the session's own.
struct NameGiver {
  store::Writer& writer;
  const config::Settings& settings;
  WorktreeFinder worktrees;
  RepositoryFinder repositories;
  store::FolderKeys repository_names = {};  // by key

  // By its path; nullopt when that tells nothing. "" is never a name.
  std::optional<std::string> own_name(const store::SessionRow& session) {
    const std::string& checkout = worktrees.root_of(std::string(start_directory(session)));
    return project_by_path(session, settings.agents->find(session.agent), checkout);
  }
  bool knows_path(const store::SessionRow& session) { return own_name(session).has_value(); }

  // The folder that stands for its project.
  std::string path_of(const store::SessionRow& session) {
    std::string cwd(start_directory(session));
    const std::string& checkout = worktrees.root_of(cwd);
    return checkout.empty() ? cwd : checkout;
  }

  // What the project is called together with what it was elsewhere.
  std::string joined(const store::SessionRow& session, std::string project,
                     const std::string& path) {
    const bool own = session.fixed_project.empty() && !path.empty() && knows_path(session);
    if (own) {
      const auto name = repository_names.find(repositories.key_of(path));
      if (name != repository_names.end()) project = name->second;
    }
    return alias_of(settings.aliases, project, path);
  }

  Status give(const store::SessionRow& session, std::string_view summary, std::string_view prefix) {
    const Title title = title_of(session, summary);
    if (title.text != session.title || title.kind != session.title_kind) {
      if (Status status = writer.set_title(session.id, title.text, title.kind); !status) {
        return status;
      }
    }
    const std::string& checkout = worktrees.root_of(std::string(start_directory(session)));
    const std::string path = path_of(session);
    const std::string project = joined(
        session, project_of(session, settings.agents->find(session.agent), prefix, checkout), path);
    if (project != session.project || path != session.project_path) {
      if (Status status = writer.set_project(session.id, project, path); !status) return status;
    }
    if (!config::is_excluded(settings, session.path, project)) return {};
    return writer.exclude_session(session.id);
  }
};

// What the names of all folders of a root begin with.
Result<std::string> prefix_in(store::Store& store, store::RootId root) {
  const auto names = store::directories_in(store, root);
  if (!names) return names.error();
  return shared_prefix(*names);
}

Status give_some_names(store::Store& store, const std::vector<store::SessionId>& sessions,
                       NameGiver& giver) {
  for (const store::SessionId id : sessions) {
    auto session = store.session(id);
    if (!session) return session.error();
    if (!*session || (*session)->excluded) continue;
    // Most know their path, and all other sessions need not be asked.
    std::string prefix;
    if (!giver.knows_path(**session)) {
      auto shared = prefix_in(store, (*session)->root);
      if (!shared) return shared.error();
      prefix = std::move(*shared);
    }
    // Summaries did not change: what was one stays one.
    const bool by_summary = (*session)->title_kind == "summary";
    const std::string summary = by_summary ? (*session)->title : "";
    if (Status status = giver.give(**session, summary, prefix); !status) return status;
  }
  return {};
}

// Notes which folders belong to which repository, and how the folders of each are called together.
Status join_repositories(store::Store& store, const std::vector<store::SessionRow>& sessions,
                         NameGiver& giver) {
  std::vector<Checkout> checkouts;
  store::FolderKeys keys;
  for (const store::SessionRow& session : sessions) {
    if (!session.fixed_project.empty()) continue;
    std::string path = giver.path_of(session);
    auto name = giver.own_name(session);
    if (path.empty() || !name) continue;
    const std::string& key = giver.repositories.key_of(path);
    if (key.empty()) continue;
    keys[path] = key;
    checkouts.push_back({std::move(path), key, *std::move(name), session.facts.first_time});
  }
  giver.repository_names = names_of_repositories(checkouts);
  const auto known = store::repositories(store);
  const auto named = store::repository_names(store);
  if (!known) return known.error();
  if (!named) return named.error();
  if (*known != keys) {
    if (Status status = store::set_repositories(store, keys); !status) return status;
  }
  if (*named == giver.repository_names) return {};
  return store::set_repository_names(store, giver.repository_names);
}

Status give_all_names(store::Store& store, NameGiver& giver) {
  auto summaries = place_summaries(store);
  if (!summaries) return summaries.error();
  std::vector<store::SessionRow> sessions;
  std::map<store::RootId, std::set<std::string>> directories;
  const Status read = store.each_session([&](store::SessionRow&& session) {
    if (!session.directory.empty()) directories[session.root].insert(session.directory);
    sessions.push_back(std::move(session));
    return true;
  });
  if (!read) return read;
  if (Status status = join_repositories(store, sessions, giver); !status) return status;
  std::map<store::RootId, std::string> prefixes;
  for (const auto& [root, names] : directories) {
    prefixes[root] = shared_prefix({names.begin(), names.end()});
  }
  for (const store::SessionRow& session : sessions) {
    const auto summary = summaries->find(session.id);
    const Status status =
        giver.give(session, summary == summaries->end() ? std::string_view{} : summary->second,
                   prefixes[session.root]);
    if (!status) return status;
  }
  return {};
}

}  // namespace

Result<bool> names_are_due(store::Store& store, const config::Settings& settings) {
  const auto marks = read_marks(store, settings);
  if (!marks) return marks.error();
  return marks->stored != marks->now;
}

Status give_names(store::Store& store, store::Writer& writer, const config::Settings& settings,
                  const MayLook& may_look) {
  const auto before = read_marks(store, settings);
  if (!before) return before.error();
  const std::optional<NamingMark>& stored = before->stored;
  auto known = store::repositories(store);
  if (!known) return known.error();
  auto repository_names = store::repository_names(store);
  if (!repository_names) return repository_names.error();
  NameGiver giver{writer, settings, WorktreeFinder(may_look),
                  RepositoryFinder(std::move(*known), may_look), std::move(*repository_names)};
  std::optional<std::vector<store::SessionId>> grown;
  const bool comparable = stored && stored->excluded == before->now.excluded &&
                          stored->summaries == before->now.summaries;
  if (comparable) {
    auto sessions = grown_since(store, *stored);
    if (!sessions) return sessions.error();
    grown = std::move(*sessions);
  }
  const Status status =
      grown ? give_some_names(store, *grown, giver) : give_all_names(store, giver);
  if (!status) return status;
  const auto after = read_marks(store, settings);  // names are changes, too
  if (!after) return after.error();
  return store::set_naming_mark(store, after->now.text());
}

}  // namespace yore::ingest
