#include "service/status_answer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace yore::service {
namespace {

Json agents_json(const std::vector<store::AgentCounts>& rows) {
  Json agents = Json::array();
  for (const store::AgentCounts& agent : rows) {
    agents.push_back({{"agent", agent.agent},
                      {"sessions", agent.sessions},
                      {"subagents", agent.subagents},
                      {"turns", agent.turns},
                      {"missing", agent.missing},
                      {"machine_made", agent.automated},
                      {"automated", agent.automated},
                      {"superseded", agent.superseded},
                      {"prompts", agent.prompts},
                      {"notes", agent.notes},
                      {"copies", agent.other_files},
                      {"bytes", agent.bytes},
                      {"problems", agent.problems},
                      {"newest", format_iso8601(agent.newest)},
                      {"versions", agent.versions}});
  }
  return agents;
}

Json roots_json(const std::vector<RootStatus>& rows) {
  Json roots = Json::array();
  for (const RootStatus& root : rows) {
    roots.push_back({{"agent", root.agent},
                     {"path", root.path},
                     {"exists", root.exists},
                     {"named", root.named},
                     {"sessions", root.sessions},
                     {"turns", root.turns}});
    if (!root.place.empty()) roots.back()["place"] = root.place;
  }
  return roots;
}

Json problems_json(const std::vector<store::ProblemRow>& rows) {
  Json problems = Json::array();
  for (const store::ProblemRow& problem : rows) {
    problems.push_back({{"session_id", problem.uid},
                        {"path", problem.path},
                        {"kind", transcript::problem_name(problem.kind)},
                        {"count", problem.count},
                        {"lines", problem.lines}});
  }
  return problems;
}

Json unknowns_json(const std::vector<store::UnknownRow>& rows) {
  Json unknowns = Json::array();
  for (const store::UnknownRow& unknown : rows) {
    unknowns.push_back({{"agent", unknown.agent},
                        {"what", unknown.what},
                        {"count", unknown.count},
                        {"sessions", unknown.sessions}});
  }
  return unknowns;
}

Json troubles_json(const std::vector<store::TroubleRow>& rows) {
  Json troubles = Json::array();
  for (const store::TroubleRow& trouble : rows) {
    troubles.push_back(
        {{"agent", trouble.agent}, {"path", trouble.path}, {"message", trouble.message}});
  }
  return troubles;
}

Json embedding_json(const StatusReport& report, const config::EmbeddingSettings& settings) {
  return {{"enabled", settings.enabled},
          {"passages", report.embedded.documents},
          {"passages_embedded", report.embedded.embedded},
          {"recent", report.embedded.recent},
          {"recent_embedded", report.embedded.recent_embedded},
          {"days", settings.days},
          {"bytes", report.embedded.bytes},
          {"problem", report.model_problem}};
}

Json expiring_json(const std::vector<StatusReport::Expiring>& rows) {
  Json expiring = Json::array();
  for (const StatusReport::Expiring& row : rows) {
    expiring.push_back({{"agent", row.agent},
                        {"sessions", row.sessions},
                        {"archived", row.kept},
                        {"first_deletion", format_iso8601(row.first)}});
  }
  return expiring;
}

Json keeper_json(const std::optional<KeeperReport>& keeper) {
  if (!keeper) return nullptr;
  return {{"pid", keeper->pid},
          {"building", keeper->building},
          {"watched", keeper->watched},
          {"polled", keeper->polled},
          {"remark", keeper->remark}};
}

std::string_view level_name(Finding::Level level) {
  if (level == Finding::Level::ok) return "ok";
  return level == Finding::Level::note ? "note" : "problem";
}

}  // namespace

Json to_json(const StatusReport& report, const config::EmbeddingSettings& embedding) {
  const StatusTotals all = totals(report);
  Json json = {{"indexed", report.indexed},
               {"data_dir", report.data_dir},
               {"database_bytes", report.database_bytes},
               {"keyword_bytes", report.keyword_bytes},
               {"keyword_passages", report.keyword_passages},
               {"keyword_segments", report.keyword_segments},
               {"embedding", embedding_json(report, embedding)},
               {"sessions", all.sessions},
               {"turns", all.turns},
               {"superseded_turns", all.superseded},
               {"prompts", all.prompts},
               {"notes", all.notes},
               {"passages", report.passages},
               {"files_known", report.files_known},
               {"files_behind", report.files_behind},
               {"behind_bytes", report.behind_bytes},
               {"agents", agents_json(report.agents)},
               {"roots", roots_json(report.roots)},
               {"problems", problems_json(report.problems)},
               {"unknown", unknowns_json(report.unknowns)},
               {"troubles", troubles_json(report.troubles)}};
  json["expiring"] = expiring_json(report.expiring);
  if (!report.mended.empty()) json["mended"] = report.mended;
  json["writer_pid"] = report.writer_pid ? Json(*report.writer_pid) : Json(nullptr);
  json["keeper"] = keeper_json(report.keeper);
  return json;
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"level", level_name(finding.level)},
                    {"area", finding.area},
                    {"message", finding.message},
                    {"fix", finding.fix},
                    {"fixable", finding.fixable},
                    {"fixed", finding.fixed}});
  }
  return Json{{"ok", std::ranges::none_of(findings, is_broken)}, {"findings", std::move(list)}};
}

Json to_json(const ingest::IndexReport& report, bool dry_run) {
  Json json = {
      {"sessions_known", report.sessions_known},
      {"sessions_new", report.sessions_new},
      {"sessions_grown", report.sessions_grown},
      {"sessions_reread", report.sessions_reread},
      {"sessions_unchanged", report.sessions_unchanged},
      {"sessions_missing", report.sessions_missing},
      {"sessions_forgotten", report.sessions_forgotten},
      {"sessions_excluded", report.sessions_excluded},
      {"turns_written", report.turns_written},
      {"passages_written", report.passages_written},
      {"bytes_read", report.bytes_read},
      {"problems", report.problems},
      {"troubles", report.troubles},
      {"places", report.places},
      {"cancelled", report.cancelled},
      {"seconds", report.seconds},
  };
  if (!dry_run) return json;
  json["dry_run"] = true;
  json["bytes_to_read"] = report.bytes_to_read;
  json["would_read"] = report.would_read;
  return json;
}

}  // namespace yore::service
