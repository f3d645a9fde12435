// manifest.hpp — the one small file that says what the keyword index is right now.
//
// It is replaced by a rename, so a reader sees one publication or the next, never a mixture. It is
// not synced: after a power cut it may be torn, which its hash tells, and then the index is built
// again. Everything else lies in numbered files; a number is used once in the life of an index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/publication.hpp"
#include "base/result.hpp"
#include "lexical/format/snapshot.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// A segment in a file of its own. Also its form on disk.
struct SegmentFile {
  FileNumber number = 0;
  std::uint64_t bytes = 0;
  std::uint32_t documents = 0;
  DocKey first = 0;
  DocKey last = 0;
  std::uint32_t family = 0;
  [[nodiscard]] Family of() const { return static_cast<Family>(family); }
  friend bool operator==(const SegmentFile&, const SegmentFile&) = default;
};
static_assert(sizeof(SegmentFile) == 32);

struct Manifest {
  std::uint64_t generation = 0;  // grows by one with every publication
  // The generation this index began with. Within one birth a file number always means one file.
  std::uint64_t birth = 0;
  StoreState covers;
  FileNumber next_file = 1;  // larger than every number that was ever used
  FileNumber catalog = 0;
  std::uint64_t catalog_bytes = 0;
  FileNumber log = 0;
  std::uint64_t log_bytes = 0;  // published; what lies behind them does not count
  std::uint64_t log_frames = 0;
  std::vector<SegmentFile> segments;  // by family, then by key; no two of a family overlap
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

std::string encode(const Manifest& manifest);
// corrupt: not what encode() makes; unsupported: another version.
Result<Manifest> decode_manifest(std::string_view bytes);
// Are segments in order, apart from each other, and all numbers below next_file?
bool is_sound(const Manifest& manifest);

// not_found, corrupt, unsupported: there is none that could be read.
Result<Manifest> read_manifest(const std::string& directory,
                               const FileSystem& files = real_file_system());
// REQUIRES: the writer lock; every file it names is complete.
Status publish_manifest(const std::string& directory, const Manifest& manifest,
                        const FileSystem& files = real_file_system());

// Paths of the files in an index.
std::string segment_path(const std::string& directory, FileNumber number);
std::string catalog_path(const std::string& directory, FileNumber number);
std::string log_path(const std::string& directory, FileNumber number);

// The largest number of any file that is there; 0: none.
FileNumber largest_number(const std::string& directory);
// The smallest from `from` on that no file has.
FileNumber free_number(const std::string& directory, FileNumber from);
// Removes files of the index that `manifest` does not name; others are left alone. Best effort:
// what stays is removed the next time. REQUIRES: the writer lock; `manifest` is published.
void remove_unnamed(const std::string& directory, const Manifest& manifest,
                    const FileSystem& files = real_file_system());

}  // namespace yore::lexical
