#include "config/sealed_stores.hpp"

#include <algorithm>
#include <array>

#include "base/files/file.hpp"
#include "text/glob.hpp"

namespace yore::config {
namespace {

constexpr std::string_view kSqliteMagic = "SQLite format 3";

// A folder below the home folder in which a file of such a name is encrypted. One that may also be
// a plain database is encrypted when it does not begin as such.
struct SealedPlace {
  std::string_view name;
  std::string_view folder;
  std::string_view file;  // a glob
  bool may_be_plain = false;
};
constexpr std::array kSealedPlaces = {
    SealedPlace{"Windsurf", ".codeium/windsurf/cascade", "*.pb"},
    SealedPlace{"Windsurf Next", ".codeium/windsurf-next/cascade", "*.pb"},
    SealedPlace{"Google Antigravity before 1.1", ".gemini/antigravity/conversations", "*.pb"},
    SealedPlace{"Google Antigravity CLI before 1.1", ".gemini/antigravity-cli/conversations",
                "*.pb"},
    SealedPlace{"Trae", ".config/Trae/ModularData/ai-agent", "database.db", true},
    SealedPlace{"Trae CN", ".config/Trae CN/ModularData/ai-agent", "database.db", true},
    SealedPlace{"Trae", "Library/Application Support/Trae/ModularData/ai-agent", "database.db",
                true},
    SealedPlace{"Trae CN", "Library/Application Support/Trae CN/ModularData/ai-agent",
                "database.db", true},
};

bool holds_sealed(const std::string& folder, const SealedPlace& place, const FileView& files) {
  const auto entries = files.list_directory(folder);
  if (!entries) return false;
  return std::ranges::any_of(*entries, [&](const DirEntry& entry) {
    const bool named = entry.type == FileType::regular && text::glob_match(place.file, entry.name);
    if (!named || !place.may_be_plain) return named;
    const auto head = files.read_range(path_join(folder, entry.name), 0, kSqliteMagic.size());
    return head && !head->empty() && *head != kSqliteMagic;
  });
}

}  // namespace

std::vector<SealedStore> sealed_stores(const GetEnv& env, const FileView& files) {
  const std::string home = home_directory(env);
  std::vector<SealedStore> found;
  for (const SealedPlace& place : kSealedPlaces) {
    std::string folder = path_join(home, place.folder);
    if (!files.is_directory(folder) || !holds_sealed(folder, place, files)) continue;
    found.push_back({place.name, std::move(folder)});
  }
  return found;
}

}  // namespace yore::config
