#include "service/backup.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "archive/archive.hpp"
#include "archive/backup_file.hpp"
#include "archive/packed.hpp"
#include "ingest/forget.hpp"
#include "store/kept_records.hpp"
#include "store/lock.hpp"
#include "store/marks.hpp"
#include "store/saved_answers.hpp"

namespace yore::service {
namespace {

using archive::Archive;
using archive::BackupWriter;
using archive::Entry;

// Names of members; a piece of the archive is "piece/<digest>".
constexpr std::string_view kRecords = "records";
constexpr std::string_view kForgotten = "forgotten";
constexpr std::string_view kEntryMember = "entry/";
constexpr std::string_view kPieceMember = "piece/";
constexpr std::string_view kSavedMember = "saved/";
constexpr std::size_t kMostUnpackedMember = std::size_t{8} << 30U;
constexpr std::chrono::seconds kWaitToRestore{10};

Status add_archive(const Archive& archive, const Archive::All& all, BackupWriter& out) {
  std::vector<std::string> pieces;
  for (const Entry& entry : all.entries) {
    for (const archive::Version& version : entry.versions) {
      for (const archive::KeptFile& file : version.files) {
        for (const archive::Chunk& chunk : file.chunks) pieces.push_back(chunk.digest);
      }
    }
  }
  std::ranges::sort(pieces);
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  for (const std::string& digest : pieces) {
    const auto packed = read_file(path_join(archive.directory(), Archive::chunk_name(digest)));
    if (!packed) return packed.error();
    if (Status put = out.add(std::string(kPieceMember) + digest, *packed); !put) return put;
  }
  for (const Entry& entry : all.entries) {
    const std::string name = std::string(kEntryMember) + Archive::entry_name(entry.ref.id);
    if (Status put = out.add(name, archive::pack(archive::encode_entry(entry))); !put) return put;
  }
  return {};
}

Status add_saved(const std::string& data_dir, BackupWriter& out) {
  const auto saved = store::saved_answers(data_dir);
  if (!saved) return saved.error();
  for (const store::SavedAnswer& answer : *saved) {
    const std::string bytes = archive::pack(store::encode_saved(answer));
    if (Status put = out.add(std::string(kSavedMember) + answer.name, bytes); !put) return put;
  }
  return {};
}

// What of a backup is not in pieces.
struct Loaded {
  std::string records;
  std::string forgotten;
  std::vector<Entry> entries;
  std::vector<store::SavedAnswer> saved;
};

// One that is there stays as it is.
Status restore_saved(const std::string& data_dir, const Loaded& loaded) {
  for (const store::SavedAnswer& answer : loaded.saved) {
    if (store::saved_answer(data_dir, answer.name)) continue;
    if (Status put = store::save_answer(data_dir, answer); !put) return put;
  }
  return {};
}

// An entry that is there keeps its versions, and the newest of its own stays the newest.
Entry merged(Entry here, Entry there) {
  for (archive::Version& version : there.versions) {
    const bool known = std::ranges::any_of(
        here.versions, [&](const archive::Version& own) { return own.files == version.files; });
    if (!known) here.versions.insert(here.versions.end() - 1, std::move(version));
  }
  here.origins.insert(here.origins.end(), there.origins.begin(), there.origins.end());
  std::ranges::sort(here.origins);
  here.origins.erase(std::unique(here.origins.begin(), here.origins.end()), here.origins.end());
  return here;
}

// All of it is read and checked; nothing is written.
Result<Loaded> load(const std::string& path) {
  Loaded loaded;
  const Status read =
      archive::each_member(path, [&](std::string_view name, std::string_view packed) -> Status {
        if (name.starts_with(kPieceMember)) return {};  // checked by its name when it is taken in
        auto bytes = archive::unpack(packed, kMostUnpackedMember);
        if (!bytes) return bytes.error();
        if (name == kRecords) loaded.records = std::move(*bytes);
        if (name == kForgotten) loaded.forgotten = std::move(*bytes);
        if (name.starts_with(kSavedMember)) {
          auto saved = store::decode_saved(name.substr(kSavedMember.size()), *bytes);
          if (!saved) return saved.error();
          loaded.saved.push_back(std::move(*saved));
        }
        if (!name.starts_with(kEntryMember)) return {};
        auto entry = archive::decode_entry(*bytes);
        if (!entry) return entry.error();
        loaded.entries.push_back(std::move(*entry));
        return {};
      });
  if (!read) return read.error();
  return loaded;
}

Status restore_archive(const Archive& archive, const std::string& path, const Loaded& loaded,
                       const store::Tombstones& forgotten) {
  Status status = archive::each_member(path, [&](std::string_view name, std::string_view packed) {
    if (!name.starts_with(kPieceMember)) return Status{};
    return archive.keep_packed(std::string(name.substr(kPieceMember.size())), packed);
  });
  for (const Entry& entry : loaded.entries) {
    if (!status) return status;
    if (forgotten.has_session(entry.ref.id)) continue;
    auto here = archive.find(entry.ref.id);
    const bool has = here && *here;
    status = archive.put(has ? merged(std::move(**here), entry) : entry);
  }
  return status ? archive.sweep() : status;
}

}  // namespace

Result<BackupReport> write_backup(const config::World& world, const config::Settings& settings,
                                  const std::string& path) {
  BackupReport report;
  const Archive archive(settings.data_dir, *world.files);
  std::optional<FileLock> held;  // so that no piece goes while it is copied
  if (archive.exists()) {
    auto lock = archive.lock();
    if (!lock) return lock.error();
    held = std::move(*lock);
  }
  const auto all = archive.all();
  if (!all) return all.error();
  std::vector<std::string> kept;
  for (const Entry& entry : all->entries) kept.push_back(entry.ref.id);
  const auto records = store::copy_kept_records(settings.data_dir, kept);
  if (!records) return records.error();
  const auto forgotten = store::copy_tombstones(settings.data_dir);
  if (!forgotten) return forgotten.error();
  auto out = BackupWriter::create(path, *world.files);
  if (!out) return out.error();
  Status status = out->add(kRecords, archive::pack(*records));
  if (status && !forgotten->empty()) status = out->add(kForgotten, archive::pack(*forgotten));
  if (status) status = add_saved(settings.data_dir, *out);
  if (status) status = add_archive(archive, *all, *out);
  if (status) status = out->finish();
  if (!status) return status.error();
  report.bytes = out->bytes();
  report.originals = kept.size();
  return report;
}

Result<BackupReport> restore_backup(const config::World& world, const config::Settings& settings,
                                    const std::string& path, const std::atomic<bool>& cancel) {
  const auto loaded = load(path);
  if (!loaded) return loaded.error();
  if (Status made = make_directories(settings.data_dir); !made) return made.error();
  const auto writing = store::WriterLock::acquire(settings.data_dir, kWaitToRestore, *world.files);
  if (!writing) return writing.error();
  if (!loaded->forgotten.empty()) {
    Status taken = store::can_adopt_tombstones(settings.data_dir, loaded->forgotten);
    if (taken) taken = store::adopt_tombstones(settings.data_dir, loaded->forgotten);
    if (!taken) return taken.error();
  }
  const auto forgotten = store::Tombstones::load(settings.data_dir);
  if (!forgotten) return forgotten.error();
  if (!loaded->forgotten.empty()) {
    Status marked = store::Marks::adopt(settings.data_dir, loaded->forgotten, *forgotten);
    if (!marked) return marked.error();
  }
  if (Status saved = restore_saved(settings.data_dir, *loaded); !saved) return saved.error();
  if (!loaded->entries.empty()) {
    const Archive archive(settings.data_dir, *world.files);
    const auto lock = archive.lock();
    if (!lock) return lock.error();
    Status restored = restore_archive(archive, path, *loaded, *forgotten);
    if (!restored) return restored.error();
  }
  BackupReport report;
  report.originals = loaded->entries.size();
  {
    auto store = store::Store::open(settings.data_dir);
    if (!store) return store.error();
    const auto adopted = store::adopt_records(*store, loaded->records, *forgotten);
    if (!adopted) return adopted.error();
    report.sessions = adopted->sessions;
    report.editions = adopted->editions;
    report.there_already = adopted->there_already;
  }
  if (!forgotten->empty()) {
    Status done = ingest::finish_forgetting(world, settings, cancel);
    if (!done) return done.error();
  }
  return report;
}

}  // namespace yore::service
