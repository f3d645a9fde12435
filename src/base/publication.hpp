// publication.hpp — what directories of derived files have in common: a small manifest that says
// which files count, and numbered files.
//
// The manifest is replaced by a rename and not synced; its hash tells a torn one. A number is used
// once in the life of a directory. What the manifest does not name does not count and is removed by
// the next writer.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/files/file_system.hpp"
#include "base/result.hpp"

namespace yore {

using FileNumber = std::uint64_t;  // 0: there is none
using Magic = std::array<char, 8>;

// What a manifest begins with: the same in every version, so that each can tell the others from
// damage.
struct ManifestHead {
  Magic magic{};
  std::uint64_t version = 0;
  std::uint64_t generation = 0;  // grows with every publication
  std::uint64_t hash = 0;        // of all other bytes
};

// What sets the directories of one kind apart from those of another.
struct Publication {
  Magic magic{};
  std::uint64_t version = 0;
  std::string_view subject;                   // "the keyword index"; for messages
  std::span<const std::string_view> endings;  // of its numbered files, four characters each: ".log"
};

std::string manifest_path(const std::string& directory);
// A whole manifest: head, body and the hash of both. REQUIRES: the body is a multiple of 8 bytes.
std::string seal_manifest(const Publication& kind, std::uint64_t generation, std::string_view body);
struct OpenedManifest {
  std::uint64_t generation = 0;
  std::string_view body;  // in the bytes that were opened
};
// corrupt: not what seal_manifest() makes; unsupported: of another version.
Result<OpenedManifest> open_manifest(const Publication& kind, std::string_view bytes);
Error damaged_manifest(const Publication& kind);
// The bytes of the one that is published; not_found: there is none.
Result<std::string> read_published(const std::string& directory, const FileSystem& files);
// REQUIRES: one writer; every file that the manifest names is complete.
Status publish(const std::string& directory, std::string_view manifest, const FileSystem& files);
// Is `generation` what is published last? Costs one small read.
bool is_published(const std::string& directory, const Publication& kind, std::uint64_t generation,
                  const FileSystem& files);
// A generation that nothing published in this place before can have had, though nothing may be left
// of it: other processes may still hold it.
std::uint64_t fresh_generation(std::uint64_t at_least);

// A room's manifest is a struct with
//   static const Publication kKind
//   std::uint64_t generation
//   std::string body() const                   what stands behind the head
//   bool read_body(std::string_view)           false: not what body() makes, or it contradicts
//   itself std::set<std::string> paths(directory) const   of the numbered files that it names
// and has these functions:
template <typename Manifest>
std::string encode_manifest(const Manifest& manifest) {
  return seal_manifest(Manifest::kKind, manifest.generation, manifest.body());
}
// corrupt: not what encode_manifest() makes; unsupported: of another version.
template <typename Manifest>
Result<Manifest> decode_manifest(std::string_view bytes) {
  const auto opened = open_manifest(Manifest::kKind, bytes);
  if (!opened) return opened.error();
  Manifest manifest;
  manifest.generation = opened->generation;
  if (!manifest.read_body(opened->body)) return damaged_manifest(Manifest::kKind);
  return manifest;
}
// not_found, corrupt, unsupported: there is none that could be read.
template <typename Manifest>
Result<Manifest> read_manifest(const std::string& directory,
                               const FileSystem& files = real_file_system()) {
  const auto bytes = read_published(directory, files);
  if (!bytes) return bytes.error();
  return decode_manifest<Manifest>(*bytes);
}

// "<directory>/0007.log" for 7 and ".log".
std::string numbered_path(const std::string& directory, FileNumber number, std::string_view ending);
// The largest number of any file that is there; 0: none.
FileNumber largest_number(const std::string& directory, const Publication& kind);
// The smallest from `from` on that no file has: one who was killed may have left files that no
// manifest names.
FileNumber free_number(const std::string& directory, const Publication& kind, FileNumber from);
// Removes numbered files and unfinished manifests whose path is not in `named`; others are left
// alone. Best effort: what stays is removed the next time.
// REQUIRES: one writer; the manifest that names `named` is published.
void remove_unnamed(const std::string& directory, const Publication& kind,
                    const std::set<std::string>& named, const FileSystem& files);

// REQUIRES: one writer; every file that the manifest names is complete.
template <typename Manifest>
Status publish_manifest(const std::string& directory, const Manifest& manifest,
                        const FileSystem& files = real_file_system()) {
  return publish(directory, encode_manifest(manifest), files);
}
template <typename Manifest>
void remove_unnamed(const std::string& directory, const Manifest& manifest,
                    const FileSystem& files = real_file_system()) {
  remove_unnamed(directory, Manifest::kKind, manifest.paths(directory), files);
}

}  // namespace yore
