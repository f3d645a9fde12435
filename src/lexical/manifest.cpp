#include "lexical/manifest.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <tuple>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "lexical/layout.hpp"

namespace yore::lexical {
namespace {

constexpr std::array<char, 8> kMagic = {'y', 'o', 'r', 'e', 'i', 'd', 'x', '\n'};
constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kDetailsComplete = 1;
constexpr std::size_t kMaxManifestBytes = 16U << 20;

// The same in every version, so that each can tell the others from damage.
struct Head {
  std::array<char, 8> magic = kMagic;
  std::uint64_t version = kVersion;
  std::uint64_t generation = 0;
  std::uint64_t hash = 0;  // of all other bytes
};
constexpr std::size_t kHashed = sizeof(Head) - sizeof(std::uint64_t);

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

std::uint64_t hash_of(std::string_view bytes) {
  return hash64(bytes.substr(sizeof(Head)), hash64(bytes.substr(0, kHashed)));
}

Error damaged() {
  return {Errc::corrupt, "the manifest of the keyword index is damaged"};
}

constexpr std::string_view kTempPrefix = "manifest.tmp-";

struct FileName {
  FileNumber number = 0;
  std::string_view kind;  // "seg", "cat", "log"
};

std::optional<FileName> parse_name(std::string_view name) {
  FileName file;
  const auto [end, ec] = std::from_chars(name.data(), name.data() + name.size(), file.number);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  if (ec != std::errc{} || rest.size() != 4 || rest.front() != '.') return std::nullopt;
  file.kind = rest.substr(1);
  if (file.kind != "seg" && file.kind != "cat" && file.kind != "log") return std::nullopt;
  return file;
}

std::string numbered(const std::string& directory, FileNumber number, std::string_view ending) {
  std::string name = std::to_string(number);
  if (name.size() < 4) name.insert(0, 4 - name.size(), '0');
  return path_join(directory, name += ending);
}

}  // namespace

std::string encode(const Manifest& manifest) {
  std::string out;
  LayoutWriter writer(out);
  Head head;
  head.generation = manifest.generation;
  writer.value(head);
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
  const std::uint64_t hash = hash_of(out);
  out.replace(kHashed, sizeof hash, raw_bytes(hash));
  return out;
}

Result<Manifest> decode_manifest(std::string_view bytes) {
  LayoutReader reader(bytes);
  const auto head = reader.value<Head>();
  if (!reader.ok() || head.magic != kMagic || head.hash != hash_of(bytes)) return damaged();
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
  const auto bytes = read_range(manifest_path(directory), 0, sizeof(Head));
  if (!bytes) return false;
  LayoutReader reader(*bytes);
  const auto head = reader.value<Head>();
  return reader.ok() && head.magic == kMagic && head.generation == generation;
}

std::string manifest_path(const std::string& directory) {
  return path_join(directory, "manifest");
}

std::string segment_path(const std::string& directory, FileNumber number) {
  return numbered(directory, number, ".seg");
}

std::string catalog_path(const std::string& directory, FileNumber number) {
  return numbered(directory, number, ".cat");
}

std::string log_path(const std::string& directory, FileNumber number) {
  return numbered(directory, number, ".log");
}

FileNumber largest_number(const std::string& directory) {
  const auto entries = list_directory(directory);
  if (!entries) return 0;
  FileNumber largest = 0;
  for (const DirEntry& entry : *entries) {
    if (const auto file = parse_name(entry.name)) largest = std::max(largest, file->number);
  }
  return largest;
}

void remove_unnamed(const std::string& directory, const Manifest& manifest) {
  const auto entries = list_directory(directory);
  if (!entries) return;
  std::set<std::string> named;
  for (const SegmentFile& segment : manifest.segments) {
    named.insert(segment_path(directory, segment.number));
  }
  named.insert(catalog_path(directory, manifest.catalog));
  named.insert(log_path(directory, manifest.log));
  for (const DirEntry& entry : *entries) {
    const std::string path = path_join(directory, entry.name);
    const bool ours = parse_name(entry.name) || entry.name.starts_with(kTempPrefix);
    if (ours && !named.contains(path)) {
      [[maybe_unused]] const Status ignored = remove_file(path);
    }
  }
}

}  // namespace yore::lexical
