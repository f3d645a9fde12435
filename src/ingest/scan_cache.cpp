#include "ingest/scan_cache.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.hpp"
#include "config/roots.hpp"

namespace yore::ingest {
namespace {

constexpr std::uint64_t kPlacesVersion = 3;
constexpr std::size_t kLooksBetweenClocks = 64;

bool was_there(const files::Row& row) {
  return row.kind != files::missing;
}

bool was_directory(const files::Row& row) {
  return row.kind == files::directory;
}

PathState sight_of(const files::Row& row) {
  const FileType type = was_directory(row)           ? FileType::directory
                        : row.kind == files::regular ? FileType::regular
                                                     : FileType::other;
  return {was_there(row), type, {row.size_bytes, row.mtime_ns, row.inode}};
}

}  // namespace

std::string ScanCache::path(const std::string& data_dir) {
  return path_join(data_dir, "files");
}

Result<ScanCache> ScanCache::load(const std::string& data_dir, const FileSystem& system) {
  auto file = system.map(path(data_dir));
  if (!file) return file.error();
  ScanCache table(std::move(*file));
  if (!table.read()) return Error{Errc::corrupt, path(data_dir) + ": damaged"};
  return table;
}

bool ScanCache::read() {
  LayoutReader reader(file_.bytes());
  header_ = reader.value<files::Header>();
  if (!reader.ok() || header_.magic != files::Header{}.magic) return false;
  rows_ = reader.array<files::Row>(header_.rows);
  const std::string_view roots = reader.bytes(header_.root_bytes);
  paths_ = reader.bytes(header_.path_bytes);
  if (!reader.at_end() || files::hash_of(header_, roots, paths_) != header_.hash) return false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const files::Row& row = rows_[i];
    const std::uint64_t end = std::uint64_t{row.path_at} + row.path_size;
    if (row.check != row.checksum(header_.hash)) return false;
    if (end >= paths_.size() || paths_[end] != '\0') return false;
    if (row.leader != kAlone && row.leader >= i) return false;
  }
  for (std::size_t at = 0; at < roots.size();) {
    const std::size_t end = roots.find('\0', at);
    if (end == std::string_view::npos) return false;
    roots_.emplace_back(roots.substr(at, end - at));
    at = end + 1;
  }
  return true;
}

std::size_t ScanCache::followers() const {
  const auto alone = [](const files::Row& row) { return row.leader == kAlone; };
  return rows_.size() - static_cast<std::size_t>(std::ranges::count_if(rows_, alone));
}

Status ScanCache::renew(const std::string& data_dir, std::size_t row, const ObservedPath& now,
                        const FileSystem& system) const {
  std::vector<Patch> patches;
  const auto patch = [&](std::size_t at, files::Row changed) {
    changed.check = changed.checksum(header_.hash);
    patches.push_back(
        {sizeof(files::Header) + at * sizeof(files::Row), std::string(raw_bytes(changed))});
  };
  files::Row renewed = rows_[row];
  renewed.size_bytes = now.stamp.size_bytes;
  renewed.mtime_ns = now.stamp.mtime_ns;
  renewed.inode = now.stamp.inode;
  renewed.leader = kAlone;
  patch(row, renewed);
  for (std::size_t i = row + 1; i < rows_.size(); ++i) {
    if (rows_[i].leader != row) continue;
    files::Row alone = rows_[i];
    alone.leader = kAlone;
    patch(i, alone);
  }
  return system.patch_file(path(data_dir), file_.bytes().substr(0, files::kIdentityBytes), patches);
}

std::vector<std::string> ScanCache::roots_within(Reach reach) const {
  if (reach == Reach::everywhere) return roots_;
  std::unordered_set<std::string_view> far;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].far != 0) far.insert(path_of(i));
  }
  std::vector<std::string> near = roots_;
  std::erase_if(near, [&](const std::string& root) { return far.contains(root); });
  return near;
}

std::vector<ObservedPath> ScanCache::far_looks() const {
  std::vector<ObservedPath> looks;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].far == 0) continue;
    ObservedPath& look = looks.emplace_back();
    static_cast<PathState&>(look) = sight_of(rows_[i]);
    look.path = path_of(i);
  }
  return looks;
}

ScanCache::Difference ScanCache::compare(std::chrono::microseconds budget, Reach reach) const {
  const auto end = std::chrono::steady_clock::now() + budget;
  const DirectoryStatter lookout(roots_within(reach));
  Difference difference;
  // Folders that are as they were: nothing that was missing in one of them can be there now, and
  // half of all looks are for what is missing.
  std::unordered_set<std::string_view> unchanged;
  std::unordered_set<std::size_t> different;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const files::Row& before = rows_[i];
    if (before.far != 0 && reach == Reach::near) continue;
    if (before.leader != kAlone && !different.contains(before.leader)) continue;
    if (i % kLooksBetweenClocks == 0 && std::chrono::steady_clock::now() > end) {
      const auto rest = rows_.subspan(i);
      difference.unchecked = static_cast<std::size_t>(
          std::ranges::count_if(rest, [](const files::Row& row) { return row.leader == kAlone; }));
      break;
    }
    if (!was_there(before) && unchanged.contains(path_dirname(path_of(i)))) continue;
    const bool same = compare(i, lookout, difference);
    if (!same) different.insert(i);
    if (same && was_directory(before)) unchanged.insert(path_of(i));
  }
  return difference;
}

bool ScanCache::compare(std::size_t row, const DirectoryStatter& lookout,
                        Difference& difference) const {
  const PathState before = sight_of(rows_[row]);
  const std::optional<PathState> now = lookout.changed(path_of(row), before);
  if (!now) return true;
  const bool same_file = now->there && before.there && now->type == FileType::regular &&
                         before.type == FileType::regular && now->stamp.inode == before.stamp.inode;
  if (!same_file) {
    difference.other = true;
    difference.new_bytes += now->stamp.size_bytes;
    return false;
  }
  difference.files.push_back(row);
  difference.new_bytes += now->stamp.size_bytes > before.stamp.size_bytes
                              ? now->stamp.size_bytes - before.stamp.size_bytes
                              : now->stamp.size_bytes;
  return false;
}

ScanCache::Difference ScanCache::compare(std::span<const std::string> changed) const {
  std::unordered_map<std::string_view, std::size_t> by_path;
  for (std::size_t i = 0; i < rows_.size(); ++i) by_path.emplace(path_of(i), i);
  const auto leads_to_missing = [&](const std::string& path) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string_view wanted = path_of(i);
      const bool below = wanted.starts_with(path) && wanted.substr(path.size()).starts_with('/');
      if (below && !was_there(rows_[i])) return true;
    }
    return false;
  };
  const DirectoryStatter lookout(roots_within(Reach::near));
  Difference difference;
  for (const std::string& path : changed) {
    if (const auto known = by_path.find(path); known != by_path.end()) {
      compare(known->second, lookout, difference);
      continue;
    }
    const auto parent = by_path.find(path_dirname(path));
    const bool in_listed = parent != by_path.end() && was_directory(rows_[parent->second]);
    difference.other = difference.other || in_listed || leads_to_missing(path);
  }
  return difference;
}

std::vector<std::string> ScanCache::directories() const {
  std::set<std::string, std::less<>> found;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (was_directory(rows_[i]) && rows_[i].far == 0) found.emplace(path_of(i));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (was_directory(rows_[i]) || rows_[i].far != 0) continue;
    std::string_view parent = path_dirname(path_of(i));
    while (!found.contains(parent) && parent.size() > 1 && !is_directory(std::string(parent))) {
      parent = path_dirname(parent);
    }
    if (parent.size() > 1) found.emplace(parent);
  }
  return {found.begin(), found.end()};
}

std::uint64_t places_hash(const config::World& world, const config::Settings& settings) {
  std::uint64_t hash = kPlacesVersion;
  for (const auto* list : {&settings.sources, &settings.exclude}) {
    for (const std::string& text : *list) hash = hash64(text, hash);
    hash = hash64("|", hash);
  }
  for (const auto& root : config::default_places(*settings.agents, world.env)) {
    hash = hash64(root.root.path, hash);
    // What another version of the reading saw has to be planned again.
    hash += static_cast<std::uint64_t>(root.adapter->reading - transcript::kFirstReading);
  }
  return hash;
}

}  // namespace yore::ingest
