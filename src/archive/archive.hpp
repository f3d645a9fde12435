// archive.hpp — originals of transcripts, kept for when their agent deletes them: keep/archive in
// the data directory. Bytes: docs/format.md, "Archive".
//
//   ab/cdef….zst   a piece of some file, named after what it holds: equal pieces are kept once
//   <hash>.entry   a session: its files as lists of pieces
//
// What is there never changes: a piece is written whole, then the entry that names it takes the
// place of the one before it. A kill leaves pieces that nothing names; the next writer removes
// them. Damage to a piece costs the files that hold it and nothing else.
//
// Threads: const, any thread. Any number of processes read; writers hold the lock.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/entry.hpp"
#include "base/files/file_lock.hpp"
#include "base/files/file_system.hpp"
#include "base/files/stand_in.hpp"

namespace yore::archive {

class Archive {
 public:
  explicit Archive(const std::string& data_dir, const FileSystem& files = real_file_system());

  [[nodiscard]] const std::string& directory() const { return directory_; }
  // Was anything ever kept? Costs a look.
  [[nodiscard]] bool exists() const;

  // nullopt: nothing of the session is kept.
  [[nodiscard]] Result<std::optional<Entry>> find(std::string_view session) const;
  struct All {
    std::vector<Entry> entries;        // by session id
    std::vector<std::string> damaged;  // paths of entries that cannot be read
  };
  [[nodiscard]] Result<All> all() const;
  // The bytes of a piece; corrupt: they are not what its name says.
  [[nodiscard]] Result<std::string> read(const Chunk& chunk) const;
  // The files of a version, for the agent's own reader.
  // REQUIRES: the archive outlives them.
  [[nodiscard]] StandIn::Files stand_in(const Version& version) const;
  // Writes the files of a version below a folder, from the folder that they have in common on.
  Status restore(const Version& version, const std::string& folder) const;
  // What is wrong, a sentence each; nothing is written.
  [[nodiscard]] Result<std::vector<std::string>> verify() const;
  // Of what is on disk; 0 without an archive.
  [[nodiscard]] std::uint64_t disk_bytes() const;

  // --- Writing. All of it REQUIRES the lock. busy: another process has it.
  [[nodiscard]] Result<FileLock> lock() const;
  using ReadAt = std::function<Result<std::size_t>(std::uint64_t offset, char* out, std::size_t)>;
  // Cuts and keeps; adds what was new, compressed, to `stored_bytes`.
  Result<std::vector<Chunk>> keep(const ReadAt& read_at, std::uint64_t& stored_bytes) const;
  // A piece as another archive has it. corrupt: it is not what its name says.
  Status keep_packed(const std::string& digest, std::string_view packed) const;
  Status put(const Entry& entry) const;
  Status remove(std::string_view session) const;
  // Removes pieces that no entry names and what a kill has left. Nothing is removed while an entry
  // cannot be read: it may name any of them.
  Status sweep() const;

  // "ab/cdef….zst", relative to the directory.
  static std::string chunk_name(std::string_view digest);
  static std::string entry_name(std::string_view session);
  static constexpr std::string_view kEntryEnding = ".entry";
  static constexpr std::string_view kChunkEnding = ".zst";

 private:
  Result<std::uint64_t> keep_chunk(std::string_view bytes, const std::string& digest) const;

  std::string directory_;
  const FileSystem* files_;
};

// Does `now` hold all of `before`, with something added at the end of files or in new ones?
bool only_adds(const Archive& archive, const Version& before, const Version& now);

}  // namespace yore::archive
