// manifest.hpp — the one small file that says what the keyword index is right now; see
// base/publication.hpp. A reader sees one publication or the next, never a mixture. When it is
// torn, the index is built again.
#pragma once

#include <cstdint>
#include <set>
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

// Its functions are those of base/publication.hpp. REQUIRES: the writer lock, to publish it.
struct Manifest {
  static const Publication kKind;

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

  // Are segments in order, apart from each other, and all numbers below next_file?
  [[nodiscard]] bool is_sound() const;
  [[nodiscard]] std::string body() const;
  [[nodiscard]] bool read_body(std::string_view bytes);
  [[nodiscard]] std::set<std::string> paths(const std::string& directory) const;
};

// Paths of the files in an index.
std::string segment_path(const std::string& directory, FileNumber number);
std::string catalog_path(const std::string& directory, FileNumber number);
std::string log_path(const std::string& directory, FileNumber number);

}  // namespace yore::lexical
