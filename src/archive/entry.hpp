// entry.hpp — what the archive knows of one session: which files it consisted of, in which pieces
// they are kept, and whose turns they hold. Bytes: docs/format.md, "Archive".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "transcript/adapter.hpp"

namespace yore::archive {

// A piece of a file: content has one name, wherever it stands.
struct Chunk {
  std::string digest;  // SHA-256, 64 lower-case hex digits
  std::uint64_t size_bytes = 0;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

struct KeptFile {
  std::string path;  // absolute, where the agent had it; of a database: its rows alone
  std::int64_t mtime_ns = 0;
  std::vector<Chunk> chunks;

  [[nodiscard]] std::uint64_t size_bytes() const;
  friend bool operator==(const KeptFile&, const KeptFile&) = default;
};

// What a session was at one time. A later one that only added to it takes its place.
struct Version {
  Time kept_at = kNoTime;
  FileStamp stamp;  // of the source, as the record store had it
  std::vector<KeptFile> files;

  [[nodiscard]] std::uint64_t size_bytes() const;
};

struct Entry {
  std::string agent;
  transcript::SessionRef ref;          // as it was listed last
  std::vector<std::uint64_t> origins;  // of the turns in it: what forgetting goes by
  std::vector<Version> versions;       // oldest first, at least one
};

std::string encode_entry(const Entry& entry);
// corrupt: not what encode_entry() makes; unsupported: of a newer yore. Paths are absolute and
// lead nowhere else.
Result<Entry> decode_entry(std::string_view bytes);

bool is_digest(std::string_view text);

}  // namespace yore::archive
