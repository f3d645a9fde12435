#include "engine/file_table.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "sources/roots.hpp"

namespace yore::engine {
namespace {

constexpr std::uint64_t kVersion = 2;
constexpr std::int64_t kUnsettledNs = 50'000'000;  // file times are as coarse as a timer tick
constexpr std::int64_t kQuietNs = 86'400'000'000'000;
constexpr std::size_t kLooksBetweenClocks = 64;

// Directories first: they tell of new files. Then what was written last, which is what grows.
bool looked_at_first(const Look& a, const Look& b) {
  const bool a_file = a.there && a.type == FileType::regular;
  const bool b_file = b.there && b.type == FileType::regular;
  if (a_file != b_file) return b_file;
  if (a_file && a.stamp.mtime_ns != b.stamp.mtime_ns) return a.stamp.mtime_ns > b.stamp.mtime_ns;
  return a.path < b.path;
}

// Sessions that have been quiet, by path without its ending.
class QuietSessions {
 public:
  void add(std::string_view path, std::uint32_t look) {
    by_path_.emplace(path, look);
    shortest_ = std::min(shortest_, path.size());
  }
  // The outermost session in whose folder `path` lies; kAlone: in none.
  [[nodiscard]] std::uint32_t leader_of(std::string_view path) const {
    for (std::size_t at = path.find('/', shortest_); at != std::string_view::npos;
         at = path.find('/', at + 1)) {
      if (const auto found = by_path_.find(path.substr(0, at)); found != by_path_.end()) {
        return found->second;
      }
    }
    return FileTable::kAlone;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> by_path_;
  std::size_t shortest_ = SIZE_MAX;
};

}  // namespace

std::string FileTable::path(const std::string& data_dir) {
  return path_join(data_dir, "files");
}

Result<FileTable> FileTable::load(const std::string& data_dir) {
  const auto bytes = read_file(path(data_dir));
  if (!bytes) return bytes.error();
  const Error damaged{Errc::corrupt, path(data_dir) + ": damaged"};
  if (bytes->size() < 8) return damaged;
  const std::string_view body = std::string_view(*bytes).substr(8);
  if (ByteReader(*bytes).u64() != hash64(body)) return damaged;
  ByteReader in(body);
  if (in.varint() != kVersion) return damaged;
  FileTable table;
  table.settings = in.u64();
  table.sessions = in.varint();
  for (std::uint64_t i = in.count(); i > 0; --i) table.roots.emplace_back(in.text());
  const std::uint64_t looks = in.count();
  table.looks.reserve(looks);
  for (std::uint64_t i = looks; i > 0; --i) {
    Look& look = table.looks.emplace_back();
    look.path = std::string(in.text());
    const std::uint64_t kind = in.varint();
    look.there = kind != 0;
    look.type = kind == 2 ? FileType::regular : kind == 3 ? FileType::directory : FileType::other;
    look.stamp.size_bytes = in.varint();
    look.stamp.mtime_ns = static_cast<std::int64_t>(in.u64());
    look.stamp.inode = in.u64();
  }
  for (std::uint64_t i = in.count(); i > 0; --i) {
    const std::uint64_t leader = in.varint();
    if (leader > table.looks.size()) return damaged;
    table.leaders.push_back(leader == 0 ? kAlone : static_cast<std::uint32_t>(leader - 1));
  }
  if (!in.at_end() || table.leaders.size() > table.looks.size()) return damaged;
  return table;
}

void FileTable::arrange(Time now) {
  constexpr std::string_view kSession = ".jsonl";
  constexpr std::int64_t kNsPerMs = 1'000'000;
  const std::int64_t quiet_since_ns = now == kNoTime ? 0 : to_ms(now) * kNsPerMs - kQuietNs;
  // Without a time: not read to its end yet, so that it has to be looked at.
  const auto is_quiet = [&](const Look& look) {
    const std::int64_t changed = look.stamp.mtime_ns;
    return !look.there || (changed > 0 && changed < quiet_since_ns);
  };
  QuietSessions quiet;
  for (std::uint32_t i = 0; i < looks.size(); ++i) {
    const std::string_view path = looks[i].path;
    const bool session = looks[i].there && looks[i].type == FileType::regular;
    if (!session || !path.ends_with(kSession) || !is_quiet(looks[i])) continue;
    quiet.add(path.substr(0, path.size() - kSession.size()), i);
  }
  std::vector<std::uint32_t> leader(looks.size(), kAlone);
  for (std::uint32_t i = 0; i < looks.size(); ++i) {
    if (is_quiet(looks[i])) leader[i] = quiet.leader_of(looks[i].path);
  }
  // Places are sorted, and everything is moved once: a look is large.
  std::vector<std::uint32_t> order(looks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const bool a_alone = leader[a] == kAlone;
    const bool b_alone = leader[b] == kAlone;
    return a_alone != b_alone ? a_alone : looked_at_first(looks[a], looks[b]);
  });
  std::vector<std::uint32_t> place(looks.size());
  std::vector<Look> sorted;
  sorted.reserve(looks.size());
  leaders.clear();
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(looks[i]));
    if (leader[i] != kAlone) leaders.push_back(place[leader[i]]);  // which comes before
  }
  looks = std::move(sorted);
}

void FileTable::renew(std::size_t look, Look now) {
  looks[look] = std::move(now);
  std::ranges::replace(leaders, static_cast<std::uint32_t>(look), kAlone);
}

Status FileTable::save(const std::string& data_dir) const {
  const auto moment = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t settled =
      std::chrono::duration_cast<std::chrono::nanoseconds>(moment).count() - kUnsettledNs;
  ByteWriter out;
  out.varint(kVersion);
  out.u64(settings);
  out.varint(sessions);
  out.varint(roots.size());
  for (const std::string& root : roots) out.text(root);
  out.varint(looks.size());
  for (const Look& look : looks) {
    out.text(look.path);
    const bool directory = look.type == FileType::directory;
    const std::uint64_t type = directory ? 3 : look.type == FileType::regular ? 2 : 1;
    out.varint(look.there ? type : 0);
    out.varint(look.stamp.size_bytes);
    const bool unsettled = directory && look.stamp.mtime_ns > settled;
    out.u64(static_cast<std::uint64_t>(unsettled ? 0 : look.stamp.mtime_ns));
    out.u64(look.stamp.inode);
  }
  out.varint(leaders.size());
  for (const std::uint32_t leader : leaders) out.varint(leader == kAlone ? 0 : leader + 1);
  ByteWriter whole;
  whole.u64(hash64(out.bytes()));
  return replace_file(path(data_dir), whole.bytes() + out.bytes());
}

FileTable::Difference FileTable::compare(std::chrono::microseconds budget) const {
  const auto end = std::chrono::steady_clock::now() + budget;
  const Lookout lookout(roots);
  Difference difference;
  // Folders that are as they were: nothing that was missing in one of them can be there now, and
  // half of all looks are for what is missing.
  std::unordered_set<std::string_view> unchanged;
  std::unordered_set<std::size_t> different;
  const std::size_t first_follower = looks.size() - leaders.size();
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const std::uint32_t leader = i < first_follower ? kAlone : leaders[i - first_follower];
    if (leader != kAlone && !different.contains(leader)) continue;
    if (i % kLooksBetweenClocks == 0 && std::chrono::steady_clock::now() > end) {
      difference.unchecked = std::max(first_follower, i + 1) - i;
      break;
    }
    const Look& before = looks[i];
    if (!before.there && unchanged.contains(path_dirname(before.path))) continue;
    const bool same = compare(i, lookout, difference);
    if (!same) different.insert(i);
    if (same && before.there && before.type == FileType::directory) unchanged.insert(before.path);
  }
  return difference;
}

bool FileTable::compare(std::size_t index, const Lookout& lookout, Difference& difference) const {
  const Look& before = looks[index];
  const std::optional<Look> now = lookout.changed(before);
  if (!now) return true;
  const bool same_file = now->there && before.there && now->type == FileType::regular &&
                         before.type == FileType::regular && now->stamp.inode == before.stamp.inode;
  if (!same_file) {
    difference.other = true;
    difference.new_bytes += now->stamp.size_bytes;
    return false;
  }
  difference.files.push_back(index);
  difference.new_bytes += now->stamp.size_bytes > before.stamp.size_bytes
                              ? now->stamp.size_bytes - before.stamp.size_bytes
                              : now->stamp.size_bytes;
  return false;
}

FileTable::Difference FileTable::compare(std::span<const std::string> changed) const {
  std::unordered_map<std::string_view, std::size_t> by_path;
  for (std::size_t i = 0; i < looks.size(); ++i) by_path.emplace(looks[i].path, i);
  const auto leads_to_missing = [&](const std::string& path) {
    return std::ranges::any_of(looks, [&](const Look& look) {
      return !look.there && look.path.starts_with(path) && look.path[path.size()] == '/';
    });
  };
  const Lookout lookout(roots);
  Difference difference;
  for (const std::string& path : changed) {
    if (const auto known = by_path.find(path); known != by_path.end()) {
      compare(known->second, lookout, difference);
      continue;
    }
    const auto parent = by_path.find(path_dirname(path));
    const bool in_listed = parent != by_path.end() && looks[parent->second].there &&
                           looks[parent->second].type == FileType::directory;
    difference.other = difference.other || in_listed || leads_to_missing(path);
  }
  return difference;
}

std::vector<std::string> FileTable::directories() const {
  std::set<std::string, std::less<>> found;
  for (const Look& look : looks) {
    if (look.there && look.type == FileType::directory) found.insert(look.path);
  }
  for (const Look& look : looks) {
    if (look.there && look.type == FileType::directory) continue;
    std::string_view parent = path_dirname(look.path);
    while (!found.contains(parent) && parent.size() > 1 && !is_directory(std::string(parent))) {
      parent = path_dirname(parent);
    }
    if (parent.size() > 1) found.emplace(parent);
  }
  return {found.begin(), found.end()};
}

std::uint64_t places_hash(const World& world, const Settings& settings) {
  std::uint64_t hash = kVersion;
  for (const auto* list : {&settings.sources, &settings.exclude}) {
    for (const std::string& text : *list) hash = hash64(text, hash);
    hash = hash64("|", hash);
  }
  for (const auto& root : sources::default_roots(world.env)) hash = hash64(root.root.path, hash);
  return hash;
}

}  // namespace yore::engine
