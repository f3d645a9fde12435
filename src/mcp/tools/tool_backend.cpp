#include "mcp/tools/tool_backend.hpp"

#include <utility>

#include "base/files/file.hpp"
#include "ingest/scan_cache.hpp"
#include "mcp/tools/client.hpp"
#include "search/asking_session.hpp"
#include "service/index_notes.hpp"
#include "service/keeper.hpp"

namespace yore::mcp {
namespace {

// Somebody keeps the index: as far as that one has come. Nobody does: as it was when it was last
// looked after.
store::FileCoverage coverage_of(const std::optional<service::KeeperReport>& report,
                                const std::string& data_dir) {
  if (report) return *report;
  const auto table = ingest::ScanCache::load(data_dir);
  return table ? store::FileCoverage{table->sessions(), table->sessions(), 0}
               : store::FileCoverage{};
}

}  // namespace

ToolBackend::ToolBackend(Options options)
    : patience_(options.patience),
      folder_(options.folder.empty() ? absolute_path(".") : std::move(options.folder)),
      started_(options.world().now),
      access_({.settings = std::move(options.settings),
               .scope = std::move(options.scope),
               .world = std::move(options.world),
               .log = std::move(options.log)}) {}

std::string ToolBackend::asking_session(const ToolCall& call) {
  if (!call.caller_session.empty()) return call.caller_session;
  const std::string agent(agent_of_client(call.client));
  std::string named = search::session_in_environment(world(), agent);
  if (!named.empty() || agent.empty()) return named;
  const auto asked = access_.with_reader([&](search::Reader& reader) -> Result<search::ListAnswer> {
    auto session = search::session_by_activity(reader, {agent, folder_, started_});
    if (!session) return session.error();
    search::ListAnswer found;
    if (*session) found.sessions.push_back(std::move(**session));
    return found;
  });
  const bool certain = asked && asked->answer && !asked->answer->sessions.empty();
  return certain ? asked->answer->sessions.front().uid : "";
}

std::string ToolBackend::building() const {
  return service::building_note(service::read_keeper_report(access_.settings().data_dir));
}

void ToolBackend::tell_progress(const ToolCall& call) const {
  if (!call.progress) return;
  const auto report = service::read_keeper_report(access_.settings().data_dir);
  if (!report || report->files_known == 0) return;
  call.progress(static_cast<double>(report->files_indexed),
                static_cast<double>(report->files_known), std::string(service::kBeingBuilt));
}

service::Patience ToolBackend::patience(const ToolCall& call) const {
  return {std::chrono::steady_clock::now() + patience_, call.stop,
          [this, &call] { tell_progress(call); }};
}

Result<search::SearchAnswer> ToolBackend::search(search::SearchRequest request,
                                                 const ToolCall& call) {
  const std::string& data_dir = access_.settings().data_dir;
  const service::Patience patience = this->patience(call);
  request.now = world().now;
  auto asked = access_.search(request, patience);
  if (!asked) return asked.error();
  auto report = service::read_keeper_report(data_dir);
  bool damaged = asked->damaged;
  // A first publication that holds nothing yet is as good as none.
  const auto comes_still = [&] {
    return asked->answer && asked->answer->coverage.passages == 0 &&
           (asked->answer->incomplete || (report && report->building));
  };
  while (comes_still() && patience.pause()) {
    tell_progress(call);
    asked = access_.search(request, patience);
    if (!asked) return asked.error();
    damaged = damaged || asked->damaged;
    report = service::read_keeper_report(data_dir);
  }
  search::SearchAnswer answer;
  if (asked->answer) {
    answer = std::move(*asked->answer);
    if (damaged) answer.notes.emplace_back(service::kBuiltAgain);
    const std::string building = service::building_note(report);
    if (!building.empty()) answer.notes.push_back(building);
    if (answer.hits.empty() && answer.notes.empty() && service::nothing_to_keep(report)) {
      answer.notes.emplace_back(service::kNoTranscripts);
    }
  } else {
    answer.query = request.query;
    answer.notes.push_back(service::absence_note(report, damaged));
  }
  static_cast<store::FileCoverage&>(answer.coverage) = coverage_of(report, data_dir);
  return answer;
}

Result<ToolBackend::Listed> ToolBackend::list(const search::ListFilter& filter,
                                              const ToolCall& call) {
  auto asked = access_.with_reader([&](search::Reader& reader) { return reader.list(filter); },
                                   patience(call));
  if (!asked) return asked.error();
  const auto report = service::read_keeper_report(access_.settings().data_dir);
  Listed listed;
  if (!asked->answer) {
    listed.notes.push_back(service::absence_note(report, asked->damaged));
    return listed;
  }
  listed.answer = std::move(*asked->answer);
  const std::string building = service::building_note(report);
  if (!building.empty()) listed.notes.push_back(building);
  if (listed.answer.sessions.empty() && building.empty() && service::nothing_to_keep(report)) {
    listed.notes.emplace_back(service::kNoTranscripts);
  }
  return listed;
}

Result<search::ReadAnswer> ToolBackend::read(std::string_view session_id, std::uint32_t offset,
                                             std::uint32_t limit, const ToolCall& call) {
  auto asked = access_.read(session_id, offset, limit, patience(call));
  if (!asked) return asked.error();
  if (asked->answer) return std::move(*asked->answer);
  return Error{Errc::not_found, "Unknown session_id: " + std::string(session_id)};
}

}  // namespace yore::mcp
