#include "transcript/dialects/gemini/project.hpp"

#include <simdjson.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/digest.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::gemini {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMaxIndexBytes = 16 << 20;
constexpr std::size_t kMaxPathBytes = 4096;
// Directories hashed for one session before it is left at that.
constexpr int kMaxTries = 2000;

}  // namespace

std::string slug_of(std::string_view cwd) {
  std::string slug;
  for (const char raw : path_basename(cwd)) {
    const char c = ascii::to_lower(raw);
    if (ascii::is_alnum(c)) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

bool is_hash(std::string_view name) {
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void ProjectIndex::add_file(const std::string& path, const FileView& files) {
  const auto bytes = files.read_file(path, kMaxIndexBytes);
  if (!bytes) return;
  const simdjson::padded_string text(*bytes);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return;
  if (document.get_object().get(object) != simdjson::SUCCESS) return;
  each_field(object, [&](std::string_view key, ondemand::value projects) {
    if (key != "projects") return true;
    return each_field(projects, [&](std::string_view cwd, ondemand::value inner) {
      std::string_view name;
      if (!get_text(inner, name)) return false;
      if (cwd.empty() || cwd.size() > kMaxPathBytes) return true;
      if (!name.empty()) directories_.emplace(name, cwd);
      directories_.emplace(sha256_hex(cwd), cwd);
      return true;
    });
  });
}

std::string ProjectIndex::directory_of(const std::string& folder, const FileView& files) const {
  if (const auto root = files.read_file(path_join(folder, ".project_root"), kMaxPathBytes)) {
    const std::string_view cwd = text::trim(*root);
    if (!cwd.empty() && cwd.find('\n') == std::string_view::npos) return std::string(cwd);
  }
  const auto known = directories_.find(path_basename(folder));
  return known == directories_.end() ? std::string{} : known->second;
}

void DirectoryFinder::set_hash(std::string_view hash) {
  if (!found_.empty() || !is_hash(hash) || hash_ == hash) return;
  hash_ = hash;
  tries_left_ = kMaxTries;
}

std::string_view DirectoryFinder::look_at(std::string_view path) {
  if (hash_.empty() || !found_.empty() || path.size() > kMaxPathBytes) return {};
  const bool absolute = path.starts_with('/') || path.find(":\\") == 1;
  if (!absolute || path == last_folder_) return {};
  last_folder_ = path;
  for (std::string_view folder = path; folder.size() > 1 && tries_left_ > 0; --tries_left_) {
    if (sha256_hex(folder) == hash_) {
      found_ = folder;
      return found_;
    }
    const std::size_t slash = folder.find_last_of("/\\");
    if (slash == std::string_view::npos) break;
    folder = folder.substr(0, slash);
  }
  return {};
}

}  // namespace yore::transcript::gemini
