// snapshot_files.hpp — the files behind a snapshot, for those who load and change the index.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "base/files/mapped_file.hpp"
#include "lexical/format/catalog_file.hpp"
#include "lexical/format/manifest.hpp"
#include "lexical/format/segment.hpp"
#include "lexical/format/snapshot.hpp"

namespace yore::lexical {

// A file of the index, open. Shared by the snapshots that were published while it was named.
struct OpenFile {
  MappedFile file;
  std::optional<Segment> segment;  // of a segment file; remembers what was verified
};

struct Snapshot::Files {
  Manifest manifest;
  std::map<FileNumber, std::shared_ptr<OpenFile>> open;
  DeadKeys dead;  // every removal since they were last swept; normalised
};

}  // namespace yore::lexical
