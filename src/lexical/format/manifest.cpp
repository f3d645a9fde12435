#include "lexical/format/manifest.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/files/file.hpp"
#include "base/layout.hpp"

namespace yore::lexical {
namespace {

constexpr Magic kMagic = {'y', 'o', 'r', 'e', 'i', 'd', 'x', '\n'};
constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kDetailsComplete = 1;
constexpr std::size_t kMaxManifestBytes = 16U << 20;

struct Body {
  std::uint64_t birth = 0;
  std::int64_t seq = 0;
  std::uint64_t nonce = 0;
  std::uint64_t flags = 0;
  std::uint64_t next_file = 0;
  std::uint64_t catalog = 0;
  std::uint64_t catalog_bytes = 0;
  std::uint64_t log = 0;
  std::uint64_t log_bytes = 0;
  std::uint64_t log_frames = 0;
  std::uint64_t segments = 0;
  std::uint64_t uuid_bytes = 0;
};

Error damaged() {
  return {Errc::corrupt, "the manifest of the keyword index is damaged"};
}

constexpr std::array<std::string_view, 3> kEndings = {".seg", ".cat", ".log"};

}  // namespace

std::string encode(const Manifest& manifest) {
  std::string out;
  LayoutWriter writer(out);
  writer.value(ManifestHead{kMagic, kVersion, manifest.generation});
  Body body;
  body.birth = manifest.birth;
  body.seq = manifest.covers.seq;
  body.nonce = manifest.covers.nonce;
  body.flags = manifest.covers.details_complete ? kDetailsComplete : 0;
  body.next_file = manifest.next_file;
  body.catalog = manifest.catalog;
  body.catalog_bytes = manifest.catalog_bytes;
  body.log = manifest.log;
  body.log_bytes = manifest.log_bytes;
  body.log_frames = manifest.log_frames;
  body.segments = manifest.segments.size();
  body.uuid_bytes = manifest.covers.uuid.size();
  writer.value(body);
  writer.array(std::span<const SegmentFile>(manifest.segments));
  writer.bytes(manifest.covers.uuid);
  seal_manifest(out);
  return out;
}

Result<Manifest> decode_manifest(std::string_view bytes) {
  if (!is_sealed(bytes, kMagic)) return damaged();
  LayoutReader reader(bytes);
  const auto head = reader.value<ManifestHead>();
  if (head.version != kVersion) {
    return Error{Errc::unsupported,
                 "the keyword index has version " + std::to_string(head.version)};
  }
  const auto body = reader.value<Body>();
  Manifest manifest;
  manifest.segments.reserve(std::min<std::uint64_t>(body.segments, bytes.size()));
  for (std::uint64_t i = 0; i < body.segments && reader.ok(); ++i) {
    manifest.segments.push_back(reader.value<SegmentFile>());
  }
  manifest.covers.uuid = reader.bytes(body.uuid_bytes);
  if (!reader.at_end()) return damaged();
  manifest.generation = head.generation;
  manifest.birth = body.birth;
  manifest.covers.seq = body.seq;
  manifest.covers.nonce = body.nonce;
  manifest.covers.details_complete = (body.flags & kDetailsComplete) != 0;
  manifest.next_file = body.next_file;
  manifest.catalog = body.catalog;
  manifest.catalog_bytes = body.catalog_bytes;
  manifest.log = body.log;
  manifest.log_bytes = body.log_bytes;
  manifest.log_frames = body.log_frames;
  if (!is_sound(manifest)) return damaged();
  return manifest;
}

bool is_sound(const Manifest& manifest) {
  if (manifest.catalog >= manifest.next_file || manifest.log >= manifest.next_file) return false;
  const SegmentFile* before = nullptr;
  for (const SegmentFile& segment : manifest.segments) {
    if (segment.family >= kFamilies || segment.number == 0) return false;
    if (segment.number >= manifest.next_file) return false;
    if (segment.documents == 0 || segment.first > segment.last) return false;
    if (before != nullptr &&
        (before->family > segment.family ||
         (before->family == segment.family && before->last >= segment.first))) {
      return false;
    }
    before = &segment;
  }
  return true;
}

Result<Manifest> read_manifest(const std::string& directory) {
  const auto bytes = read_file(manifest_path(directory), kMaxManifestBytes);
  if (!bytes) return bytes.error();
  return decode_manifest(*bytes);
}

Status publish_manifest(const std::string& directory, const Manifest& manifest) {
  return replace_file(manifest_path(directory), encode(manifest));
}

bool is_current(const std::string& directory, std::uint64_t generation) {
  return is_published(directory, kMagic, generation);
}

std::string segment_path(const std::string& directory, FileNumber number) {
  return numbered_path(directory, number, ".seg");
}

std::string catalog_path(const std::string& directory, FileNumber number) {
  return numbered_path(directory, number, ".cat");
}

std::string log_path(const std::string& directory, FileNumber number) {
  return numbered_path(directory, number, ".log");
}

FileNumber largest_number(const std::string& directory) {
  return yore::largest_number(directory, kEndings);
}

void remove_unnamed(const std::string& directory, const Manifest& manifest) {
  std::set<std::string> named;
  for (const SegmentFile& segment : manifest.segments) {
    named.insert(segment_path(directory, segment.number));
  }
  named.insert(catalog_path(directory, manifest.catalog));
  named.insert(log_path(directory, manifest.log));
  yore::remove_unnamed(directory, kEndings, named);
}

}  // namespace yore::lexical
