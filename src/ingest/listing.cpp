#include "ingest/listing.hpp"

#include <string_view>
#include <unordered_map>

#include "base/trace.hpp"
#include "base/work_limit.hpp"

namespace yore::ingest {

transcript::PreviousListing known_before(
    const std::vector<store::KnownSession>& sessions,
    const std::vector<std::pair<std::string, FileStamp>>& containers, bool force) {
  if (force) return {};
  std::unordered_map<std::string_view, const FileStamp*> stamps;
  for (const auto& [path, stamp] : containers) stamps.emplace(path, &stamp);
  std::unordered_map<std::string_view, const store::KnownSession*> files;
  for (const store::KnownSession& session : sessions) {
    if (session.ref.row.empty()) files.emplace(session.ref.path, &session);
  }
  transcript::PreviousListing known;
  known.unchanged = [stamps = std::move(stamps)](const std::string& path, const FileStamp& stamp) {
    const auto found = stamps.find(path);
    return found != stamps.end() && *found->second == stamp;
  };
  known.session = [files = std::move(files)](
                      std::string_view agent, const std::string& path,
                      const FileStamp& stamp) -> const transcript::SessionRef* {
    const auto found = files.find(path);
    const bool same =
        found != files.end() && found->second->agent == agent && found->second->ref.stamp == stamp;
    return same ? &found->second->ref : nullptr;
  };
  return known;
}

Result<transcript::Listing> list_root(const config::FoundRoot& root,
                                      const transcript::PreviousListing& before,
                                      const transcript::ReadingTime& time,
                                      const std::atomic<bool>& cancel) {
  const TraceStep step("list", root.root.path);
  const WorkLimit limit(cancel, time.listing);
  auto listing = root.adapter->sessions(root.root, before);
  // Whatever it says: it was cut off somewhere.
  if (limit.was_over()) return Error{Errc::cancelled, transcript::too_long_to_list(time)};
  return listing;
}

}  // namespace yore::ingest
