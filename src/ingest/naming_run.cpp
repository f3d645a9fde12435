#include "ingest/naming_run.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/bytes.hpp"
#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "ingest/naming.hpp"

namespace yore::ingest {
namespace {

using SummaryOf = std::unordered_map<std::int64_t, std::string>;

struct LeafRow {
  std::int64_t session = 0;  // the file it stands in
  std::uint64_t leaf = 0;
  std::string text;
  bool placed = false;
};

// Every summary goes to the sessions that hold its leaf; one whose leaf is known nowhere counts for
// the file it stands in. The last of several for one session wins, in the order of session
// ids and lines; ordering by uid makes it independent of which session was read first.
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

// What names were made of: the last change, what the settings exclude, how many summaries there
// are.
struct NamingMark {
  std::int64_t seq = 0;
  std::uint64_t excluded = 0;
  std::int64_t leaves = 0;
  friend bool operator==(const NamingMark&, const NamingMark&) = default;

  [[nodiscard]] std::string text() const {
    return std::to_string(seq) + ":" + std::to_string(excluded) + ":" + std::to_string(leaves);
  }
};

Result<NamingMark> mark_now(store::Store& store, const config::Settings& settings) {
  const auto seq = store.database().number(
      "SELECT seq FROM change WHERE op<>5 ORDER BY seq DESC LIMIT 1");  // 5: ends of commits
  if (!seq) return seq.error();
  const auto leaves = store.database().number("SELECT count(*) FROM leaf_title");
  if (!leaves) return leaves.error();
  NamingMark mark{*seq, 0, *leaves};
  for (const std::string& pattern : settings.exclude) {
    mark.excluded = hash64(pattern, mark.excluded);
  }
  return mark;
}

// nullopt: names were never given.
Result<std::optional<NamingMark>> mark_stored(store::Store& store) {
  auto known = store.database().prepare("SELECT value FROM meta WHERE key='named'");
  if (!known) return known.error();
  const auto row = known->step();
  if (!row) return row.error();
  if (!*row) return std::optional<NamingMark>{};
  NamingMark mark;
  const std::string text(known->text(0));
  const int fields = std::sscanf(text.c_str(), "%" SCNd64 ":%" SCNu64 ":%" SCNd64, &mark.seq,
                                 &mark.excluded, &mark.leaves);
  if (fields != 3) return std::optional<NamingMark>{};
  return std::optional<NamingMark>{mark};
}

Status store_mark(store::Store& store, const config::Settings& settings) {
  const auto mark = mark_now(store, settings);
  if (!mark) return mark.error();
  return store.database().run("INSERT OR REPLACE INTO meta VALUES('named','" + mark->text() + "')");
}

// The sessions that have only grown since; nullopt: more than that has changed, so that any name
// may be another one. A session that has come to hold a summary's leaf is such a case.
Result<std::optional<std::vector<store::SessionId>>> grown_since(store::Store& store,
                                                                 const NamingMark& mark) {
  using Grown = std::optional<std::vector<store::SessionId>>;
  auto changes = store.database().prepare(
      "SELECT op,subject,min(count) FROM change WHERE seq>?1 AND op IN (3,4,6) GROUP BY "
      "op,subject");
  if (!changes) return changes.error();
  changes->bind(1, mark.seq);
  std::vector<store::SessionId> sessions;
  std::vector<std::int64_t> first_parts;  // of their keys that are new
  while (true) {
    const auto row = changes->step();
    if (!row) return row.error();
    if (!*row) break;
    const auto op = static_cast<store::ChangeOp>(changes->integer(0));
    if (op == store::ChangeOp::session_changed) return Grown{};
    if (op == store::ChangeOp::turn_changed) continue;  // its session has grown as well
    sessions.push_back(store::SessionId{changes->integer(1)});
    first_parts.push_back(changes->integer(2));
  }
  if (mark.leaves == 0) return Grown{std::move(sessions)};
  std::unordered_set<std::uint64_t> leaves;
  auto rows = store.database().prepare("SELECT leaf FROM leaf_title");
  if (!rows) return rows.error();
  while (true) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    leaves.insert(rows->unsigned_integer(0));
  }
  auto keys =
      store.database().prepare("SELECT keys FROM record_keys WHERE session=?1 AND part>=?2");
  if (!keys) return keys.error();
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    keys->reset();
    keys->bind(1, static_cast<std::int64_t>(sessions[i])).bind(2, first_parts[i]);
    while (true) {
      const auto row = keys->step();
      if (!row) return row.error();
      if (!*row) break;
      ByteReader in(keys->text(0));
      while (!in.at_end() && in.ok()) {
        if (leaves.contains(in.u64())) return Grown{};
      }
    }
  }
  return Grown{std::move(sessions)};
}

// Everything but prefixes and summaries is the session's own.
struct NameGiver {
  store::Writer& writer;
  const config::Settings& settings;
  WorktreeFinder worktrees;

  bool knows_path(const store::SessionRow& session) {
    const std::string& checkout = worktrees.root_of(std::string(start_directory(session)));
    return project_by_path(session, transcript::find_adapter(session.agent), checkout).has_value();
  }

  Status give(const store::SessionRow& session, std::string_view summary, std::string_view prefix) {
    const Title title = title_of(session, summary);
    if (title.text != session.title || title.kind != session.title_kind) {
      if (Status status = writer.set_title(session.id, title.text, title.kind); !status) {
        return status;
      }
    }
    const std::string cwd(start_directory(session));
    const std::string& checkout = worktrees.root_of(cwd);
    const std::string project =
        project_of(session, transcript::find_adapter(session.agent), prefix, checkout);
    const std::string& path = checkout.empty() ? cwd : checkout;
    if (project != session.project || path != session.project_path) {
      if (Status status = writer.set_project(session.id, project, path); !status) return status;
    }
    if (!config::is_excluded(settings, session.path, project)) return {};
    return writer.exclude_session(session.id);
  }
};

// What the names of all folders of a root begin with.
Result<std::string> prefix_in(store::Store& store, store::RootId root) {
  auto names = store.database().prepare(
      "SELECT DISTINCT directory FROM session WHERE root=?1 AND directory<>'' AND excluded=0");
  if (!names) return names.error();
  names->bind(1, static_cast<std::int64_t>(root));
  std::vector<std::string> directories;
  while (true) {
    const auto row = names->step();
    if (!row) return row.error();
    if (!*row) break;
    directories.emplace_back(names->text(0));
  }
  return shared_prefix(directories);
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
  std::map<store::RootId, std::string> prefixes;
  for (const auto& [root, names] : directories) {
    prefixes[root] = shared_prefix({names.begin(), names.end()});
  }
  for (const store::SessionRow& session : sessions) {
    const auto summary = summaries->find(static_cast<std::int64_t>(session.id));
    const Status status =
        giver.give(session, summary == summaries->end() ? std::string_view{} : summary->second,
                   prefixes[session.root]);
    if (!status) return status;
  }
  return {};
}

}  // namespace

Result<bool> names_are_due(store::Store& store, const config::Settings& settings) {
  const auto now = mark_now(store, settings);
  if (!now) return now.error();
  const auto stored = mark_stored(store);
  if (!stored) return stored.error();
  return !*stored || **stored != *now;
}

Status give_names(store::Store& store, store::Writer& writer, const config::Settings& settings) {
  const auto now = mark_now(store, settings);
  if (!now) return now.error();
  const auto stored = mark_stored(store);
  if (!stored) return stored.error();
  NameGiver giver{writer, settings, {}};
  std::optional<std::vector<store::SessionId>> grown;
  const bool comparable =
      *stored && (*stored)->excluded == now->excluded && (*stored)->leaves == now->leaves;
  if (comparable) {
    auto sessions = grown_since(store, **stored);
    if (!sessions) return sessions.error();
    grown = std::move(*sessions);
  }
  const Status status =
      grown ? give_some_names(store, *grown, giver) : give_all_names(store, giver);
  return status ? store_mark(store, settings) : status;
}

}  // namespace yore::ingest
