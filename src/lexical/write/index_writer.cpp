#include "lexical/write/index_writer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "lexical/format/log.hpp"
#include "lexical/format/snapshot_files.hpp"
#include "lexical/write/index_state.hpp"
#include "lexical/write/merge.hpp"

namespace yore::lexical {
namespace {

bool means_rebuild(Errc code) {
  return code == Errc::not_found || code == Errc::corrupt || code == Errc::unsupported;
}

bool is_empty(const Update& update) {
  return update.rows.empty() && update.removed.empty() && update.removed_titles.empty() &&
         std::ranges::all_of(update.segments, &std::string::empty);
}

// Keys of dead documents, as ranges.
void add_dead_keys(const LiveSegment& live, std::vector<KeyRange>& out) {
  live.dead.each([&](Doc doc) { out.push_back({live.segment.keys()[doc], 1}); });
}

}  // namespace

struct IndexWriter::State {
  explicit State(const FileSystem& files) : system(files) {}

  const FileSystem& system;
  std::string directory;
  std::string uuid;
  WriterLimits limits;
  std::shared_ptr<const Snapshot> snapshot;
  FileNumber next_file = 1;  // a failed attempt may have used more than the manifest knows

  [[nodiscard]] const Manifest& manifest() const { return snapshot->files_->manifest; }
  [[nodiscard]] std::size_t files_of(std::size_t family) const {
    return static_cast<std::size_t>(
        std::ranges::count(manifest().segments, family, &SegmentFile::family));
  }

  // Another process may have merged since.
  Status refresh() {
    auto now = Snapshot::open(directory, snapshot, system);
    if (!now) return now.error();
    if ((*now)->covers().uuid != uuid) {
      return Error{Errc::corrupt, "the keyword index belongs to another database"};
    }
    snapshot = std::move(*now);
    next_file = std::max(next_file, manifest().next_file);
    return {};
  }

  Status publish(Manifest next) {
    next.generation = manifest().generation + 1;
    next.next_file = next_file;
    next.covers.uuid = uuid;
    const bool files_go = (manifest().log != 0 && next.log != manifest().log) ||
                          (manifest().catalog != 0 && next.catalog != manifest().catalog);
    if (Status status = publish_manifest(directory, next, system); !status) return status;
    if (files_go) remove_unnamed(directory, next, system);
    return refresh();
  }

  FileNumber new_number() {
    next_file = free_number(directory, Manifest::kKind, next_file);
    return next_file++;
  }

  Result<FileNumber> write_segment(std::string_view bytes) {
    const FileNumber number = new_number();
    if (Status status = system.write_new_file(segment_path(directory, number), bytes); !status) {
      return status.error();
    }
    return number;
  }

  struct NewSegment {
    Family family = Family::conversation;
    std::string bytes;
  };

  Status merge_log(std::vector<NewSegment>& out) const;
  [[nodiscard]] DeadKeys dead_in_files() const;
  Status write_catalog(const CatalogChange& rows, Manifest& next);
  Status add_segments(const std::vector<NewSegment>& segments, const RowCounts& rows,
                      Manifest& next);
  Status consolidate(const StoreState& covers, std::vector<NewSegment> segments,
                     const CatalogChange& rows);
  Status start_anew();
  [[nodiscard]] std::optional<DocKey> last_key(std::size_t family) const;
  [[nodiscard]] Status check(const Update& update) const;
  Status append(const Update& update, Manifest& next);
};

// The frames' segments become one per family.
Status IndexWriter::State::merge_log(std::vector<NewSegment>& out) const {
  for (std::size_t family = 0; family < kFamilies; ++family) {
    const auto& all = snapshot->segments(static_cast<Family>(family));
    std::vector<MergeInput> inputs;
    for (std::size_t i = files_of(family); i < all.size(); ++i) {
      if (all[i].dead.count() == all[i].segment.documents()) continue;
      inputs.push_back({&all[i].segment, &all[i].dead});
    }
    if (inputs.empty()) continue;
    auto merged = merge_segments(inputs);
    if (!merged) return merged.error();
    out.push_back({static_cast<Family>(family), std::move(*merged)});
  }
  return {};
}

// What must be kept of all removals once the log is gone.
DeadKeys IndexWriter::State::dead_in_files() const {
  DeadKeys dead;
  // Until all details are in, a removal may be of a document that comes later.
  if (!snapshot->covers().details_complete) dead = snapshot->files_->dead;
  for (std::size_t family = 0; family < kFamilies; ++family) {
    const auto& all = snapshot->segments(static_cast<Family>(family));
    const bool titles = static_cast<Family>(family) == Family::title;
    for (std::size_t i = 0; i < files_of(family); ++i) {
      add_dead_keys(all[i], titles ? dead.titles : dead.passages);
    }
  }
  return {normalised(std::move(dead.passages)), normalised(std::move(dead.titles))};
}

Status IndexWriter::State::write_catalog(const CatalogChange& rows, Manifest& next) {
  std::optional<Catalog> changed;
  if (!rows.empty()) {
    changed = snapshot->catalog();
    rows.apply_to(*changed);
  }
  next.catalog = new_number();
  const std::string bytes = encode_catalog_file(
      next.birth, next.catalog, changed ? *changed : snapshot->catalog(), dead_in_files());
  next.catalog_bytes = bytes.size();
  return system.write_new_file(catalog_path(directory, next.catalog), bytes);
}

// Writes them to files that `next` names.
Status IndexWriter::State::add_segments(const std::vector<NewSegment>& segments,
                                        const RowCounts& rows, Manifest& next) {
  for (const NewSegment& segment : segments) {
    auto file = describe(segment.family, segment.bytes, rows);
    if (!file) return file.error();
    if (!*file) continue;
    const auto number = write_segment(segment.bytes);
    if (!number) return number.error();
    (*file)->number = *number;
    next.segments.push_back(**file);
  }
  sort_segments(next);
  next.next_file = next_file;
  if (!next.is_sound()) return Error{Errc::invalid_argument, "segments whose keys overlap"};
  return {};
}

// The log becomes segments and a new base of the catalog, together with what is added.
Status IndexWriter::State::consolidate(const StoreState& covers, std::vector<NewSegment> segments,
                                       const CatalogChange& rows) {
  if (!rows.fits(snapshot->catalog())) {
    return Error{Errc::invalid_argument, "rows that do not fit the catalog"};
  }
  if (Status status = merge_log(segments); !status) return status;
  Manifest next = manifest();
  next.covers = covers;
  next.log = next.log_bytes = next.log_frames = 0;
  Status status = add_segments(segments, RowCounts::after(snapshot->catalog(), rows), next);
  const bool same_rows = rows.empty() && manifest().log_frames == 0 && next.catalog != 0;
  if (status && !same_rows) status = write_catalog(rows, next);
  if (status) return publish(std::move(next));
  // Files that nobody will name: the disk may be full.
  remove_unnamed(directory, manifest(), system);
  return status;
}

// An empty index. What was there may be unreadable; its file numbers and generation are not used
// again all the same.
Status IndexWriter::State::start_anew() {
  if (Status status = make_directories(directory); !status) return status;
  Manifest empty;
  std::uint64_t generation = 1;
  if (const auto old = read_manifest<Manifest>(directory, system)) {
    generation = old->generation + 1;
    next_file = std::max(next_file, old->next_file);
  }
  next_file = std::max(next_file, largest_number(directory, Manifest::kKind) + 1);
  empty.generation = empty.birth = fresh_generation(generation);
  empty.next_file = next_file;
  empty.covers.uuid = uuid;
  empty.covers.details_complete = false;  // it covers nothing yet: who asks now may wait for more
  if (Status status = publish_manifest(directory, empty, system); !status) return status;
  remove_unnamed(directory, empty, system);
  return refresh();
}

std::optional<DocKey> IndexWriter::State::last_key(std::size_t family) const {
  const auto& all = snapshot->segments(static_cast<Family>(family));
  if (all.empty()) return std::nullopt;
  if (all.size() > files_of(family)) return all.back().segment.keys().back();
  // The manifest is verified; the keys of the file may not be yet.
  std::optional<DocKey> last;
  for (const SegmentFile& file : manifest().segments) {
    if (file.family == family) last = file.last;
  }
  return last;
}

// invalid_argument: the update cannot follow what is there.
Status IndexWriter::State::check(const Update& update) const {
  if (!update.rows.fits(snapshot->catalog())) {
    return Error{Errc::invalid_argument, "rows that do not fit the catalog"};
  }
  const RowCounts rows = RowCounts::after(snapshot->catalog(), update.rows);
  for (std::size_t family = 0; family < kFamilies; ++family) {
    if (update.segments[family].empty()) continue;
    const auto file = describe(static_cast<Family>(family), update.segments[family], rows);
    if (!file) return file.error();
    const auto last = last_key(family);
    if (*file && last && (*file)->first <= *last) {
      return Error{Errc::invalid_argument, "keys that are not larger than all before"};
    }
  }
  return {};
}

// The frame is behind the log's published end, or in a log of its own.
Status IndexWriter::State::append(const Update& update, Manifest& next) {
  const std::string frame = encode_frame(update);
  if (next.log != 0) {
    const auto appended =
        system.append_if_size(log_path(directory, next.log), next.log_bytes, frame);
    if (!appended) return appended.error();
    if (!*appended) {
      // Something lies behind the published end: left by a crash or a full disk. It stays as it is,
      // and the log is not used any more.
      if (Status status = consolidate(next.covers, {}, {}); !status) return status;
      next = manifest();
    }
  }
  if (next.log == 0) {
    next.log = new_number();
    next.log_bytes = log_header(next.birth, next.log).size();
    const std::string bytes = log_header(next.birth, next.log) + frame;
    if (Status status = system.write_new_file(log_path(directory, next.log), bytes); !status) {
      return status;
    }
  }
  next.log_bytes += frame.size();
  ++next.log_frames;
  return {};
}

IndexWriter::IndexWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
IndexWriter::IndexWriter(IndexWriter&&) noexcept = default;
IndexWriter& IndexWriter::operator=(IndexWriter&&) noexcept = default;
IndexWriter::~IndexWriter() = default;

Result<IndexWriter> IndexWriter::open(const std::string& directory, const std::string& uuid,
                                      const WriterLimits& limits,
                                      const std::shared_ptr<const Snapshot>& previous,
                                      const FileSystem& files) {
  if (Status status = make_directories(directory); !status) return status.error();
  auto state = std::make_unique<State>(files);
  state->directory = directory;
  state->uuid = uuid;
  state->limits = limits;
  // A merge that was killed leaves its output; one that runs still needs it.
  if (const auto lock = FileLock::try_acquire(merge_lock_path(directory), files)) {
    if (Status status = files.remove_file(merge_output_path(directory)); !status)
      return status.error();
  }
  auto snapshot = Snapshot::open(directory, previous, files);
  if (!snapshot && !means_rebuild(snapshot.error().code)) return snapshot.error();
  if (snapshot && (*snapshot)->covers().uuid == uuid) {
    state->snapshot = std::move(*snapshot);
    state->next_file =
        std::max(state->manifest().next_file, largest_number(directory, Manifest::kKind) + 1);
    remove_unnamed(directory, state->manifest(), files);
  } else if (Status status = state->start_anew(); !status) {
    return status.error();
  }
  return IndexWriter(std::move(state));
}

std::shared_ptr<const Snapshot> IndexWriter::snapshot() const {
  return state_->snapshot;
}

const StoreState& IndexWriter::covers() const {
  return state_->snapshot->covers();
}

Status IndexWriter::publish(const Update& update) {
  if (Status status = state_->refresh(); !status) return status;
  if (Status status = state_->check(update); !status) return status;
  Manifest next = state_->manifest();
  if (!is_empty(update)) {
    if (Status status = state_->append(update, next); !status) return status;
  }
  next.covers = update.covers;
  return state_->publish(std::move(next));
}

Status IndexWriter::publish_bulk(Bulk&& bulk) {
  if (Status status = state_->refresh(); !status) return status;
  std::vector<State::NewSegment> segments;
  for (auto& [family, bytes] : bulk.segments) segments.push_back({family, std::move(bytes)});
  return state_->consolidate(bulk.covers, std::move(segments), bulk.rows);
}

Status IndexWriter::reset() {
  return state_->start_anew();
}

Status IndexWriter::fold_if_due(bool always) {
  if (Status status = state_->refresh(); !status) return status;
  const Manifest& manifest = state_->manifest();
  const bool due = manifest.log_frames >= state_->limits.fold_frames ||
                   manifest.log_bytes >= state_->limits.fold_bytes;
  if (manifest.log_frames == 0 || !(due || always)) return {};
  return state_->consolidate(manifest.covers, {}, {});
}

}  // namespace yore::lexical
