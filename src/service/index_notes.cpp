#include "service/index_notes.hpp"

#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::service {

Error no_index_yet(std::string_view how) {
  return {Errc::not_found, "there is no index yet", std::string(how)};
}

Error being_built_elsewhere() {
  return {Errc::busy, "another yore process is building the index", "try again in a moment"};
}

std::string building_note(const std::optional<KeeperReport>& report) {
  if (!report || !report->building) return "";
  if (report->files_known == 0) return "The index is being built: ask again in a moment.";
  return "The index is still being built: " + text::with_commas(report->files_indexed) + " of " +
         text::with_commas(report->files_known) + " conversations so far.";
}

std::string absence_note(const std::optional<KeeperReport>& report, bool damaged) {
  if (damaged) return std::string(kBeingBuiltAgain) + ": ask again soon.";
  const std::string building = building_note(report);
  if (!building.empty()) return building;
  return std::string(kNoIndexYet) + "; it is built while the server runs: ask again in a moment.";
}

bool nothing_to_keep(const std::optional<KeeperReport>& report) {
  return report && !report->building && report->files_known == 0;
}

}  // namespace yore::service
