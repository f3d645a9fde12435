#include "archive/archive.hpp"

#include <algorithm>
#include <set>

#include "archive/chunker.hpp"
#include "archive/packed.hpp"
#include "base/digest.hpp"

namespace yore::archive {
namespace {

// More than any piece that was ever cut.
constexpr std::size_t kMostUnpacked = 64U << 20U;
constexpr std::size_t kNameDigits = 32;
constexpr std::size_t kFolderDigits = 2;

// A file in pieces. The piece that was read last is kept: files are read from front to back.
class ChunkedFile final : public FileBytes {
 public:
  ChunkedFile(const Archive& archive, KeptFile file) : archive_(archive), file_(std::move(file)) {
    for (const Chunk& chunk : file_.chunks) {
      starts_.push_back(size_);
      size_ += chunk.size_bytes;
    }
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] std::int64_t mtime_ns() const override { return file_.mtime_ns; }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) const override {
    std::size_t total = 0;
    while (total < size && offset + total < size_) {
      const std::uint64_t at = offset + total;
      const auto after = std::ranges::upper_bound(starts_, at);
      const auto index = static_cast<std::size_t>(after - starts_.begin()) - 1;
      if (index != loaded_) {
        auto bytes = archive_.read(file_.chunks[index]);
        if (!bytes) return bytes.error();
        bytes_ = std::move(*bytes);
        loaded_ = index;
      }
      total += bytes_.copy(out + total, size - total, at - starts_[index]);
    }
    return total;
  }

 private:
  const Archive& archive_;
  const KeptFile file_;
  std::vector<std::uint64_t> starts_;
  std::uint64_t size_ = 0;
  // Of one thread: who opens a file reads it.
  mutable std::size_t loaded_ = SIZE_MAX;
  mutable std::string bytes_;
};

// The folder in which all of the files lie.
std::string common_folder(const Version& version) {
  std::string folder(path_dirname(version.files.front().path));
  for (const KeptFile& file : version.files) {
    while (folder != "/" && !file.path.starts_with(folder + "/")) folder = path_dirname(folder);
  }
  return folder;
}

}  // namespace

Archive::Archive(const std::string& data_dir, const FileSystem& files)
    : directory_(path_join(path_join(data_dir, "keep"), "archive")), files_(&files) {}

bool Archive::exists() const {
  return is_directory(directory_);
}

std::string Archive::chunk_name(std::string_view digest) {
  return path_join(digest.substr(0, kFolderDigits),
                   std::string(digest.substr(kFolderDigits)).append(kChunkEnding));
}

std::string Archive::entry_name(std::string_view session) {
  return sha256_hex(session).substr(0, kNameDigits).append(kEntryEnding);
}

Result<std::optional<Entry>> Archive::find(std::string_view session) const {
  const std::string path = path_join(directory_, entry_name(session));
  if (!is_regular_file(path)) return std::optional<Entry>{};
  const auto bytes = files_->read_file(path);
  if (!bytes) return bytes.error();
  auto entry = decode_entry(*bytes);
  if (!entry) return Error{entry.error().code, path + ": " + entry.error().message};
  if (entry->ref.id != session) return Error{Errc::corrupt, path + ": of another session"};
  return std::optional<Entry>(std::move(*entry));
}

Result<Archive::All> Archive::all() const {
  All all;
  if (!exists()) return all;
  const auto listed = list_directory(directory_);
  if (!listed) return listed.error();
  for (const DirEntry& each : *listed) {
    if (each.type != FileType::regular || !each.name.ends_with(kEntryEnding)) continue;
    const std::string path = path_join(directory_, each.name);
    const auto bytes = files_->read_file(path);
    if (!bytes) return bytes.error();
    auto entry = decode_entry(*bytes);
    if (!entry || entry_name(entry->ref.id) != each.name) {
      all.damaged.push_back(path);
    } else {
      all.entries.push_back(std::move(*entry));
    }
  }
  std::ranges::sort(all.entries, {}, [](const Entry& entry) { return entry.ref.id; });
  return all;
}

Result<std::string> Archive::read(const Chunk& chunk) const {
  const std::string path = path_join(directory_, chunk_name(chunk.digest));
  const auto packed = files_->read_file(path);
  if (!packed) return packed.error();
  auto bytes = unpack(*packed, kMostUnpacked);
  if (!bytes || bytes->size() != chunk.size_bytes || sha256_hex(*bytes) != chunk.digest) {
    return Error{Errc::corrupt, path + ": damaged"};
  }
  return bytes;
}

StandIn::Files Archive::stand_in(const Version& version) const {
  StandIn::Files files;
  for (const KeptFile& file : version.files) {
    files.emplace(file.path, std::make_shared<const ChunkedFile>(*this, file));
  }
  return files;
}

Status Archive::restore(const Version& version, const std::string& folder) const {
  if (version.files.empty()) return make_directories(folder);
  const std::string top = common_folder(version);
  for (const KeptFile& file : version.files) {
    const std::string path = path_join(folder, file.path.substr(top == "/" ? 1 : top.size() + 1));
    if (Status made = make_directories(std::string(path_dirname(path))); !made) return made;
    std::string bytes;
    for (const Chunk& chunk : file.chunks) {
      const auto piece = read(chunk);
      if (!piece) return piece.error();
      bytes += *piece;
    }
    if (Status written = files_->write_new_file(path, bytes); !written) return written;
  }
  return {};
}

Result<std::vector<std::string>> Archive::verify() const {
  const auto everything = all();
  if (!everything) return everything.error();
  std::vector<std::string> wrong;
  for (const std::string& path : everything->damaged) wrong.push_back(path + ": damaged");
  std::set<std::string> fine;
  for (const Entry& entry : everything->entries) {
    for (const Version& version : entry.versions) {
      for (const KeptFile& file : version.files) {
        for (const Chunk& chunk : file.chunks) {
          if (fine.contains(chunk.digest)) continue;
          if (const auto bytes = read(chunk); !bytes) {
            wrong.push_back(entry.ref.id + ": " + file.path + ": " + bytes.error().message);
          } else {
            fine.insert(chunk.digest);
          }
        }
      }
    }
  }
  return wrong;
}

std::uint64_t Archive::disk_bytes() const {
  const auto listed = list_directory(directory_);
  if (!listed) return 0;
  std::uint64_t bytes = 0;
  for (const DirEntry& each : *listed) {
    const std::string path = path_join(directory_, each.name);
    if (each.type == FileType::regular) bytes += yore::disk_bytes(path);
    if (each.type != FileType::directory) continue;
    const auto inner = list_directory(path);
    if (!inner) continue;
    for (const DirEntry& piece : *inner) bytes += yore::disk_bytes(path_join(path, piece.name));
  }
  return bytes;
}

Result<FileLock> Archive::lock() const {
  if (Status made = make_directories(directory_); !made) return made.error();
  auto held = FileLock::try_acquire(path_join(directory_, "lock"), *files_);
  if (!held && held.error().code == Errc::busy) {
    return Error{Errc::busy, "another process is writing to the archive", "try again later"};
  }
  return held;
}

// The bytes that it took. One that is there is looked into: if it is damaged, now is the time to
// put it right.
Result<std::uint64_t> Archive::keep_chunk(std::string_view bytes, const std::string& digest) const {
  const std::string path = path_join(directory_, chunk_name(digest));
  if (is_regular_file(path) && read({digest, bytes.size()})) return std::uint64_t{0};
  if (Status made = make_directories(std::string(path_dirname(path))); !made) return made.error();
  const std::string packed = pack(bytes);
  if (Status written = files_->write_file_atomically(path, packed); !written) {
    return written.error();
  }
  return packed.size();
}

Result<std::vector<Chunk>> Archive::keep(const ReadAt& read_at, std::uint64_t& stored_bytes) const {
  std::vector<Chunk> chunks;
  std::string window;
  std::uint64_t offset = 0;  // of the end of the window
  bool ended = false;
  while (true) {
    while (!ended && window.size() < kMostChunkBytes) {
      const std::size_t before = window.size();
      window.resize(2 * kMostChunkBytes);
      const auto got = read_at(offset, window.data() + before, window.size() - before);
      if (!got) return got.error();
      window.resize(before + *got);
      offset += *got;
      ended = *got == 0;
    }
    if (window.empty()) return chunks;
    const std::string_view piece = std::string_view(window).substr(0, first_chunk(window));
    Chunk chunk{sha256_hex(piece), piece.size()};
    const auto stored = keep_chunk(piece, chunk.digest);
    if (!stored) return stored.error();
    stored_bytes += *stored;
    window.erase(0, piece.size());
    chunks.push_back(std::move(chunk));
  }
}

Status Archive::keep_packed(const std::string& digest, std::string_view packed) const {
  const auto bytes = unpack(packed, kMostUnpacked);
  if (!bytes || !is_digest(digest) || sha256_hex(*bytes) != digest) {
    return Error{Errc::corrupt, "a piece of the archive is not what its name says"};
  }
  const auto kept = keep_chunk(*bytes, digest);
  return kept ? Status{} : Status(kept.error());
}

Status Archive::put(const Entry& entry) const {
  const std::string path = path_join(directory_, entry_name(entry.ref.id));
  return files_->write_file_atomically(path, encode_entry(entry));
}

Status Archive::remove(std::string_view session) const {
  return files_->remove_file(path_join(directory_, entry_name(session)));
}

Status Archive::sweep() const {
  const auto everything = all();
  if (!everything) return everything.error();
  if (!everything->damaged.empty()) return {};
  std::set<std::string> named;
  for (const Entry& entry : everything->entries) {
    for (const Version& version : entry.versions) {
      for (const KeptFile& file : version.files) {
        for (const Chunk& chunk : file.chunks) named.insert(chunk_name(chunk.digest));
      }
    }
  }
  const auto folders = list_directory(directory_);
  if (!folders) return folders.error();
  for (const DirEntry& folder : *folders) {
    const bool leftover = folder.type == FileType::regular &&
                          folder.name.find(std::string(kEntryEnding) + ".") != std::string::npos;
    if (leftover) {
      if (Status gone = files_->remove_file(path_join(directory_, folder.name)); !gone) return gone;
    }
    if (folder.type != FileType::directory || folder.name.size() != kFolderDigits) continue;
    const auto pieces = list_directory(path_join(directory_, folder.name));
    if (!pieces) return pieces.error();
    for (const DirEntry& piece : *pieces) {
      const std::string name = path_join(folder.name, piece.name);
      if (named.contains(name)) continue;
      if (Status gone = files_->remove_file(path_join(directory_, name)); !gone) return gone;
    }
  }
  return {};
}

namespace {

// All but the last piece are the same pieces; the last one was cut again, longer.
bool begins_with(const Archive& archive, const KeptFile& now, const KeptFile& before) {
  if (before.chunks.empty()) return true;
  const std::size_t last = before.chunks.size() - 1;
  if (now.chunks.size() <= last) return false;
  if (!std::equal(before.chunks.begin(), before.chunks.end() - 1, now.chunks.begin())) return false;
  if (before.chunks[last] == now.chunks[last]) return true;
  // By its digest: the old piece itself may be damaged by now.
  const auto& [digest, size] = before.chunks[last];
  const auto longer = archive.read(now.chunks[last]);
  return longer && longer->size() >= size &&
         sha256_hex(std::string_view(*longer).substr(0, size)) == digest;
}

}  // namespace

bool only_adds(const Archive& archive, const Version& before, const Version& now) {
  return std::ranges::all_of(before.files, [&](const KeptFile& old) {
    const auto same = std::ranges::find(now.files, old.path, &KeptFile::path);
    return same != now.files.end() && begins_with(archive, *same, old);
  });
}

}  // namespace yore::archive
