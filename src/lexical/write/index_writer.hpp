// index_writer.hpp — how the keyword index on disk changes: publish, fold, merge.
//
//   <directory>/manifest        small; names the files, how much of the log counts and which state
//                               of the store is covered; replaced atomically
//   <directory>/NNNN.seg        segments
//   <directory>/NNNN.cat        the catalog's base, with the keys that are dead
//   <directory>/NNNN.log        the append log: frames that are already inverted
//
// An update is appended to the log as one frame (a small segment per family, removed keys, changed
// rows) and published by a new manifest: its cost is its own size. When the log has many frames or
// bytes it is folded: its frames become a segment per family, and a new catalog base is written.
// Segments of similar size are merged in tiers. Bytes that were published are never changed or
// truncated; a file is deleted only when no manifest names it.
//
// REQUIRES: one writer at a time, who holds the store's writer lock; merge() alone needs it only
// for its last step (see there). Crash: at any moment the old or the new manifest is there, and
// every file it names is whole; files that nobody names are removed by the next writer. Damage is
// found by checksums and means a rebuild from the store.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/catalog.hpp"
#include "lexical/format/log.hpp"
#include "lexical/format/snapshot.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// When the log is folded and what is merged with what. Tests make them small.
struct WriterLimits {
  std::uint32_t fold_frames = 48;
  std::uint64_t fold_bytes = 4U << 20;
  std::uint32_t tier_width = 6;                // this many of similar size become one
  std::uint64_t max_merge_bytes = 192U << 20;  // no segment grows beyond
  double max_dead = 0.2;                       // a segment with a larger share is rewritten
  std::uint32_t max_dead_documents = 2000;     // likewise, whatever the share
};

class IndexWriter {
 public:
  // The index in `directory`, or an empty one when there is none, it is damaged, of another format
  // or of another database than `uuid`. Opens quicker knowing an earlier state of it.
  // REQUIRES: `files` outlives the writer.
  static Result<IndexWriter> open(const std::string& directory, const std::string& uuid,
                                  const WriterLimits& limits = {},
                                  const std::shared_ptr<const Snapshot>& previous = {},
                                  const FileSystem& files = real_file_system());
  IndexWriter(IndexWriter&&) noexcept;
  IndexWriter& operator=(IndexWriter&&) noexcept;
  ~IndexWriter();

  // What is published now, as this writer sees it.
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
  [[nodiscard]] const StoreState& covers() const;

  // Appends and publishes one update. Keys in `segments` must be larger than all before in their
  // family. invalid_argument: they are not, rows do not fit the catalog, or documents have no row.
  // not_found, corrupt: the index was removed or damaged by others since; open it anew.
  Status publish(const Update& update);
  // The same for bulk building: the segments become files of their own at once, the catalog a new
  // base. Their keys may lie between those that are there (details read after the conversation),
  // but the ranges of two segments of a family must not overlap.
  struct Bulk {
    StoreState covers;
    std::vector<std::pair<Family, std::string>> segments;
    CatalogChange rows;
  };
  Status publish_bulk(Bulk&& bulk);
  // Throws everything away and publishes an empty index.
  Status reset();

  // Folds the log when it is due (or `always`). Its work is bounded by fold_bytes.
  Status fold_if_due(bool always = false);

  // One step of maintenance: merges one group of segments, when there is one whose inputs are
  // together at most `max_bytes`. False: nothing to do. `publish_under_lock` is called around the
  // last, short step only and must hold the store's writer lock while it runs what it is given; the
  // long part needs no lock, because it makes a new file out of immutable ones. When the segments
  // it read are no longer the published ones, its work is thrown away.
  using UnderLock = std::function<Status(const std::function<Status()>& step)>;
  static Result<bool> merge(const std::string& directory, const WriterLimits& limits,
                            std::uint64_t max_bytes, const UnderLock& publish_under_lock,
                            const std::shared_ptr<const Snapshot>& previous = {},
                            const FileSystem& files = real_file_system());

 private:
  struct State;
  explicit IndexWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace yore::lexical
