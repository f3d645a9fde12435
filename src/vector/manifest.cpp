#include "vector/manifest.hpp"

#include <array>
#include <set>

#include "base/files/file.hpp"
#include "base/layout.hpp"
#include "vector/types.hpp"
#include "vector/vector_set.hpp"

namespace yore::vector {
namespace {

constexpr std::array<std::string_view, 1> kEndings = {".vec"};
constexpr Publication kKind = {
    {'y', 'o', 'r', 'e', 'v', 's', 'e', 't'}, 1, "the vectors", kEndings};

struct Body {
  std::uint64_t birth = 0;
  std::uint64_t model = 0;
  std::uint64_t next_file = 0;
  std::uint64_t log = 0;
  std::uint64_t log_blocks = 0;
  std::uint64_t files = 0;
};

bool is_sound(const Manifest& manifest) {
  std::set<FileNumber> numbers;
  std::uint64_t rows = 0;
  for (const FileEntry& file : manifest.files) {
    if (file.number == 0 || file.number >= manifest.next_file) return false;
    if (!numbers.insert(file.number).second || file.rows >= kNoRow) return false;
    rows += file.rows;
  }
  if (rows >= kNoRow) return false;
  return manifest.log == 0 ||
         (!manifest.files.empty() && manifest.files.back().number == manifest.log);
}

}  // namespace

std::uint64_t Manifest::rows() const {
  std::uint64_t sum = 0;
  for (const FileEntry& file : files) sum += file.rows;
  return sum;
}

std::string encode(const Manifest& manifest) {
  std::string out;
  LayoutWriter writer(out);
  writer.value(Body{manifest.birth, manifest.model, manifest.next_file, manifest.log,
                    manifest.log_blocks, manifest.files.size()});
  writer.array(std::span<const FileEntry>(manifest.files));
  return seal_manifest(kKind, manifest.generation, out);
}

Result<Manifest> decode_manifest(std::string_view bytes) {
  const auto opened = open_manifest(kKind, bytes);
  if (!opened) return opened.error();
  LayoutReader reader(opened->body);
  const auto body = reader.value<Body>();
  Manifest manifest;
  for (std::uint64_t i = 0; i < body.files && reader.ok(); ++i) {
    manifest.files.push_back(reader.value<FileEntry>());
  }
  if (!reader.at_end()) return damaged_manifest(kKind);
  manifest.generation = opened->generation;
  manifest.birth = body.birth;
  manifest.model = body.model;
  manifest.next_file = body.next_file;
  manifest.log = body.log;
  manifest.log_blocks = body.log_blocks;
  if (!is_sound(manifest)) return damaged_manifest(kKind);
  return manifest;
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

std::string vector_path(const std::string& directory, FileNumber number) {
  return numbered_path(directory, number, kEndings.front());
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
  for (const FileEntry& file : manifest.files) named.insert(vector_path(directory, file.number));
  yore::remove_unnamed(directory, kKind, named, files);
}

}  // namespace yore::vector
