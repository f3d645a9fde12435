#include "vector/manifest.hpp"

#include <array>

#include "base/files/file.hpp"
#include "base/layout.hpp"
#include "vector/types.hpp"
#include "vector/vector_set.hpp"

namespace yore::vector {
namespace {

constexpr std::array<std::string_view, 1> kEndings = {".vec"};

struct Body {
  std::uint64_t birth = 0;
  std::uint64_t model = 0;
  std::uint64_t next_file = 0;
  std::uint64_t log = 0;
  std::uint64_t log_blocks = 0;
  std::uint64_t files = 0;
};

}  // namespace

const Publication Manifest::kKind = {
    {'y', 'o', 'r', 'e', 'v', 's', 'e', 't'}, 1, "the vectors", kEndings};

std::uint64_t Manifest::rows() const {
  std::uint64_t sum = 0;
  for (const FileEntry& file : files) sum += file.rows;
  return sum;
}

bool Manifest::is_sound() const {
  std::set<FileNumber> numbers;
  std::uint64_t sum = 0;
  for (const FileEntry& file : files) {
    if (file.number == 0 || file.number >= next_file) return false;
    if (!numbers.insert(file.number).second || file.rows >= kNoRow) return false;
    sum += file.rows;
  }
  if (sum >= kNoRow) return false;
  return log == 0 || (!files.empty() && files.back().number == log);
}

std::string Manifest::body() const {
  std::string out;
  LayoutWriter writer(out);
  writer.value(Body{birth, model, next_file, log, log_blocks, files.size()});
  writer.array(std::span<const FileEntry>(files));
  return out;
}

bool Manifest::read_body(std::string_view bytes) {
  LayoutReader reader(bytes);
  const auto fixed = reader.value<Body>();
  birth = fixed.birth;
  model = fixed.model;
  next_file = fixed.next_file;
  log = fixed.log;
  log_blocks = fixed.log_blocks;
  files = reader.values<FileEntry>(fixed.files);
  return reader.at_end() && is_sound();
}

std::set<std::string> Manifest::paths(const std::string& directory) const {
  std::set<std::string> paths;
  for (const FileEntry& file : files) paths.insert(vector_path(directory, file.number));
  return paths;
}

bool is_current(const std::string& directory, std::uint64_t generation, const FileSystem& files) {
  return is_published(directory, Manifest::kKind, generation, files);
}

std::string vector_path(const std::string& directory, FileNumber number) {
  return numbered_path(directory, number, kEndings.front());
}

}  // namespace yore::vector
