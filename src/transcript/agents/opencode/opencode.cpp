// opencode.cpp — where OpenCode and what was made of it keep conversations, and how they are
// resumed.
//
//   <data>/opencode.db, opencode-<channel>.db       sqlite.hpp
//   <data>/storage/…                                tree.hpp, from before the database
//   <data>/project/<name>/storage/…                 likewise, older still
// An upgrade copies the tree into the database and leaves it where it is: a session that has
// messages in a database is not listed from a tree. Kilo Code and the others write the same under
// names of their own: one more of them is a row of kFamily.
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/files/file.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/opencode/session.hpp"
#include "transcript/agents/opencode/sqlite.hpp"
#include "transcript/agents/opencode/store.hpp"
#include "transcript/agents/opencode/tree.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript::opencode {
namespace {

constexpr std::array<RootRule, 2> kRoots = {{
    {"", "~data", "opencode"},
    {"OPENCODE_DB", "~/.local/share/opencode", ""},
}};
constexpr std::array<RootRule, 2> kKiloRoots = {{
    {"", "~data", "kilo"},
    {"KILO_DB", "~/.local/share/kilo", ""},
}};
constexpr std::array<RootRule, 3> kMimoRoots = {{
    {"", "~data", "mimocode"},
    {"MIMOCODE_HOME", "~/.mimocode", "data"},
    {"MIMOCODE_DB", "~/.local/share/mimocode", ""},
}};
constexpr std::array<RootRule, 1> kIcodemateRoots = {{{"", "~data", "icodemate"}}};
constexpr std::array<RootRule, 1> kZcodeRoots = {{{"", "~/.zcode", "cli/db"}}};

struct Member {
  std::string_view name;
  std::string_view display_name;
  std::string_view formats;
  std::span<const RootRule> roots;
  std::string_view program;  // "program -s <id>" goes on with a session; "": nobody knows
  Verified verified = Verified::source;
};

constexpr std::array<Member, 5> kFamily = {{
    {"opencode", "OpenCode",
     "opencode.db with tables message and part, or session_message; JSON storage to 2", kRoots,
     "opencode", Verified::real},
    {"kilo", "Kilo Code", "Kilo Code 7: kilo.db, as OpenCode's", kKiloRoots, "kilo",
     Verified::real},
    {"mimocode", "MiMo Code", "mimocode.db, as OpenCode's", kMimoRoots, ""},
    {"icodemate", "ICodeMate", "its database, as OpenCode's", kIcodemateRoots, ""},
    {"zcode", "Z Code", "db.sqlite, as OpenCode's", kZcodeRoots, ""},
}};

class Lister {
 public:
  Lister(const PreviousListing& known, Listing& listing) : known_(known), listing_(listing) {}

  void list_store(const std::string& path) {
    const auto stamp = database_stamp(path, known_.files);
    if (!stamp) {
      if (stamp.error().code != Errc::not_found) add_problem(path, stamp.error());
      return;
    }
    databases_.push_back(path);
    if (known_.unchanged(path, *stamp)) {
      listing_.unchanged.push_back(path);
      return;
    }
    auto found = list_database(path);
    if (!found) {
      add_problem(path, found.error());
      // The owner is at work: what was read before still stands.
      if (found.error().code == Errc::busy) listing_.unchanged.push_back(path);
      return;
    }
    listing_.containers.push_back({path, *stamp});
    for (SessionRef& session : *found) listing_.sessions.push_back(std::move(session));
  }

  void list_storage(const std::string& storage) {
    if (!is_storage(storage, known_.files)) return;
    read_stored_ids();
    list_tree(storage, stored_ids_, known_.files, listing_);
  }

 private:
  void read_stored_ids() {
    for (const std::string& path : databases_) {
      // One that cannot be read now has been reported; its sessions may be doubled until it can.
      static_cast<void>(add_database_ids(path, stored_ids_));
    }
    databases_.clear();
  }

  void add_problem(const std::string& path, const Error& error) {
    listing_.problems.emplace_back(path, error.message);
  }

  const PreviousListing& known_;
  Listing& listing_;
  std::vector<std::string> databases_;
  std::unordered_set<std::string> stored_ids_;
};

Result<Listing> sessions(const Root& root, const PreviousListing& known) {
  Listing listing;
  Lister lister(known, listing);
  const auto folder = absolute_path(root.path);
  if (known.files.is_regular_file(folder)) {
    lister.list_store(folder);
    return listing;
  }
  const auto entries = known.files.list_directory(folder);
  if (!entries) return entries.error();
  for (const DirEntry& entry : *entries) {
    const bool database = entry.type == FileType::regular &&
                          (entry.name.ends_with(".db") || entry.name.ends_with(".sqlite"));
    if (database) lister.list_store(path_join(folder, entry.name));
  }
  lister.list_storage(folder);
  lister.list_storage(path_join(folder, "storage"));
  const auto projects = path_join(folder, "project");
  const auto names = known.files.is_directory(projects)
                         ? known.files.list_directory(projects)
                         : Result<std::vector<DirEntry>>(std::vector<DirEntry>{});
  if (!names) {
    listing.problems.emplace_back(projects, names.error().message);
    return listing;
  }
  for (const DirEntry& entry : *names) {
    if (entry.type != FileType::directory) continue;
    lister.list_storage(path_join(path_join(projects, entry.name), "storage"));
  }
  return listing;
}

bool is_in_tree(const SessionRef& session) {
  return session.row.starts_with(kTreeRow) || session.row.starts_with(kOldTreeRow);
}

Result<std::unique_ptr<MessageStore>> open(const SessionRef& session) {
  if (is_in_tree(session)) return open_tree(session);
  return open_database(session);
}

Result<bool> resumable(const SessionRef& session, const Cursor& cursor) {
  const auto store = open(session);
  if (!store) return store.error();
  return session_resumable(**store, cursor);
}

Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                      RecordSink& sink) {
  const auto store = open(session);
  if (!store) return store.error();
  return read_session(**store, cursor, limits, sink);
}

Result<std::vector<OwnRows>> own_rows(const SessionRef& session) {
  if (is_in_tree(session)) return std::vector<OwnRows>{};
  const bool projection = session.row.starts_with(kProjectionRow);
  const std::string id = session.row.substr((projection ? kProjectionRow : kPartsRow).size());
  std::vector<OwnRows> rows = {{"session", "id=?1", {id}}};
  for (const char* table : {"message", "part", "session_message"}) {
    rows.push_back({table, "session_id=?1", {id}});
  }
  return rows;
}

Adapter make_member(const Member& member) {
  Adapter adapter;
  adapter.name = member.name;
  adapter.display_name = member.display_name;
  adapter.speaker = member.display_name;
  adapter.roots = member.roots;
  adapter.formats = member.formats;
  adapter.verified = member.verified;
  adapter.sessions = [&member](const Root& root, const PreviousListing& known) {
    auto listing = sessions(root, known);
    if (!listing) return listing;
    for (SessionRef& session : listing->sessions) {
      const std::string prefix = std::string(member.name) + ":";
      session.id.insert(0, prefix);
      if (!session.parent_id.empty()) session.parent_id.insert(0, prefix);
    }
    return listing;
  };
  adapter.resumable = resumable;
  adapter.read = read;
  adapter.rows = own_rows;
  if (!member.program.empty()) {
    adapter.resume = [&member](std::string_view id) -> std::vector<std::string> {
      if (!is_safe_id(id)) return {};
      return {std::string(member.program), "-s", std::string(id)};
    };
  }
  return adapter;
}

}  // namespace

std::vector<Adapter> family() {
  std::vector<Adapter> adapters;
  for (const Member& member : kFamily) adapters.push_back(make_member(member));
  return adapters;
}

}  // namespace yore::transcript::opencode
