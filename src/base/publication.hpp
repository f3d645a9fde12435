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

std::string manifest_path(const std::string& directory);
// Puts the hash in. REQUIRES: `bytes` begin with a head.
void seal_manifest(std::string& bytes);
// Are these the bytes that were sealed?
bool is_sealed(std::string_view bytes, const Magic& magic);
// Is `generation` what is published last? Costs one small read.
bool is_published(const std::string& directory, const Magic& magic, std::uint64_t generation);
// A generation that nothing published in this place before can have had, though nothing may be left
// of it: other processes may still hold it.
std::uint64_t fresh_generation(std::uint64_t at_least);

// "<directory>/0007.log" for 7 and ".log".
std::string numbered_path(const std::string& directory, FileNumber number, std::string_view ending);
// Endings have four characters: ".log".
using Endings = std::span<const std::string_view>;
// The largest number of any file that is there; 0: none.
FileNumber largest_number(const std::string& directory, Endings endings);
// Removes numbered files and unfinished manifests whose path is not in `named`; others are left
// alone. Best effort: what stays is removed the next time.
// REQUIRES: one writer; the manifest that names `named` is published.
void remove_unnamed(const std::string& directory, Endings endings,
                    const std::set<std::string>& named);

}  // namespace yore
