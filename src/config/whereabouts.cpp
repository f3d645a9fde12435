#include "config/whereabouts.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "config/settings.hpp"
#include "text/utf8.hpp"

namespace yore::config {
namespace {

constexpr std::string_view kUsers = "Users";
// Folders beside those of people.
constexpr std::array<std::string_view, 5> kNobody = {"All Users", "Default", "Default User",
                                                     "Public", "desktop.ini"};

// What rules begin with, and where the same lies in a Windows home. Programs that follow the XDG
// rules there keep to them; others have the folders of Windows.
struct Translation {
  std::string_view begin;
  std::string_view instead;
};
constexpr std::array kTranslations = {
    Translation{"~/.config", "AppData/Roaming"},
    Translation{"~config", "AppData/Roaming"},
    Translation{"~/Library/Application Support", "AppData/Roaming"},
    Translation{"~/.local/share", "AppData/Local"},
    Translation{"~data", "AppData/Local"},
    Translation{"~roaming", "AppData/Roaming"},
    Translation{"~local", "AppData/Local"},
    Translation{"~config", ".config"},
    Translation{"~data", ".local/share"},
    Translation{"~", ""},
};

// "~/.claude" begins with "~", "~config" and "~/.claudette" do not begin with "~/.claude".
bool begins_with(std::string_view base, std::string_view begin) {
  return base.starts_with(begin) && (base.size() == begin.size() || base[begin.size()] == '/');
}

// The value of `root` in [automount] of wsl.conf; "" when it says none.
std::string automount_root(std::string_view conf) {
  bool in_automount = false;
  std::string root;
  while (!conf.empty()) {
    const std::size_t end = std::min(conf.find('\n'), conf.size());
    const std::string_view line = text::trim(conf.substr(0, end));
    conf.remove_prefix(std::min(end + 1, conf.size()));
    if (line.starts_with('[')) in_automount = line == "[automount]";
    const std::size_t equals = line.find('=');
    if (!in_automount || equals == std::string_view::npos) continue;
    if (text::trim(line.substr(0, equals)) == "root") root = text::trim(line.substr(equals + 1));
  }
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return root.starts_with('/') ? root : "";
}

}  // namespace

std::string windows_drives(const GetEnv& env) {
  constexpr std::size_t kMostBytes = 64 << 10;
  const auto release = read_file("/proc/sys/kernel/osrelease", kMostBytes);
  const bool below_windows =
      env("WSL_DISTRO_NAME").has_value() || (release && text::icontains(*release, "microsoft"));
  if (!below_windows) return "";
  const auto conf = read_file("/etc/wsl.conf", kMostBytes);
  const std::string root = conf ? automount_root(*conf) : "";
  return root.empty() ? "/mnt" : root;
}

Whereabouts::Whereabouts(const World& world, const std::string& data_dir)
    : mounts_(Mounts::parse(world.mounts ? world.mounts() : std::string())), drives_(world.drives) {
  const Mount* own = mounts_.where_it_leads(data_dir);
  if (own != nullptr && own->network) own_ = own->point;
}

bool Whereabouts::is_far(const std::string& path) const {
  if (!windows_disk_of(path).empty()) return true;
  const Mount* mount = mounts_.where_it_leads(path);
  return mount != nullptr && mount->network && mount->point != own_;
}

std::string Whereabouts::tell(std::string_view path) const {
  if (const std::string_view home = windows_home_of(path); !home.empty()) {
    return "Windows (" + std::string(path_basename(home)) + ")";
  }
  if (const std::string_view disk = windows_disk_of(path); !disk.empty()) {
    return "Windows disk " + std::string(disk);
  }
  const Mount* mount = path.empty() ? nullptr : mounts_.holding(path);
  if (mount == nullptr || !mount->network || mount->point == own_) return "";
  return "network disk " + mount->point;
}

bool Whereabouts::has_far() const {
  return !drives_.empty() || mounts_.any_network();
}

std::string_view Whereabouts::windows_disk_of(std::string_view path) const {
  const std::size_t letter = drives_.size() + 1;
  const bool on_a_disk = !drives_.empty() && path.size() > letter && path.starts_with(drives_) &&
                         path[letter - 1] == '/' && ascii::is_alnum(path[letter]) &&
                         (path.size() == letter + 1 || path[letter + 1] == '/');
  const std::string_view disk = on_a_disk ? path.substr(0, letter + 1) : std::string_view{};
  return disk == own_ ? std::string_view{} : disk;
}

std::string_view Whereabouts::windows_home_of(std::string_view path) const {
  const std::string_view disk = windows_disk_of(path);
  if (disk.empty()) return "";
  const std::string_view below = path.substr(disk.size());
  const std::string users = "/" + std::string(kUsers) + "/";
  if (!below.starts_with(users) || below.size() == users.size()) return "";
  return path.substr(0, path.find('/', disk.size() + users.size()));
}

std::vector<std::string> Whereabouts::windows_homes(const FileView& files) const {
  std::vector<std::string> homes;
  if (drives_.empty()) return homes;
  const auto drives = files.list_directory(drives_);
  if (!drives) return homes;
  for (const DirEntry& drive : *drives) {
    const bool letter = drive.name.size() == 1 && ascii::is_alnum(drive.name.front());
    if (!letter) continue;
    const std::string users = path_join(path_join(drives_, drive.name), kUsers);
    const auto people = files.list_directory(users);
    if (!people) continue;
    for (const DirEntry& person : *people) {
      const bool nobody = std::ranges::find(kNobody, person.name) != kNobody.end();
      if (!nobody && person.type == FileType::directory) {
        homes.push_back(path_join(users, person.name));
      }
    }
  }
  return homes;
}

std::vector<FoundRoot> Whereabouts::windows_places(const transcript::AgentRegistry& agents,
                                                   const FileView& files) const {
  std::vector<FoundRoot> places;
  for (const std::string& home : windows_homes(files)) {
    for (const transcript::Adapter& adapter : agents.all()) {
      const std::size_t first = places.size();
      for (const transcript::RootRule& rule : adapter.roots) {
        for (const auto& [begin, instead] : kTranslations) {
          if (!begins_with(rule.base, begin)) continue;
          const std::string base =
              path_join(path_join(home, instead), rule.base.substr(begin.size()));
          std::string path = absolute_path(path_join(base, rule.suffix));
          const bool known =
              std::any_of(places.begin() + static_cast<std::ptrdiff_t>(first), places.end(),
                          [&](const FoundRoot& other) { return other.root.path == path; });
          if (known) continue;
          FoundRoot found{&adapter, {std::move(path), false}, false, rule.needs, true};
          const bool needed = rule.needs.empty() || is_place(expand_home(rule.needs, home), files);
          found.exists = needed && is_place(found.root.path, files);
          places.push_back(std::move(found));
        }
      }
    }
  }
  std::erase_if(places, [](const FoundRoot& place) { return !place.exists; });
  return places;
}

}  // namespace yore::config
