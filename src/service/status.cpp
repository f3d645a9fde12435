#include "service/status.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/contains.hpp"
#include "base/files/file.hpp"
#include "config/whereabouts.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/archiving.hpp"
#include "ingest/plan.hpp"
#include "ingest/scan_cache.hpp"
#include "lexical/format/snapshot.hpp"
#include "store/lock.hpp"
#include "store/mend.hpp"

namespace yore::service {
namespace {

std::uint64_t size_or_zero(const std::string& path) {
  const auto stamp = stat_file(path);
  return stamp ? stamp->size_bytes : 0;
}

// What the store tells, and what is needed later to compare it with the files.
struct Stored {
  std::vector<store::RootRow> roots;
  std::vector<store::KnownSession> sessions;
  std::vector<std::pair<std::string, FileStamp>> containers;
  std::map<store::RootId, RootStatus> by_root;
};

// Takes the value out of a result, or notes the first failure.
template <typename T>
void take(Result<T>&& from, T& into, Status& status) {
  if (from) {
    into = std::move(*from);
  } else if (status) {
    status = from.error();
  }
}

Result<Stored> read_store(store::Store& store, StatusReport& report) {
  Stored stored;
  Status status;
  take(store.roots(), stored.roots, status);
  take(store.known_sessions(), stored.sessions, status);
  take(store.containers(), stored.containers, status);
  take(store.passage_count(), report.passages, status);
  take(store.agent_counts(), report.agents, status);
  take(store.problems(), report.problems, status);
  take(store.unknowns(), report.unknowns, status);
  take(store.troubles(), report.troubles, status);
  if (!status) return status.error();
  status = store.each_session([&](store::SessionRow&& session) {
    if (session.standing != store::Standing::conversation) return true;
    ++stored.by_root[session.root].sessions;
    stored.by_root[session.root].turns += session.facts.turn_count;
    return true;
  });
  if (!status) return status.error();
  return stored;
}

void measure_derived(const config::World& world, const config::Settings& settings,
                     StatusReport& report) {
  const std::string path = store::Store::database_path(settings.data_dir);
  report.database_bytes = size_or_zero(path) + size_or_zero(path + "-wal");
  const auto snapshot = lexical::Snapshot::open(derive::keyword_directory(settings.data_dir));
  if (!snapshot) return;
  report.keyword_bytes = (*snapshot)->bytes_on_disk();
  for (const auto family : {lexical::Family::conversation, lexical::Family::detail}) {
    report.keyword_passages += (*snapshot)->stats(family).documents;
    report.keyword_segments += (*snapshot)->segments(family).size();
  }
  if (const auto embedded = derive::count_embedded(world, settings, **snapshot)) {
    report.embedded = *embedded;
  } else {
    report.model_problem = embedded.error().message;
  }
}

// True: every file is as the last run saw it, which then listed all of these roots. Nothing needs
// to be listed to say so, and no description of an agent to be read.
bool nothing_has_changed(const config::World& world, const config::Settings& settings,
                         const std::vector<config::FoundRoot>& roots, std::uint64_t& sessions) {
  const auto seen = ingest::ScanCache::load(settings.data_dir);
  if (!seen || seen->settings() != ingest::places_hash(world, settings)) return false;
  const bool saw_all = std::ranges::all_of(roots, [&](const config::FoundRoot& root) {
    return contains(seen->roots(), root.root.path);
  });
  if (!saw_all) return false;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < seen->size(); ++i) {
    if (!seen->is_far(i)) paths.emplace_back(seen->path_of(i));
  }
  sessions = seen->sessions();
  return seen->compare(paths).none();
}

void compare_with_files(const config::World& world, const config::Settings& settings,
                        const Stored& stored, std::vector<config::FoundRoot> roots,
                        StatusReport& report) {
  if (report.indexed && nothing_has_changed(world, settings, roots, report.files_known)) return;
  const ingest::Plan plan =
      ingest::make_plan(std::move(roots), settings, stored.sessions, stored.containers, false, {},
                        {}, {}, kNeverCancelled, ingest::Reach::near);
  report.files_known = plan.sessions.size();
  report.files_behind = static_cast<std::uint64_t>(
      std::ranges::count(plan.sessions, true, &ingest::PlannedSession::read));
  report.behind_bytes = plan.unread_bytes;
}

Status add_expiring(const config::World& world, const config::Settings& settings,
                    store::Store& store, StatusReport& report) {
  const auto expiring = ingest::expiring_sessions(world, settings, store, ingest::kWarnBefore);
  if (!expiring) return expiring.error();
  for (const ingest::Expiring& each : *expiring) {
    auto row =
        std::ranges::find(report.expiring, each.session.agent, &StatusReport::Expiring::agent);
    if (row == report.expiring.end()) {
      row = report.expiring.insert(row, {each.session.agent, 0, 0, each.date});
    }
    ++row->sessions;
    row->kept += each.kept ? 1 : 0;
  }
  return {};
}

std::string place_of(const config::Whereabouts& where, const std::string& path) {
  std::string place = where.tell(path);
  return place.empty() ? "network disk" : place;  // behind a link
}

RootStatus root_status(const config::FoundRoot& root, Stored& stored) {
  RootStatus status;
  const auto row = std::ranges::find_if(stored.roots, [&](const store::RootRow& each) {
    return each.agent == root.adapter->name && each.path == root.root.path;
  });
  if (row != stored.roots.end()) status = stored.by_root[row->id];
  status.agent = root.adapter->name;
  status.path = root.root.path;
  status.exists = root.exists;
  status.named = root.root.named;
  return status;
}

}  // namespace

StatusTotals totals(const StatusReport& report) {
  StatusTotals all;
  for (const store::AgentCounts& agent : report.agents) {
    all.sessions += agent.sessions;
    all.subagents += agent.subagents;
    all.turns += agent.turns;
    all.missing += agent.missing;
    all.superseded += agent.superseded;
    all.prompts += agent.prompts;
    all.notes += agent.notes;
    all.other_files += agent.other_files;
  }
  return all;
}

Result<StatusReport> read_status(const config::World& world, const config::Settings& settings) {
  StatusReport report;
  report.data_dir = settings.data_dir;
  report.writer_pid = store::WriterLock::holder(settings.data_dir);
  report.keeper = read_keeper_report(settings.data_dir);

  Stored stored;
  auto store = store::Store::open_existing(settings.data_dir);
  if (!store && store.error().code != Errc::not_found) return store.error();
  if (store) {
    report.indexed = true;
    measure_derived(world, settings, report);
    auto read = read_store(*store, report);
    if (!read) return read.error();
    stored = std::move(*read);
    if (Status status = add_expiring(world, settings, *store, report); !status) {
      return status.error();
    }
    const auto mended = store::mended(*store);
    if (!mended) return mended.error();
    if (*mended) report.mended = store::mended_note(**mended);
  }

  auto roots = ingest::roots_to_look_at(world, settings, {}, stored.roots, {}, ingest::Reach::near);
  if (!roots) return roots.error();
  const config::Whereabouts where(world, settings.data_dir);
  for (const config::FoundRoot& root : *roots) {
    report.roots.push_back(root_status(root, stored));
    if (root.far) report.roots.back().place = place_of(where, root.root.path);
  }
  compare_with_files(world, settings, stored, std::move(*roots), report);
  return report;
}

}  // namespace yore::service
