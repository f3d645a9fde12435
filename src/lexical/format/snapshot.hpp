// snapshot.hpp — the keyword index as it was published at one moment.
//
// Immutable and shared: a search holds one while newer ones appear beside it; files that no
// manifest names any more are deleted while old snapshots still have them mapped. Threads: const,
// so any number may search in it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "lexical/format/catalog.hpp"
#include "lexical/format/dead_set.hpp"
#include "lexical/format/segment.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// Which state of the record store an index covers. `seq` and `nonce` name one commit of one
// database; when they do not fit the database, the index is rebuilt.
struct StoreState {
  std::string uuid;         // of the database
  std::int64_t seq = 0;     // last change taken in
  std::uint64_t nonce = 0;  // of the commit that wrote it
  // False while the index is being built: the conversation is searchable, and details (tool output,
  // thinking) may still be missing.
  bool details_complete = true;
  friend bool operator==(const StoreState&, const StoreState&) = default;
};

struct LiveSegment {
  Segment segment;
  DeadSet dead;
  std::uint32_t counted = 0;      // living documents with text
  std::uint64_t live_length = 0;  // positions in them
};

// What BM25 needs to know about a family besides the lists.
struct FamilyStats {
  std::uint64_t documents = 0;  // living, with text
  std::uint64_t length = 0;
  [[nodiscard]] float average() const {
    return documents == 0
               ? 1.0F
               : static_cast<float>(static_cast<double>(length) / static_cast<double>(documents));
  }
};

class Snapshot {
 public:
  // not_found: there is no index; corrupt: there is, but it is damaged; unsupported: another
  // format. All three mean: build it (again).
  // Given a `previous` snapshot of the same directory, what both use is not mapped and verified
  // again; it is returned itself when nothing newer was published.
  static Result<std::shared_ptr<const Snapshot>> open(
      const std::string& directory, const std::shared_ptr<const Snapshot>& previous = nullptr,
      const FileSystem& files = real_file_system());

  [[nodiscard]] const StoreState& covers() const { return covers_; }
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  // Ordered by key. The newest of them are the frames of the log.
  [[nodiscard]] const std::vector<LiveSegment>& segments(Family family) const {
    return segments_[static_cast<std::size_t>(family)];
  }
  [[nodiscard]] FamilyStats stats(Family family) const;
  // Identifies the publication: changes with every one.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] std::uint64_t bytes_on_disk() const { return bytes_on_disk_; }
  // Every byte of every file against its checksum.
  [[nodiscard]] Status verify() const;

 private:
  friend class SnapshotLoader;
  friend class IndexWriter;
  struct Files;
  // The manifest and the mapped bytes that everything below points into.
  std::shared_ptr<const Files> files_;
  StoreState covers_;
  Catalog catalog_;
  std::array<std::vector<LiveSegment>, kFamilies> segments_;
  std::uint64_t generation_ = 0;
  std::uint64_t bytes_on_disk_ = 0;
};

// Is `generation` still what is published last? Costs one small read.
bool is_current(const std::string& directory, std::uint64_t generation,
                const FileSystem& files = real_file_system());

}  // namespace yore::lexical
