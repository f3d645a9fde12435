#include "engine/naming_run.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/bytes.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "engine/naming.hpp"

namespace yore::engine {
namespace {

using SummaryOf = std::unordered_map<std::int64_t, std::string>;

struct LeafRow {
  std::int64_t session = 0;  // the file it stands in
  std::uint64_t leaf = 0;
  std::string text;
  bool placed = false;
};

// Every summary goes to the sessions that hold its leaf; one whose leaf is known nowhere counts for
// the file it stands in. Of several for one session the last wins, in the order of session ids and
// of lines: uid order, so that it does not depend on who was read first.
Result<SummaryOf> place_summaries(store::Store& store) {
  SummaryOf summaries;
  auto rows = store.database().prepare(
      "SELECT l.session,l.leaf,l.text FROM leaf_title l JOIN session s ON s.id=l.session "
      "ORDER BY s.uid,l.ordinal");
  if (!rows) return rows.error();
  std::vector<LeafRow> leaves;
  while (true) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    leaves.push_back(
        {rows->integer(0), rows->unsigned_integer(1), std::string(rows->text(2)), false});
  }
  if (leaves.empty()) return summaries;
  std::unordered_multimap<std::uint64_t, std::size_t> by_leaf;
  for (std::size_t i = 0; i < leaves.size(); ++i) by_leaf.emplace(leaves[i].leaf, i);

  std::unordered_map<std::int64_t, std::set<std::size_t>> found;  // session -> leaves it holds
  auto keys = store.database().prepare("SELECT session,keys FROM record_keys");
  if (!keys) return keys.error();
  while (true) {
    const auto row = keys->step();
    if (!row) return row.error();
    if (!*row) break;
    ByteReader in(keys->text(1));
    while (!in.at_end() && in.ok()) {
      const auto [begin, end] = by_leaf.equal_range(in.u64());
      for (auto it = begin; it != end; ++it) {
        leaves[it->second].placed = true;
        found[keys->integer(0)].insert(it->second);
      }
    }
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i].placed) found[leaves[i].session].insert(i);
  }
  for (const auto& [session, indexes] : found) summaries[session] = leaves[*indexes.rbegin()].text;
  return summaries;
}

// Root of the repository that `cwd` is a worktree of, by its path or by its .git file.
class WorktreeFinder {
 public:
  const std::string& root_of(const std::string& cwd) {
    const auto known = roots_.find(cwd);
    if (known != roots_.end()) return known->second;
    std::string root = worktree_root_by_name(cwd);
    if (root.empty() && cwd.starts_with('/')) {
      const std::string git = path_join(cwd, ".git");
      if (is_regular_file(git)) {
        if (const auto text = read_file(git, 4096)) root = worktree_root_in(*text);
      }
    }
    return roots_.emplace(cwd, std::move(root)).first->second;
  }

 private:
  std::unordered_map<std::string, std::string> roots_;
};

// What names were made of: the last change, and what the settings exclude.
Result<std::string> naming_mark(store::Store& store, const Settings& settings) {
  const auto seq = store.database().number("SELECT max(seq) FROM change");
  if (!seq) return seq.error();
  std::uint64_t excluded = 0;
  for (const std::string& pattern : settings.exclude) excluded = hash64(pattern, excluded);
  return std::to_string(*seq) + ":" + std::to_string(excluded);
}

}  // namespace

Result<bool> names_are_due(store::Store& store, const Settings& settings) {
  const auto mark = naming_mark(store, settings);
  if (!mark) return mark.error();
  auto known = store.database().prepare("SELECT value FROM meta WHERE key='named'");
  if (!known) return known.error();
  const auto row = known->step();
  if (!row) return row.error();
  return !*row || known->text(0) != *mark;
}

Status give_names(store::Store& store, store::Writer& writer, const Settings& settings) {
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
  std::map<store::RootId, std::string> prefixes;
  for (const auto& [root, names] : directories) {
    prefixes[root] = shared_prefix({names.begin(), names.end()});
  }
  WorktreeFinder worktrees;
  for (const store::SessionRow& session : sessions) {
    const auto summary = summaries->find(static_cast<std::int64_t>(session.id));
    const Title title =
        title_of(session, summary == summaries->end() ? std::string_view{} : summary->second);
    if (title.text != session.title || title.kind != session.title_kind) {
      if (Status status = writer.set_title(session.id, title.text, title.kind); !status) {
        return status;
      }
    }
    const std::string cwd(start_directory(session));
    const std::string& checkout = worktrees.root_of(cwd);
    const std::string project = project_of(session, transcript::find_adapter(session.agent),
                                           prefixes[session.root], checkout);
    const std::string& path = checkout.empty() ? cwd : checkout;
    if (project != session.project || path != session.project_path) {
      if (Status status = writer.set_project(session.id, project, path); !status) return status;
    }
    if (is_excluded(settings, session.path, project)) {
      if (Status status = writer.exclude_session(session.id); !status) return status;
    }
  }
  const auto mark = naming_mark(store, settings);
  if (!mark) return mark.error();
  return store.database().run("INSERT OR REPLACE INTO meta VALUES('named','" + *mark + "')");
}

}  // namespace yore::engine
