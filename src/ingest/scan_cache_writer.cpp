#include "ingest/scan_cache_writer.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <unordered_map>

#include "base/files/leftovers.hpp"
#include "ingest/scan_cache.hpp"
#include "ingest/scan_cache_layout.hpp"

namespace yore::ingest {
namespace {

constexpr std::uint32_t kAlone = ScanCache::kAlone;
constexpr std::int64_t kUnsettledNs = 50'000'000;  // file times are as coarse as a timer tick
constexpr std::int64_t kQuietNs = 86'400'000'000'000;

// Directories first: they tell of new files. Then what was written last, which is what grows.
bool looked_at_first(const ObservedPath& a, const ObservedPath& b) {
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
    return kAlone;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> by_path_;
  std::size_t shortest_ = SIZE_MAX;
};

// For every look the one it follows, or kAlone.
std::vector<std::uint32_t> find_leaders(const std::vector<ObservedPath>& looks, Time now) {
  constexpr std::string_view kSession = ".jsonl";
  constexpr std::int64_t kNsPerMs = 1'000'000;
  const std::int64_t quiet_since_ns = now == kNoTime ? 0 : to_ms(now) * kNsPerMs - kQuietNs;
  // Without a time: not read to its end yet, so that it has to be looked at.
  const auto is_quiet = [&](const ObservedPath& look) {
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
  std::vector<std::uint32_t> leaders(looks.size(), kAlone);
  for (std::uint32_t i = 0; i < looks.size(); ++i) {
    if (is_quiet(looks[i])) leaders[i] = quiet.leader_of(looks[i].path);
  }
  return leaders;
}

// Followers last, so that their leaders have been looked at before.
std::vector<std::uint32_t> order_of(const std::vector<ObservedPath>& looks,
                                    const std::vector<std::uint32_t>& leaders) {
  std::vector<std::uint32_t> order(looks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const bool a_alone = leaders[a] == kAlone;
    const bool b_alone = leaders[b] == kAlone;
    return a_alone != b_alone ? a_alone : looked_at_first(looks[a], looks[b]);
  });
  return order;
}

files::Row row_of(const ObservedPath& look, std::int64_t settled_ns) {
  files::Row row;
  const bool directory = look.type == FileType::directory;
  const auto type = directory                        ? files::directory
                    : look.type == FileType::regular ? files::regular
                                                     : files::other;
  row.kind = look.there ? type : files::missing;
  row.size_bytes = look.stamp.size_bytes;
  const bool unsettled = directory && look.stamp.mtime_ns > settled_ns;
  row.mtime_ns = unsettled ? 0 : look.stamp.mtime_ns;
  row.inode = look.stamp.inode;
  return row;
}

}  // namespace

Status ScanCacheWriter::save(const std::string& data_dir, Time now,
                             const FileSystem& system) const {
  const auto moment = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t settled_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(moment).count() - kUnsettledNs;
  const std::vector<std::uint32_t> leaders = find_leaders(looks, now);
  const std::vector<std::uint32_t> order = order_of(looks, leaders);

  std::string paths;
  std::vector<files::Row> rows;
  std::vector<std::uint32_t> place(looks.size());
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(rows.size());
    files::Row& row = rows.emplace_back(row_of(looks[i], settled_ns));
    row.path_at = static_cast<std::uint32_t>(paths.size());
    row.path_size = static_cast<std::uint32_t>(looks[i].path.size());
    row.leader = leaders[i] == kAlone ? kAlone : place[leaders[i]];
    row.far = is_far && is_far(looks[i].path) ? 1 : 0;
    paths.append(looks[i].path).push_back('\0');
  }
  std::string root_text;
  for (const std::string& root : roots) root_text.append(root).push_back('\0');

  files::Header header;
  header.settings = settings;
  header.sessions = sessions;
  header.rows = rows.size();
  header.root_bytes = root_text.size();
  header.path_bytes = paths.size();
  header.knows_far = knows_far ? 1 : 0;
  header.hash = files::hash_of(header, root_text, paths);
  for (files::Row& row : rows) row.check = row.checksum(header.hash);
  std::string out;
  LayoutWriter writer(out);
  writer.value(header);
  writer.array(std::span<const files::Row>(rows));
  writer.bytes(root_text);
  writer.bytes(paths);
  remove_leftovers(ScanCache::path(data_dir), system);
  return system.replace_file(ScanCache::path(data_dir), out);
}

}  // namespace yore::ingest
