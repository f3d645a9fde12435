#include "ingest/archiving.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "base/trace.hpp"
#include "base/work_limit.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/null_sink.hpp"
#include "transcript/reading_time.hpp"
#include "transcript/stores/own_rows.hpp"

namespace yore::ingest {
namespace {

using archive::Archive;
using archive::Entry;
using archive::KeptFile;
using archive::Version;
using store::SessionRow;
using transcript::Adapter;
using transcript::SessionRef;

constexpr std::chrono::milliseconds kArchiveLockPause{50};
constexpr int kArchiveLockTries = 200;
constexpr std::size_t kMostSettingsBytes = 1 << 20;

// The files that the agent's reader opens for a session.
Result<std::set<std::string>> files_of(const Adapter& adapter, const SessionRef& ref,
                                       const std::atomic<bool>& cancel) {
  const OpenedFiles opened;
  transcript::TimeBudget time({});
  const WorkLimit work(cancel, time.for_session(ref));
  transcript::NullSink sink;
  auto step = adapter.read(ref, {}, {}, sink);
  while (step && step->more) step = adapter.read(ref, step->cursor, {}, sink);
  if (work.was_over()) return Error{Errc::cancelled, transcript::too_long_to_read(work.used())};
  if (!step) return step.error();
  return opened.paths();
}

// The work of one run: the lock is held.
class Archiver {
 public:
  Archiver(const config::World& world, const transcript::AgentRegistry& agents,
           const Archive& archive, store::Store& store, const store::Tombstones& forgotten,
           const std::atomic<bool>& cancel)
      : world_(world),
        agents_(agents),
        archive_(archive),
        store_(store),
        forgotten_(forgotten),
        cancel_(cancel) {}

  Status add(const SessionRow& session) {
    if (session.standing != store::Standing::conversation || session.path.empty()) return {};
    const auto before = archive_.find(session.uid);
    // A damaged entry is made again.
    const bool has = before && *before;
    if (has && (*before)->versions.back().stamp == session.stamp) {
      ++report_.unchanged;
      return {};
    }
    const auto origins = origins_of(session);
    if (!origins) return origins.error();
    if (!*origins) {
      ++report_.left_out;
      return {};
    }
    const Adapter* adapter = agents_.find(session.agent);
    if (adapter == nullptr || session.missing_since != kNoTime || !is_regular_file(session.path)) {
      ++report_.gone;
      return {};
    }
    auto version = keep(*adapter, session);
    if (!version) {
      report_.troubles.push_back(session.uid + ": " + version.error().message);
      return {};
    }
    return put(session, *adapter, has ? **before : Entry{}, **origins, std::move(*version));
  }
  ArchiveReport& report() { return report_; }

 private:
  // Of all turns of the session and its editions; nullopt: something of it was forgotten.
  Result<std::optional<std::vector<std::uint64_t>>> origins_of(const SessionRow& session) {
    std::optional<std::vector<std::uint64_t>> origins(std::in_place);
    auto ids = store_.editions_of(session.id);
    if (!ids) return ids.error();
    ids->push_back(session);
    for (const SessionRow& each : *ids) {
      const auto turns = store_.turns_of(each.id);
      if (!turns) return turns.error();
      for (const turns::Turn& turn : *turns) {
        if (turn.forgotten || forgotten_.has_turn(turn.origin)) {
          return std::optional<std::vector<std::uint64_t>>{};
        }
        origins->push_back(turn.origin);
      }
    }
    if (forgotten_.has_session(session.uid)) origins.reset();
    return origins;
  }

  Result<Version> keep(const Adapter& adapter, const SessionRow& session) {
    const SessionRef ref = store::session_ref(session);
    Version version;
    version.kept_at = world_.now;
    version.stamp = session.stamp;
    auto paths = files_of(adapter, ref, cancel_);
    if (!paths) return paths.error();
    std::vector<transcript::OwnRows> rows;
    if (adapter.rows != nullptr) {
      auto own = adapter.rows(ref);
      if (!own) return own.error();
      rows = std::move(*own);
    }
    if (!rows.empty()) {
      paths->erase(session.path);
      const auto image = transcript::copy_own_rows(session.path, rows);
      if (!image) return image.error();
      auto file = keep_bytes(
          session.path, session.stamp.mtime_ns, [&](std::uint64_t at, char* out, std::size_t size) {
            return Result<std::size_t>(at < image->size() ? image->copy(out, size, at) : 0);
          });
      if (!file) return file.error();
      version.files.push_back(std::move(*file));
    } else {
      paths->insert(session.path);  // some are only looked at
    }
    for (const std::string& path : *paths) {
      auto file = keep_file(path);
      if (!file) return file.error();
      version.files.push_back(std::move(*file));
    }
    return version;
  }

  Result<KeptFile> keep_file(const std::string& path) {
    const auto input = InputFile::open(path);
    if (!input) return input.error();
    const auto stamp = input->stamp();
    if (!stamp) return stamp.error();
    return keep_bytes(absolute_path(path), stamp->mtime_ns,
                      [&](std::uint64_t at, char* out, std::size_t size) {
                        return cancel_ ? Result<std::size_t>(Error{Errc::cancelled, "stopped"})
                                       : input->read_at(at, out, size);
                      });
  }

  Result<KeptFile> keep_bytes(const std::string& path, std::int64_t mtime_ns,
                              const Archive::ReadAt& read_at) {
    auto chunks = archive_.keep(read_at, report_.stored_bytes);
    if (!chunks) return chunks.error();
    return KeptFile{path, mtime_ns, std::move(*chunks)};
  }

  Status put(const SessionRow& session, const Adapter& adapter, Entry entry,
             const std::vector<std::uint64_t>& origins, Version version) {
    const SessionRef ref = store::session_ref(session);
    entry.agent = adapter.name;
    entry.ref = ref;
    entry.origins.insert(entry.origins.end(), origins.begin(), origins.end());
    std::ranges::sort(entry.origins);
    const auto repeated = std::unique(entry.origins.begin(), entry.origins.end());
    entry.origins.erase(repeated, entry.origins.end());
    if (!entry.versions.empty() && replaces(session, entry.versions.back(), version)) {
      entry.versions.pop_back();
    }
    ++report_.kept;
    report_.bytes += version.size_bytes();
    entry.versions.push_back(std::move(version));
    return archive_.put(entry);
  }

  // Rows of a database have no order on disk: of them, more counts as added to.
  bool replaces(const SessionRow& session, const Version& before, const Version& now) const {
    if (archive::only_adds(archive_, before, now)) return true;
    return !session.row.empty() && now.size_bytes() >= before.size_bytes();
  }

  const config::World& world_;
  const transcript::AgentRegistry& agents_;
  const Archive& archive_;
  store::Store& store_;
  const store::Tombstones& forgotten_;
  const std::atomic<bool>& cancel_;
  ArchiveReport report_;
};

// What the agent's settings beside the root say, else the rule's own number.
int days_of(const transcript::Retention& rule, const std::string& root) {
  const std::string path = absolute_path(path_join(root, rule.settings));
  const auto text = read_file(path, kMostSettingsBytes);
  if (!text) return rule.days;
  int days = rule.days;
  transcript::each_raw_field(*text, [&](std::string_view key, std::string_view value) {
    if (key != rule.key) return;
    constexpr std::int64_t kMostDays = 36'500;
    std::int64_t number = 0;
    const bool is_number = !value.empty() && std::ranges::all_of(value, [&](char c) {
      number = std::min(number * 10 + (c - '0'), kMostDays);
      return c >= '0' && c <= '9';
    });
    if (is_number) days = static_cast<int>(number);
  });
  return days;
}

}  // namespace

Result<ArchiveReport> archive_sessions(const config::World& world, const config::Settings& settings,
                                       store::Store& store, const std::vector<SessionRow>& sessions,
                                       const std::atomic<bool>& cancel) {
  const TraceStep step("archive");
  const Archive archive(settings.data_dir, *world.files);
  const auto lock = archive.lock();
  if (!lock) return lock.error();
  // Behind the lock: what is forgotten from now on is removed from what is kept now.
  const auto forgotten = store::Tombstones::load(settings.data_dir);
  if (!forgotten) return forgotten.error();
  Archiver archiver(world, *settings.agents, archive, store, *forgotten, cancel);
  for (const SessionRow& session : sessions) {
    if (cancel) break;
    if (Status status = archiver.add(session); !status) return status.error();
  }
  if (Status swept = archive.sweep(); !swept) return swept.error();
  archiver.report().cancelled = cancel;
  return std::move(archiver.report());
}

DeletionDates::DeletionDates(const transcript::AgentRegistry& agents,
                             const std::vector<store::RootRow>& roots) {
  for (const store::RootRow& root : roots) {
    const Adapter* adapter = agents.find(root.agent);
    if (adapter == nullptr || adapter->retention.days == 0) continue;
    rules_.push_back({root.id, days_of(adapter->retention, root.path)});
  }
}

std::optional<Time> DeletionDates::of(const SessionRow& session) const {
  const auto rule = std::ranges::find(rules_, session.root, &Rule::root);
  if (rule == rules_.end() || session.missing_since != kNoTime || !session.row.empty()) return {};
  return from_ms(session.stamp.mtime_ns / 1'000'000) + std::chrono::days{rule->days};
}

Result<std::vector<Expiring>> expiring_sessions(const config::World& world,
                                                const config::Settings& settings,
                                                store::Store& store, std::chrono::days within) {
  std::vector<Expiring> expiring;
  const auto roots = store.roots();
  if (!roots) return roots.error();
  const DeletionDates dates(*settings.agents, *roots);
  const Archive archive(settings.data_dir, *world.files);
  const Status read = store.each_session([&](SessionRow&& session) {
    if (session.standing != store::Standing::conversation) return true;
    const auto date = dates.of(session);
    if (!date || *date >= world.now + within) return true;
    const auto entry = archive.find(session.uid);
    const bool kept = entry && *entry && (*entry)->versions.back().stamp == session.stamp;
    expiring.push_back({std::move(session), *date, kept});
    return true;
  });
  if (!read) return read.error();
  std::ranges::stable_sort(expiring, {}, &Expiring::date);
  return expiring;
}

Status forget_archived(const config::World& world, const config::Settings& settings,
                       const store::Tombstones& forgotten, const std::atomic<bool>&) {
  const Archive archive(settings.data_dir, *world.files);
  if (!archive.exists()) return {};
  auto lock = archive.lock();
  for (int tries = 0; !lock && lock.error().code == Errc::busy && tries < kArchiveLockTries;
       ++tries) {
    std::this_thread::sleep_for(kArchiveLockPause);
    lock = archive.lock();
  }
  if (!lock) return lock.error();
  const auto all = archive.all();
  if (!all) return all.error();
  for (const Entry& entry : all->entries) {
    const bool goes = forgotten.has_session(entry.ref.id) ||
                      std::ranges::any_of(entry.origins, [&](std::uint64_t origin) {
                        return forgotten.has_turn(origin);
                      });
    if (!goes) continue;
    if (Status gone = archive.remove(entry.ref.id); !gone) return gone;
  }
  // Nobody can tell what they hold.
  for (const std::string& path : all->damaged) {
    if (Status gone = world.files->remove_file(path); !gone) return gone;
  }
  return archive.sweep();
}

}  // namespace yore::ingest
