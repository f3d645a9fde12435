#include "base/publication.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "base/layout.hpp"
#include "base/trace.hpp"

namespace yore {
namespace {

constexpr std::size_t kMaxManifestBytes = 16U << 20;
constexpr std::size_t kHashAt = sizeof(ManifestHead) - sizeof(std::uint64_t);
constexpr std::string_view kTempPrefix = "manifest.tmp-";

std::uint64_t hash_of(std::string_view bytes) {
  return hash64(bytes.substr(sizeof(ManifestHead)), hash64(bytes.substr(0, kHashAt)));
}

// The number in the name of a numbered file.
std::optional<FileNumber> parse_name(std::string_view name, const Publication& kind) {
  FileNumber number = 0;
  const auto [end, ec] = std::from_chars(name.data(), name.data() + name.size(), number);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  const bool ours = std::ranges::find(kind.endings, rest) != kind.endings.end();
  return ec == std::errc{} && ours ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string manifest_path(const std::string& directory) {
  return path_join(directory, "manifest");
}

std::string seal_manifest(const Publication& kind, std::uint64_t generation,
                          std::string_view body) {
  std::string bytes;
  LayoutWriter writer(bytes);
  writer.value(ManifestHead{kind.magic, kind.version, generation});
  writer.bytes(body);
  const std::uint64_t hash = hash_of(bytes);
  bytes.replace(kHashAt, sizeof hash, raw_bytes(hash));
  return bytes;
}

Result<OpenedManifest> open_manifest(const Publication& kind, std::string_view bytes) {
  LayoutReader reader(bytes);
  const auto head = reader.value<ManifestHead>();
  if (!reader.ok() || head.magic != kind.magic || head.hash != hash_of(bytes)) {
    return damaged_manifest(kind);
  }
  if (head.version != kind.version) {
    return Error{Errc::unsupported, std::string(kind.subject) + ": version " +
                                        std::to_string(head.version) + " cannot be read"};
  }
  return OpenedManifest{head.generation, bytes.substr(sizeof(ManifestHead))};
}

Error damaged_manifest(const Publication& kind) {
  return {Errc::corrupt, "the manifest of " + std::string(kind.subject) + " is damaged"};
}

Result<std::string> read_published(const std::string& directory, const FileSystem& files) {
  return files.read_file(manifest_path(directory), kMaxManifestBytes);
}

Status publish(const std::string& directory, std::string_view manifest, const FileSystem& files) {
  return files.replace_file(manifest_path(directory), manifest);
}

bool is_published(const std::string& directory, const Publication& kind, std::uint64_t generation,
                  const FileSystem& files) {
  const auto bytes = files.read_file(manifest_path(directory), sizeof(ManifestHead));
  if (!bytes) return false;
  LayoutReader reader(*bytes);
  const auto head = reader.value<ManifestHead>();
  return reader.ok() && head.magic == kind.magic && head.generation == generation;
}

std::uint64_t fresh_generation(std::uint64_t at_least) {
  // Publications take longer than a nanosecond, so counting on from here never catches up.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return std::max(at_least, static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 1)));
}

std::string numbered_path(const std::string& directory, FileNumber number,
                          std::string_view ending) {
  std::string name = std::to_string(number);
  if (name.size() < 4) name.insert(0, 4 - name.size(), '0');
  return path_join(directory, name += ending);
}

FileNumber largest_number(const std::string& directory, const Publication& kind) {
  const auto entries = list_directory(directory);
  if (!entries) return 0;
  FileNumber largest = 0;
  for (const DirEntry& entry : *entries) {
    if (const auto number = parse_name(entry.name, kind)) largest = std::max(largest, *number);
  }
  return largest;
}

FileNumber free_number(const std::string& directory, const Publication& kind, FileNumber from) {
  const auto is_taken = [&](FileNumber number) {
    return std::ranges::any_of(kind.endings, [&](std::string_view ending) {
      return stat_file(numbered_path(directory, number, ending)).ok();
    });
  };
  while (is_taken(from)) ++from;
  return from;
}

void remove_unnamed(const std::string& directory, const Publication& kind,
                    const std::set<std::string>& named, const FileSystem& files) {
  const auto entries = list_directory(directory);
  if (!entries) return Trace::failure("list what is not published", entries.error());
  for (const DirEntry& entry : *entries) {
    const std::string path = path_join(directory, entry.name);
    const bool ours = parse_name(entry.name, kind) || entry.name.starts_with(kTempPrefix);
    if (ours && !named.contains(path)) {
      Trace::failure("remove what is not published", files.remove_file(path));
    }
  }
}

}  // namespace yore
