#include "lexical/format/manifest.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/files/file.hpp"
#include "base/layout.hpp"

namespace yore::lexical {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {".seg", ".cat", ".log"};
constexpr Publication kKind = {
    {'y', 'o', 'r', 'e', 'i', 'd', 'x', '\n'}, 1, "the keyword index", kEndings};
constexpr std::uint64_t kDetailsComplete = 1;

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

}  // namespace

std::string encode(const Manifest& manifest) {
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
  std::string out;
  LayoutWriter writer(out);
  writer.value(body);
  writer.array(std::span<const SegmentFile>(manifest.segments));
  writer.bytes(manifest.covers.uuid);
  return seal_manifest(kKind, manifest.generation, out);
}

Result<Manifest> decode_manifest(std::string_view bytes) {
  const auto opened = open_manifest(kKind, bytes);
  if (!opened) return opened.error();
  LayoutReader reader(opened->body);
  const auto body = reader.value<Body>();
  Manifest manifest;
  manifest.segments.reserve(std::min<std::uint64_t>(body.segments, bytes.size()));
  for (std::uint64_t i = 0; i < body.segments && reader.ok(); ++i) {
    manifest.segments.push_back(reader.value<SegmentFile>());
  }
  manifest.covers.uuid = reader.bytes(body.uuid_bytes);
  if (!reader.at_end()) return damaged_manifest(kKind);
  manifest.generation = opened->generation;
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
  if (!is_sound(manifest)) return damaged_manifest(kKind);
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

Result<Manifest> read_manifest(const std::string& directory, const FileSystem& files) {
  const auto bytes = read_published(directory, files);
  if (!bytes) return bytes.error();
  return decode_manifest(*bytes);
}

Status publish_manifest(const std::string& directory, const Manifest& manifest,
                        const FileSystem& files) {
  return publish(directory, encode(manifest), files);
}

bool is_current(const std::string& directory, std::uint64_t generation, const FileSystem& files) {
  return is_published(directory, kKind, generation, files);
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
  return yore::largest_number(directory, kKind);
}

FileNumber free_number(const std::string& directory, FileNumber from) {
  return yore::free_number(directory, kKind, from);
}

void remove_unnamed(const std::string& directory, const Manifest& manifest,
                    const FileSystem& files) {
  std::set<std::string> named;
  for (const SegmentFile& segment : manifest.segments) {
    named.insert(segment_path(directory, segment.number));
  }
  named.insert(catalog_path(directory, manifest.catalog));
  named.insert(log_path(directory, manifest.log));
  yore::remove_unnamed(directory, kKind, named, files);
}

}  // namespace yore::lexical
