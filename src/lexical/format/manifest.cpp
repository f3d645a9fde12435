#include "lexical/format/manifest.hpp"

#include <algorithm>
#include <array>

#include "base/files/file.hpp"
#include "base/layout.hpp"

namespace yore::lexical {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {".seg", ".cat", ".log"};
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

const Publication Manifest::kKind = {
    {'y', 'o', 'r', 'e', 'i', 'd', 'x', '\n'}, 1, "the keyword index", kEndings};

std::string Manifest::body() const {
  Body fixed;
  fixed.birth = birth;
  fixed.seq = covers.seq;
  fixed.nonce = covers.nonce;
  fixed.flags = covers.details_complete ? kDetailsComplete : 0;
  fixed.next_file = next_file;
  fixed.catalog = catalog;
  fixed.catalog_bytes = catalog_bytes;
  fixed.log = log;
  fixed.log_bytes = log_bytes;
  fixed.log_frames = log_frames;
  fixed.segments = segments.size();
  fixed.uuid_bytes = covers.uuid.size();
  std::string out;
  LayoutWriter writer(out);
  writer.value(fixed);
  writer.array(std::span<const SegmentFile>(segments));
  writer.bytes(covers.uuid);
  return out;
}

bool Manifest::read_body(std::string_view bytes) {
  LayoutReader reader(bytes);
  const auto fixed = reader.value<Body>();
  segments = reader.values<SegmentFile>(fixed.segments);
  covers.uuid = reader.bytes(fixed.uuid_bytes);
  covers.seq = fixed.seq;
  covers.nonce = fixed.nonce;
  covers.details_complete = (fixed.flags & kDetailsComplete) != 0;
  birth = fixed.birth;
  next_file = fixed.next_file;
  catalog = fixed.catalog;
  catalog_bytes = fixed.catalog_bytes;
  log = fixed.log;
  log_bytes = fixed.log_bytes;
  log_frames = fixed.log_frames;
  return reader.at_end() && is_sound();
}

bool Manifest::is_sound() const {
  if (catalog >= next_file || log >= next_file) return false;
  const SegmentFile* before = nullptr;
  for (const SegmentFile& segment : segments) {
    if (segment.family >= kFamilies || segment.number == 0) return false;
    if (segment.number >= next_file) return false;
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

std::set<std::string> Manifest::paths(const std::string& directory) const {
  std::set<std::string> paths = {catalog_path(directory, catalog), log_path(directory, log)};
  for (const SegmentFile& segment : segments) paths.insert(segment_path(directory, segment.number));
  return paths;
}

bool is_current(const std::string& directory, std::uint64_t generation, const FileSystem& files) {
  return is_published(directory, Manifest::kKind, generation, files);
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

}  // namespace yore::lexical
