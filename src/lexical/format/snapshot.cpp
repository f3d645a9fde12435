#include "lexical/format/snapshot.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lexical/format/log.hpp"
#include "lexical/format/snapshot_files.hpp"

namespace yore::lexical {
namespace {

// Each time something newer must have been published in between.
constexpr int kOpenTries = 20;

Error damaged_index(std::string_view what) {
  return {Errc::corrupt, "the keyword index is damaged (" + std::string(what) + ")"};
}

struct KeyBounds {
  DocKey first = 0;
  DocKey last = 0;
};

// The first document from `from` on whose key is not below `key`, by verified keys.
Result<Doc> first_not_below(const Segment& segment, Doc from, DocKey key) {
  Doc end = segment.documents();
  while (from < end) {
    const Doc middle = from + (end - from) / 2;
    if (Status status = segment.check_key(middle); !status) return status.error();
    if (segment.keys()[middle] < key) {
      from = middle + 1;
    } else {
      end = middle;
    }
  }
  return from;
}

// Marks the documents of `segment` whose keys lie in the range, and takes them out of its sums.
Status bury(LiveSegment& live, const KeyRange& range) {
  const auto begin = first_not_below(live.segment, 0, range.first);
  if (!begin) return begin.error();
  for (Doc doc = *begin; doc < live.segment.documents(); ++doc) {
    if (Status status = live.segment.check_key(doc); !status) return status;
    if (live.segment.keys()[doc] > range.last()) break;
    if (live.dead.has(doc)) continue;
    if (Status status = live.segment.check_length(doc); !status) return status;
    live.dead.add(doc);
    const std::uint16_t length = live.segment.lengths()[doc];
    if (length > 0) --live.counted;
    live.live_length -= length;
  }
  return {};
}

}  // namespace

class SnapshotLoader {
 public:
  SnapshotLoader(const std::string& directory, Manifest manifest, const Snapshot* previous,
                 const FileSystem& system)
      : directory_(directory),
        system_(system),
        files_(std::make_shared<Snapshot::Files>()),
        result_(std::make_shared<Snapshot>()) {
    files_->manifest = std::move(manifest);
    if (previous != nullptr && previous->files_->manifest.birth == files_->manifest.birth) {
      before_ = previous;
      previous_ = previous->files_.get();
      const Manifest& then = previous_->manifest;
      const Manifest& now = files_->manifest;
      continues_ = then.catalog == now.catalog &&
                   (then.log == 0 || (then.log == now.log && then.log_bytes <= now.log_bytes));
    }
  }

  Result<std::shared_ptr<const Snapshot>> load() {
    const Manifest& manifest = files_->manifest;
    for (const auto step : {&SnapshotLoader::load_catalog, &SnapshotLoader::load_segments,
                            &SnapshotLoader::load_log, &SnapshotLoader::bury_removed}) {
      if (Status status = (this->*step)(); !status) return status.error();
    }
    result_->covers_ = manifest.covers;
    result_->generation_ = manifest.generation;
    result_->bytes_on_disk_ =
        encode_manifest(manifest).size() + manifest.catalog_bytes + manifest.log_bytes;
    for (const SegmentFile& file : manifest.segments) result_->bytes_on_disk_ += file.bytes;
    result_->files_ = files_;
    return std::shared_ptr<const Snapshot>(std::move(result_));
  }

 private:
  // True: it is the mapping of the previous snapshot, whose bytes were verified then.
  Result<bool> open_file(const std::string& path, FileNumber number, bool may_reuse = true) {
    if (previous_ != nullptr && may_reuse) {
      const auto known = previous_->open.find(number);
      if (known != previous_->open.end()) {
        files_->open.insert(*known);
        return true;
      }
    }
    auto file = system_.map(path);
    if (!file) {
      if (file.error().code == Errc::not_found) return damaged_index(path + " is gone");
      return file.error();
    }
    files_->open[number] = std::make_shared<OpenFile>(OpenFile{std::move(*file), std::nullopt});
    return false;
  }
  [[nodiscard]] std::string_view bytes_of(FileNumber number) const {
    return files_->open.at(number)->file.bytes();
  }

  Status load_catalog() {
    const Manifest& manifest = files_->manifest;
    if (continues_) {
      result_->catalog_ = before_->catalog_;
      files_->dead = previous_->dead;
    }
    if (manifest.catalog == 0) return {};
    const auto verified = open_file(catalog_path(directory_, manifest.catalog), manifest.catalog);
    if (!verified) return verified.error();
    const std::string_view bytes = bytes_of(manifest.catalog);
    if (bytes.size() != manifest.catalog_bytes) return damaged_index("size of the catalog");
    if (continues_) return {};
    auto file = decode_catalog_file(manifest.birth, manifest.catalog, bytes, *verified);
    if (!file) return file.error();
    result_->catalog_ = std::move(file->catalog);
    files_->dead = std::move(file->dead);
    return {};
  }

  Status load_segments() {
    for (const SegmentFile& one : files_->manifest.segments) {
      const auto known = open_file(segment_path(directory_, one.number), one.number);
      if (!known) return known.error();
      OpenFile& file = *files_->open.at(one.number);
      if (!file.segment) {
        if (file.file.bytes().size() != one.bytes) return damaged_index("size of a segment");
        auto segment = Segment::open(file.file.bytes(), false);
        if (!segment) return segment.error();
        if (segment->documents() != one.documents) return damaged_index("documents of a segment");
        file.segment = std::move(*segment);
      }
      add(one.of(), *file.segment, {one.first, one.last});
    }
    return {};
  }

  Status load_log() {
    const Manifest& manifest = files_->manifest;
    if (manifest.log == 0) return {};
    const bool same_log = previous_ != nullptr && previous_->manifest.log == manifest.log;
    const std::uint64_t verified_bytes = same_log ? previous_->manifest.log_bytes : 0;
    // A mapping has the size the log had when it was made: one that grew is mapped again.
    const auto known = open_file(log_path(directory_, manifest.log), manifest.log,
                                 verified_bytes == manifest.log_bytes);
    if (!known) return known.error();
    if (bytes_of(manifest.log).size() < manifest.log_bytes) return damaged_index("size of the log");
    std::string_view rest = bytes_of(manifest.log).substr(0, manifest.log_bytes);
    const std::string header = log_header(manifest.birth, manifest.log);
    if (!rest.starts_with(header)) return damaged_index("log");
    rest.remove_prefix(header.size());
    std::uint64_t frames = 0;
    for (; !rest.empty(); ++frames) {
      const std::uint64_t at = manifest.log_bytes - rest.size();
      const auto frame = read_frame(rest, at < verified_bytes);
      if (!frame) return frame.error();
      if (Status status = add_segments(*frame); !status) return status;
      const bool applied = continues_ && at < verified_bytes;
      if (Status status = applied ? Status{} : apply(*frame); !status) return status;
      rest.remove_prefix(frame->size);
    }
    return frames == manifest.log_frames ? Status{} : damaged_index("number of frames");
  }

  Status add_segments(const Frame& frame) {
    for (std::size_t i = 0; i < kFamilies; ++i) {
      if (frame.segments[i].empty()) continue;
      auto segment = Segment::open(frame.segments[i], true);
      if (!segment) return segment.error();
      const auto keys = segment->keys();
      if (keys.empty()) continue;
      const KeyBounds bounds{keys.front(), keys.back()};
      if (!bounds_[i].empty() && bounds_[i].back().last >= bounds.first) {
        return damaged_index("order of keys");
      }
      add(static_cast<Family>(i), std::move(*segment), bounds);
    }
    return {};
  }

  Status apply(const Frame& frame) {
    DeadKeys& dead = files_->dead;
    dead.passages.insert(dead.passages.end(), frame.removed.begin(), frame.removed.end());
    dead.titles.insert(dead.titles.end(), frame.removed_titles.begin(), frame.removed_titles.end());
    if (frame.rows.empty()) return {};
    const auto rows = CatalogChange::decode(frame.rows);
    if (!rows) return rows.error();
    if (!rows->fits(result_->catalog_)) return damaged_index("rows of a frame");
    rows->apply_to(result_->catalog_);
    return {};
  }

  void add(Family family, Segment segment, KeyBounds bounds) {
    const auto i = static_cast<std::size_t>(family);
    DeadSet dead(segment.documents());
    const std::uint32_t counted = segment.counted();
    const std::uint64_t length = segment.total_length();
    result_->segments_[i].push_back({std::move(segment), std::move(dead), counted, length});
    bounds_[i].push_back(bounds);
  }

  Status bury_removed() {
    files_->dead.passages = normalised(std::move(files_->dead.passages));
    files_->dead.titles = normalised(std::move(files_->dead.titles));
    for (std::size_t i = 0; i < kFamilies; ++i) {
      const bool titles = static_cast<Family>(i) == Family::title;
      for (const KeyRange& range : titles ? files_->dead.titles : files_->dead.passages) {
        auto at = std::ranges::lower_bound(bounds_[i], range.first, {}, &KeyBounds::last);
        for (; at != bounds_[i].end() && at->first <= range.last(); ++at) {
          LiveSegment& live =
              result_->segments_[i][static_cast<std::size_t>(at - bounds_[i].begin())];
          if (Status status = bury(live, range); !status) return status;
        }
      }
    }
    return {};
  }

  const std::string& directory_;
  const FileSystem& system_;
  const Snapshot* before_ = nullptr;
  const Snapshot::Files* previous_ = nullptr;  // its files
  bool continues_ = false;  // rows and removals are those of before, and what newer frames say
  std::shared_ptr<Snapshot::Files> files_;
  std::shared_ptr<Snapshot> result_;
  std::array<std::vector<KeyBounds>, kFamilies> bounds_;
};

Result<std::shared_ptr<const Snapshot>> Snapshot::open(
    const std::string& directory, const std::shared_ptr<const Snapshot>& previous,
    const FileSystem& files) {
  for (int tries = 0; tries < kOpenTries; ++tries) {
    auto manifest = read_manifest<Manifest>(directory, files);
    if (!manifest) return manifest.error();
    const std::uint64_t generation = manifest->generation;
    if (previous && previous->generation_ == generation) return previous;
    auto snapshot = SnapshotLoader(directory, std::move(*manifest), previous.get(), files).load();
    if (snapshot) return snapshot;
    // The writer removes what it has replaced: between the manifest and its files something newer
    // may have come. If not, it is as bad as it looks.
    if (is_current(directory, generation, files)) return snapshot.error();
  }
  return Error{Errc::busy, "the keyword index changes faster than it can be opened"};
}

FamilyStats Snapshot::stats(Family family) const {
  FamilyStats stats;
  for (const LiveSegment& live : segments(family)) {
    stats.documents += live.counted;
    stats.length += live.live_length;
  }
  return stats;
}

Status Snapshot::verify() const {
  if (!files_) return {};
  const Manifest& manifest = files_->manifest;
  for (const auto& family : segments_) {
    for (const LiveSegment& live : family) {
      if (Status status = live.segment.check_all(); !status) return status;
    }
  }
  std::array<std::size_t, kFamilies> next{};
  for (const SegmentFile& file : manifest.segments) {
    const auto keys = segments_[file.family][next[file.family]++].segment.keys();
    if (keys.front() != file.first || keys.back() != file.last)
      return damaged_index("keys of a segment");
  }
  if (manifest.catalog != 0) {
    const auto file = decode_catalog_file(manifest.birth, manifest.catalog,
                                          files_->open.at(manifest.catalog)->file.bytes());
    if (!file) return file.error();
  }
  if (manifest.log != 0) {
    std::string_view rest = files_->open.at(manifest.log)->file.bytes();
    rest = rest.substr(0, manifest.log_bytes);
    rest.remove_prefix(log_header(manifest.birth, manifest.log).size());
    while (!rest.empty()) {
      const auto frame = read_frame(rest);
      if (!frame) return frame.error();
      rest.remove_prefix(frame->size);
    }
  }
  return {};
}

}  // namespace yore::lexical
