#include "service/keeper_report.hpp"

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "base/files/leftovers.hpp"
#include "base/trace.hpp"

namespace yore::service {
namespace {

std::string report_path(const std::string& data_dir) {
  return path_join(data_dir, "keeper");
}

}  // namespace

std::string keeper_lock_path(const std::string& data_dir) {
  return path_join(data_dir, "keeper.lock");
}

void write_keeper_report(const std::string& data_dir, const KeeperReport& report,
                         const FileSystem& files) {
  const nlohmann::ordered_json json = {
      {"pid", report.pid},
      {"building", report.building},
      {"files_known", report.files_known},
      {"files_indexed", report.files_indexed},
      {"behind_bytes", report.behind_bytes},
      {"watched", report.watched},
      {"polled", report.polled},
      {"remark", report.remark},
  };
  const std::string bytes =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const std::string path = report_path(data_dir);
  if (const auto before = files.read_file(path); before && *before == bytes) return;
  // For information only: without it others know less.
  Trace::failure("write the keeper's report", files.replace_file(path, bytes));
}

void remove_keeper_report(const std::string& data_dir, const FileSystem& files) {
  Trace::failure("remove the keeper's report", files.remove_file(report_path(data_dir)));
  remove_leftovers(report_path(data_dir), files);
}

std::optional<KeeperReport> read_keeper_report(const std::string& data_dir) {
  const auto bytes = read_file(report_path(data_dir));
  if (!bytes) return std::nullopt;
  const auto json = nlohmann::json::parse(*bytes, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  // A report outlives a keeper that was killed; the lock does not.
  if (!FileLock::is_held(keeper_lock_path(data_dir))) return std::nullopt;
  const auto number = [&](const char* name) -> std::uint64_t {
    const auto found = json.find(name);
    return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  };
  KeeperReport report;
  report.pid = static_cast<int>(number("pid"));
  report.files_known = number("files_known");
  report.files_indexed = number("files_indexed");
  report.behind_bytes = number("behind_bytes");
  report.watched = number("watched");
  report.polled = number("polled");
  if (const auto found = json.find("building"); found != json.end() && found->is_boolean()) {
    report.building = found->get<bool>();
  }
  if (const auto found = json.find("remark"); found != json.end() && found->is_string()) {
    report.remark = found->get<std::string>();
  }
  return report;
}

}  // namespace yore::service
