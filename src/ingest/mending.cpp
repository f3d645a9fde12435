#include "ingest/mending.hpp"

#include <chrono>
#include <optional>

#include "base/files/file.hpp"
#include "base/publication.hpp"
#include "base/trace.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/scan_cache.hpp"
#include "lexical/format/snapshot.hpp"
#include "store/lock.hpp"
#include "store/mend.hpp"
#include "store/store.hpp"

namespace yore::ingest {
namespace {

constexpr std::chrono::seconds kWaitToMend{10};

// The keyword index knows every session and turn by name. nullopt: it is damaged as well.
std::optional<store::Census> census_of_keywords(const std::string& data_dir) {
  const auto snapshot = lexical::Snapshot::open(derive::keyword_directory(data_dir));
  if (!snapshot) return std::nullopt;
  const lexical::Catalog& catalog = (*snapshot)->catalog();
  store::Census census;
  for (std::size_t i = 0; i < catalog.turns().size(); ++i) {
    const lexical::TurnRow& turn = catalog.turns()[i];
    if ((turn.flags & lexical::kTurnGone) != 0) continue;
    const lexical::CatalogSession& session = catalog.sessions()[turn.session];
    if ((session.flags & lexical::kSessionGone) != 0) continue;
    std::string_view uid = catalog.name(session.uid);
    if ((session.flags & lexical::kSessionSuperseded) != 0) {
      uid = uid.substr(0, uid.rfind(store::kEditionMark));
    }
    ++census[std::string(uid)];
  }
  return census;
}

}  // namespace

bool was_emptied(const config::Settings& settings) {
  const auto stamp = stat_file(store::Store::database_path(settings.data_dir));
  if (!stamp || stamp->size_bytes > 0) return false;
  // A first writer that has just begun has written nothing else yet.
  const auto log = stat_file(store::Store::database_path(settings.data_dir) + "-wal");
  return (log && log->size_bytes > 0) ||
         is_regular_file(manifest_path(derive::keyword_directory(settings.data_dir)));
}

Result<bool> mend_if_damaged(const config::World& world, const config::Settings& settings) {
  const auto lock = store::WriterLock::acquire(settings.data_dir, kWaitToMend, *world.files);
  if (!lock) return lock.error();
  if (!was_emptied(settings) && !store::is_damaged(settings.data_dir)) return false;
  const auto census = census_of_keywords(settings.data_dir);
  if (Status done = store::mend(settings.data_dir, census, world.now); !done) return done.error();
  // What was derived from the old store fits the new one in nothing.
  for (const std::string& path : {manifest_path(derive::keyword_directory(settings.data_dir)),
                                  ScanCache::path(settings.data_dir)}) {
    if (Status removed = remove_file(path); !removed) return removed.error();
  }
  return true;
}

}  // namespace yore::ingest
