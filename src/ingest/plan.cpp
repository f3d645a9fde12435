#include "ingest/plan.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/files/file.hpp"
#include "config/whereabouts.hpp"
#include "ingest/listing.hpp"
#include "ingest/naming.hpp"
#include "store/writer.hpp"
#include "text/secrets/secrets.hpp"
#include "text/utf8.hpp"
#include "transcript/name_limits.hpp"

namespace yore::ingest {

using transcript::SessionRef;

namespace {

// When two places hold the same session, which one to read.
bool is_better(const SessionRef& a, const SessionRef& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.stamp.size_bytes != b.stamp.size_bytes) return a.stamp.size_bytes > b.stamp.size_bytes;
  return a.path < b.path;
}

std::string place_of(const SessionRef& ref) {
  return ref.row.empty() ? ref.path : ref.path + "#" + ref.row;
}

bool lies_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_conversation(const SessionRef& ref) {
  return ref.content == transcript::SessionContent::conversation;
}

// Prompts alone say less than a conversation that was seen; and who deletes on purpose does not
// mean to keep them.
bool is_prompts(const SessionRef& ref) {
  return ref.content == transcript::SessionContent::prompts;
}

// What a listing says may be of any length. False: it is no session at all.
bool keep_to_limits(SessionRef& ref) {
  for (const std::string* id : {&ref.id, &ref.parent_id}) {
    if (id->size() > transcript::kMaxIdBytes) return false;
  }
  if (ref.resume_key.size() > transcript::kMaxFolderBytes) ref.resume_key.clear();
  if (ref.row.size() > 2 * transcript::kMaxIdBytes) return false;
  const auto cut = [](std::string& text, std::size_t most) {
    if (text.size() > most) text = text::prefix_bytes(text, most);
  };
  cut(ref.title, transcript::kMaxTitleBytes);
  for (std::string* folder : {&ref.directory, &ref.cwd, &ref.project}) {
    cut(*folder, transcript::kMaxFolderBytes);
  }
  return true;
}

using KnownByUid = std::unordered_map<std::string_view, const store::KnownSession*>;

bool stays_out(const store::KnownSession& known, const SessionRef& ref,
               const config::Settings& settings) {
  if (known.excluded == store::Excluded::by_its_author) return true;
  if (known.excluded == store::Excluded::made_by_yore) return true;
  return known.excluded == store::Excluded::by_settings &&
         config::is_excluded(settings, ref.path, known.project);
}

bool is_left_out(const SessionRef& ref, const config::Settings& settings) {
  // A list of prompts of all folders lies in none of them.
  const bool by_folder = is_prompts(ref) && config::is_excluded(settings, ref.cwd, "");
  return by_folder || config::is_excluded(settings, ref.path, ref.directory) ||
         config::is_excluded(settings, ref.path, ref.project);
}

// Takes the sessions out of the listings, each id once, as it stands in one file.
class Gathering {
 public:
  Gathering(Plan& plan, const config::Settings& settings, const KnownByUid& known,
            const store::Tombstones& forgotten, std::unordered_set<std::string>& present)
      : plan_(plan), settings_(settings), known_(known), forgotten_(forgotten), present_(present) {}

  void run() {
    // A list of prompts is no copy of the conversations that are there.
    std::vector<std::pair<std::size_t, SessionRef>> prompts;
    for (std::size_t r = 0; r < plan_.roots.size(); ++r) {
      std::vector<SessionRef> refs = std::exchange(plan_.roots[r].listing.sessions, {});
      for (SessionRef& ref : refs) {
        if (is_prompts(ref)) {
          prompts.emplace_back(r, std::move(ref));
        } else {
          add(r, std::move(ref));
        }
      }
    }
    for (auto& [root, ref] : prompts) {
      if (!by_id_.contains(ref.id)) add(root, std::move(ref));
    }
    for (std::size_t i = 0; i < plan_.sessions.size(); ++i) note_others(plan_.sessions[i], i);
  }

 private:
  void add(std::size_t r, SessionRef ref) {
    PlannedRoot& root = plan_.roots[r];
    const transcript::Root& where = root.found.root;
    if (!keep_to_limits(ref)) {
      root.listing.problems.emplace_back(ref.path, "a session whose id is too long is left out");
      return;
    }
    ref.reading = root.found.adapter->reading;
    if (settings_.mask == config::MaskMode::index) text::mask_secrets(ref.title);
    if (where.named) ref.project = source_project(root.found.adapter->name, where.path);
    if (forgotten_.has_session(ref.id)) return;
    const auto before = known_.find(ref.id);
    const bool is_known = before != known_.end();
    const bool was_seen = is_known && is_conversation(before->second->ref);
    if (is_prompts(ref) && (was_seen || !settings_.keep_deleted)) return;
    const bool still_excluded = is_known && stays_out(*before->second, ref, settings_);
    if (still_excluded) present_.insert(ref.id);
    if (still_excluded || is_left_out(ref, settings_)) {
      ++plan_.left_out;
      return;
    }
    const auto [slot, is_new] = by_id_.emplace(ref.id, plan_.sessions.size());
    if (is_new) {
      plan_.sessions.push_back({});
      places_.emplace_back();
    }
    PlannedSession& session = plan_.sessions[slot->second];
    std::vector<std::string>& seen = places_[slot->second];
    // The same file reached through two roots is one place.
    const std::string place = place_of(ref);
    if (std::ranges::find(seen, place) != seen.end()) return;
    seen.push_back(place);
    if (!is_new && !is_better(ref, session.ref)) return;
    session.root = r;
    session.ref = std::move(ref);
  }

  void note_others(PlannedSession& session, std::size_t i) {
    std::ranges::sort(places_[i]);
    for (const std::string& place : places_[i]) {
      if (place == place_of(session.ref)) continue;
      session.other_files += (session.other_files.empty() ? "" : "\n") + place;
    }
    const auto found = known_.find(session.ref.id);
    if (found != known_.end()) session.known = found->second->id;
  }

  Plan& plan_;
  const config::Settings& settings_;
  const KnownByUid& known_;
  const store::Tombstones& forgotten_;
  std::unordered_set<std::string>& present_;
  std::unordered_map<std::string, std::size_t> by_id_;
  std::vector<std::vector<std::string>> places_;
};

// What is to be read of a file that was `before`: its end, or all of it when it has not grown.
std::uint64_t new_bytes(const FileStamp& before, const FileStamp& now) {
  return now.size_bytes > before.size_bytes ? now.size_bytes - before.size_bytes : now.size_bytes;
}

void compare(PlannedSession& session, const store::KnownSession* known, bool force) {
  const FileStamp& stamp = session.ref.stamp;
  session.unread_bytes = stamp.size_bytes;
  session.read = true;
  session.update = true;
  if (known == nullptr) return;
  session.update = known->missing || known->excluded != store::Excluded::no ||
                   known->ref_hash != store::ref_hash(session.ref, session.other_files);
  const bool readmitted =
      known->excluded != store::Excluded::no;  // an excluded one that still is never gets here
  const bool same_place = known->ref.path == session.ref.path && known->ref.row == session.ref.row;
  session.from_start = known->ref.reading != session.ref.reading;
  session.replaces = !is_conversation(known->ref);
  if (session.from_start) return;
  if (!force && same_place && !readmitted && !known->broken && known->ref.stamp == stamp) {
    session.read = false;
    session.unread_bytes = 0;
  } else if (!force) {
    session.unread_bytes = new_bytes(known->ref.stamp, stamp);
  }
}

}  // namespace

Result<std::vector<config::FoundRoot>> roots_to_look_at(
    const config::World& world, const config::Settings& settings, const config::Scope& scope,
    const std::vector<store::RootRow>& registered, const FileView& files, Reach reach) {
  const config::Whereabouts where(world, settings.data_dir);
  std::vector<config::FoundRoot> roots;
  const auto same_place = [](const config::FoundRoot& a, const config::FoundRoot& b) {
    return a.adapter == b.adapter && a.root.path == b.root.path;
  };
  const auto add = [&](config::FoundRoot root) {
    const bool known = std::ranges::any_of(
        roots, [&](const config::FoundRoot& other) { return same_place(other, root); });
    if (!known) roots.push_back(std::move(root));
  };
  const auto looked_at = [&](config::FoundRoot root) {
    root.far = where.is_far(root.root.path);
    const bool touched = !root.far || reach == Reach::everywhere;
    root.exists = touched && config::exists(root, world.env, files);
    return root;
  };
  const std::vector<config::FoundRoot> defaults =
      config::default_places(*settings.agents, world.env);
  for (const auto& list : {scope.sources, settings.sources}) {
    for (const std::string& text : list) {
      auto root = config::parse_source(text, *settings.agents, world.env);
      if (!root) return root.error();
      // A folder that is found anyway keeps the names it has.
      root->root.named = std::ranges::none_of(
          defaults, [&](const auto& other) { return same_place(other, *root); });
      add(looked_at(std::move(*root)));
    }
  }
  for (const config::FoundRoot& place : defaults) {
    config::FoundRoot root = looked_at(place);
    if (root.exists) add(std::move(root));
  }
  if (reach == Reach::everywhere) {
    for (config::FoundRoot& root : where.windows_places(*settings.agents, files)) {
      add(std::move(root));
    }
  }
  for (const store::RootRow& row : registered) {
    const transcript::Adapter* adapter = settings.agents->find(row.agent);
    if (adapter != nullptr) add(looked_at({adapter, {row.path, row.named}}));
  }
  return roots;
}

Result<std::optional<Plan>> plan_for_files(store::Store& store,
                                           const transcript::AgentRegistry& agents,
                                           const std::vector<std::string>& paths) {
  const auto roots = store.roots();
  if (!roots) return roots.error();
  Plan plan;
  for (const std::string& path : paths) {
    const auto rows = store.sessions_at(path);
    if (!rows) return rows.error();
    const auto stamp = stat_file(path);
    const bool simple = stamp && rows->size() == 1 && rows->front().row.empty() &&
                        rows->front().other_files.empty();
    if (!simple) return std::optional<Plan>{};
    const store::SessionRow& row = rows->front();
    const auto root = std::ranges::find(*roots, row.root, &store::RootRow::id);
    const transcript::Adapter* adapter = agents.find(row.agent);
    const bool same_reading = adapter != nullptr && adapter->reading == row.reading;
    if (root == roots->end() || !same_reading) return std::optional<Plan>{};
    PlannedSession planned;
    planned.root = plan.roots.size();
    planned.known = row.id;
    planned.ref = store::session_ref(row);
    planned.ref.stamp = *stamp;
    planned.read = true;
    planned.replaces = !is_conversation(planned.ref);
    planned.unread_bytes = new_bytes(row.stamp, *stamp);
    plan.unread_bytes += planned.unread_bytes;
    plan.roots.push_back({{adapter, {root->path, root->named}, true}, root->id, {}, false});
    plan.sessions.push_back(std::move(planned));
  }
  return std::optional<Plan>{std::move(plan)};
}

Plan make_plan(std::vector<config::FoundRoot> roots, const config::Settings& settings,
               const std::vector<store::KnownSession>& known,
               const std::vector<std::pair<std::string, FileStamp>>& containers, bool force,
               const FileView& files, const store::Tombstones& forgotten,
               const transcript::ReadingTime& time, const std::atomic<bool>& cancel, Reach reach) {
  KnownByUid by_uid;
  for (const store::KnownSession& session : known) by_uid.emplace(session.ref.id, &session);
  transcript::PreviousListing before = known_before(known, containers, force);
  before.files = files;

  Plan plan;
  std::unordered_set<std::string> still_there;  // containers that need not be opened
  std::vector<std::string> unseen;              // places that are there but could not be looked at
  std::vector<std::string> left;                // and those that were not to be looked at
  for (config::FoundRoot& found : roots) {
    PlannedRoot root{std::move(found), {}, {}, false};
    root.left = root.found.far && reach == Reach::near;
    if (root.left) {
      left.push_back(root.found.root.path);
    } else if (!root.found.exists) {
      if (root.found.root.named) {
        root.listing.problems.emplace_back(root.found.root.path, "no such directory");
      }
      root.listed = true;  // nothing is there: what was known from it is gone
    } else {
      auto listing = list_root(root.found, before, time, cancel);
      root.listed = listing.ok();
      if (listing) {
        root.listing = std::move(*listing);
      } else {
        root.listing.problems.emplace_back(root.found.root.path, listing.error().message);
      }
    }
    for (const auto& [path, message] : root.listing.problems) {
      if (root.found.exists) unseen.push_back(path);
    }
    still_there.insert(root.listing.unchanged.begin(), root.listing.unchanged.end());
    plan.roots.push_back(std::move(root));
  }
  std::unordered_set<std::string> present;
  Gathering(plan, settings, by_uid, forgotten, present).run();
  const auto is_left = [&](const std::string& path) {
    return std::ranges::any_of(left, [&](const std::string& root) { return lies_in(path, root); });
  };
  // What a container holds was chosen over other files when the container was opened. As
  // long as that stays closed, so does the choice. The same of what lies on another disk.
  std::erase_if(plan.sessions, [&](const PlannedSession& session) {
    const auto found = by_uid.find(session.ref.id);
    const bool held =
        found != by_uid.end() && is_conversation(found->second->ref) &&
        found->second->ref.path != session.ref.path &&
        (still_there.contains(found->second->ref.path) || is_left(found->second->ref.path));
    if (held && present.insert(session.ref.id).second) ++plan.held;
    return held;
  });

  for (PlannedSession& session : plan.sessions) {
    const auto found = by_uid.find(session.ref.id);
    compare(session, found == by_uid.end() ? nullptr : found->second, force);
    plan.unread_bytes += session.unread_bytes;
    present.insert(session.ref.id);
  }
  for (const store::KnownSession& session : known) {
    // What a program handed over has no file that could be gone.
    if (present.contains(session.ref.id) || session.ref.path.empty()) continue;
    // Nobody looked for what an agent wrote that is not described (any more).
    if (settings.agents->find(session.agent) == nullptr) continue;
    if (config::is_excluded(settings, session.ref.path, session.project) ||
        is_left_out(session.ref, settings)) {
      plan.excluded.push_back(session);
      continue;
    }
    if (still_there.contains(session.ref.path) || is_left(session.ref.path)) {
      ++plan.held;
      continue;
    }
    // A folder that cannot be listed now says nothing about what is in it.
    if (std::ranges::any_of(
            unseen, [&](const std::string& path) { return lies_in(session.ref.path, path); })) {
      continue;
    }
    plan.gone.push_back(session);
  }
  std::ranges::stable_sort(plan.sessions, [](const PlannedSession& a, const PlannedSession& b) {
    return a.ref.stamp.mtime_ns > b.ref.stamp.mtime_ns;
  });
  return plan;
}

}  // namespace yore::ingest
