#include "base/publication.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "base/layout.hpp"

namespace yore {
namespace {

constexpr std::size_t kHashAt = sizeof(ManifestHead) - sizeof(std::uint64_t);
constexpr std::string_view kTempPrefix = "manifest.tmp-";

std::uint64_t hash_of(std::string_view bytes) {
  return hash64(bytes.substr(sizeof(ManifestHead)), hash64(bytes.substr(0, kHashAt)));
}

// The number in the name of a numbered file.
std::optional<FileNumber> parse_name(std::string_view name, Endings endings) {
  FileNumber number = 0;
  const auto [end, ec] = std::from_chars(name.data(), name.data() + name.size(), number);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  if (ec != std::errc{} || std::ranges::find(endings, rest) == endings.end()) return std::nullopt;
  return number;
}

}  // namespace

std::string manifest_path(const std::string& directory) {
  return path_join(directory, "manifest");
}

void seal_manifest(std::string& bytes) {
  const std::uint64_t hash = hash_of(bytes);
  bytes.replace(kHashAt, sizeof hash, raw_bytes(hash));
}

bool is_sealed(std::string_view bytes, const Magic& magic) {
  LayoutReader reader(bytes);
  const auto head = reader.value<ManifestHead>();
  return reader.ok() && head.magic == magic && head.hash == hash_of(bytes);
}

bool is_published(const std::string& directory, const Magic& magic, std::uint64_t generation) {
  const auto bytes = read_range(manifest_path(directory), 0, sizeof(ManifestHead));
  if (!bytes) return false;
  LayoutReader reader(*bytes);
  const auto head = reader.value<ManifestHead>();
  return reader.ok() && head.magic == magic && head.generation == generation;
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

FileNumber largest_number(const std::string& directory, Endings endings) {
  const auto entries = list_directory(directory);
  if (!entries) return 0;
  FileNumber largest = 0;
  for (const DirEntry& entry : *entries) {
    if (const auto number = parse_name(entry.name, endings)) largest = std::max(largest, *number);
  }
  return largest;
}

void remove_unnamed(const std::string& directory, Endings endings,
                    const std::set<std::string>& named) {
  const auto entries = list_directory(directory);
  if (!entries) return;
  for (const DirEntry& entry : *entries) {
    const std::string path = path_join(directory, entry.name);
    const bool ours = parse_name(entry.name, endings) || entry.name.starts_with(kTempPrefix);
    if (ours && !named.contains(path)) {
      [[maybe_unused]] const Status ignored = remove_file(path);
    }
  }
}

}  // namespace yore
