// yore status: what is indexed, how fresh, how big. Bare `yore`: the same in two lines.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "cli/commands.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "search/reader.hpp"
#include "service/index_notes.hpp"
#include "service/status.hpp"
#include "service/status_answer.hpp"
#include "setup/wiring.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kTopFew = 5;

std::string status_row(const Context& context, std::string_view name, std::string_view value) {
  return fmt::format("{}  {}\n", context.style(Paint::dim, fmt::format("{:<9}", name)),
                     text::one_line(value));
}

std::string freshness(const service::StatusReport& report) {
  if (report.files_behind == 0) return "up to date";
  return fmt::format("{} of {} behind, {} to read: yore index", count(report.files_behind),
                     plural(report.files_known, "file"), size(report.behind_bytes));
}

// Who keeps the index fresh, and where that is slow.
std::string keeper_text(const Context& context, const service::StatusReport& report) {
  if (!report.keeper)
    return status_row(context, "keeper", "none: a running yore mcp would keep it fresh");
  const service::KeeperReport& keeper = *report.keeper;
  std::string line =
      fmt::format("process {} watches {}", keeper.pid, plural(keeper.watched, "folder"));
  if (keeper.polled > 0) line += fmt::format(" and looks at {} now and then", count(keeper.polled));
  if (keeper.building) {
    line += fmt::format("; {} of {} read so far", count(keeper.files_indexed),
                        plural(keeper.files_known, "file"));
  }
  std::string out = status_row(context, "keeper", line);
  if (!keeper.remark.empty()) out += status_row(context, "", keeper.remark);
  return out;
}

// How much can be found by meaning, and what to do about the rest.
std::string meaning_text(const Context& context, const service::StatusReport& report) {
  const derive::EmbedCounts& counts = report.embedded;
  if (!context.settings.embedding.enabled) return "by meaning: switched off in the settings";
  if (!report.model_problem.empty()) return "not by meaning: " + report.model_problem;
  std::string line = fmt::format("{} of {} by meaning", count(counts.embedded),
                                 plural(counts.documents, "passage"));
  if (counts.bytes > 0) line += fmt::format(" ({})", size(counts.bytes));
  const std::uint64_t waiting = counts.recent - counts.recent_embedded;
  if (waiting > 0) {
    const std::uint32_t days = context.settings.embedding.days;
    line += fmt::format("; {}{} wait: yore index", count(waiting),
                        days == 0 ? "" : fmt::format(" of the last {}", plural(days, "day")));
  } else if (counts.embedded < counts.documents) {
    line += "; older ones: yore index --all";
  }
  return line;
}

std::string sessions_text(const service::StatusTotals& all) {
  std::string line = plural(all.sessions, "session");
  if (all.subagents > 0) line += ", " + plural(all.subagents, "sub-agent session");
  return line + ", " + plural(all.turns, "turn");
}

// What is found as well, though it stands in no conversation.
std::string beside_text(const service::StatusTotals& all) {
  std::vector<std::string> parts;
  if (all.superseded > 0) parts.push_back(plural(all.superseded, "superseded turn"));
  if (all.prompts > 0) parts.push_back(plural(all.prompts, "prompt") + " of lost conversations");
  if (all.notes > 0) parts.push_back(plural(all.notes, "note"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string problems_text(const Context& context, const service::StatusReport& report) {
  std::string out;
  if (!report.mended.empty()) out += status_row(context, "mended", report.mended);
  std::map<std::string_view, std::pair<std::uint64_t, std::uint64_t>> by_kind;  // records, files
  for (const store::ProblemRow& problem : report.problems) {
    auto& [records, files] = by_kind[transcript::problem_name(problem.kind)];
    records += problem.count;
    ++files;
  }
  for (const auto& [kind, counts] : by_kind) {
    out += status_row(
        context, out.empty() ? "problems" : "",
        fmt::format("{} × {} in {}", count(counts.first), kind, plural(counts.second, "file")));
  }
  for (const store::TroubleRow& trouble : report.troubles) {
    out += status_row(context, out.empty() ? "problems" : "",
                      shown_path(trouble.path, context.home()) + ": " + trouble.message);
  }
  if (!out.empty()) out += status_row(context, "", "yore doctor tells more");
  return out;
}

std::string unknowns_text(const Context& context, const service::StatusReport& report) {
  std::string out;
  const std::size_t shown = std::min(report.unknowns.size(), kTopFew);
  for (std::size_t i = 0; i < shown; ++i) {
    const store::UnknownRow& unknown = report.unknowns[i];
    out += status_row(context, i == 0 ? "unknown" : "",
                      fmt::format("{}: {}, {} × in {}", unknown.agent, unknown.what,
                                  count(unknown.count), plural(unknown.sessions, "session")));
  }
  if (shown < report.unknowns.size()) {
    out +=
        status_row(context, "", fmt::format("and {} more", count(report.unknowns.size() - shown)));
  }
  return out;
}

std::string places_text(const Context& context, const service::StatusReport& report) {
  std::string out;
  for (const service::RootStatus& root : report.roots) {
    std::string line = shown_path(root.path, context.home());
    line += " (" + context.display_name(root.agent);
    line += !root.place.empty() ? ", " + root.place : root.exists ? "" : ", not there";
    line += ")";
    out += status_row(context, out.empty() ? "places" : "", line);
  }
  return out;
}

// What agents are about to delete.
std::string expiring_text(const Context& context, const service::StatusReport& report) {
  std::string out;
  for (const service::StatusReport::Expiring& row : report.expiring) {
    std::string line =
        fmt::format("{} will delete {} within a week", context.display_name(row.agent),
                    plural(row.sessions, "session file"));
    const std::uint64_t open = row.sessions - std::min(row.sessions, row.kept);
    line += open == 0 ? "; all of them are in the archive"
                      : fmt::format("; {} not in the archive: yore archive", count(open));
    out += status_row(context, out.empty() ? "expires" : "", line);
  }
  return out;
}

bool any_place(const service::StatusReport& report) {
  return std::ranges::any_of(report.roots, [](const service::RootStatus& r) { return r.exists; });
}

std::string next_step(const service::StatusReport& report) {
  return any_place(report)
             ? "Read the transcripts: yore index"
             : "No transcripts found. Try yore on its sample conversations: yore demo";
}

std::string status_text(const Context& context, const service::StatusReport& report) {
  const service::StatusTotals all = service::totals(report);
  std::string out =
      status_row(context, "index",
                 fmt::format("{} ({}, {})", shown_path(report.data_dir, context.home()),
                             size(report.database_bytes), plural(report.passages, "passage")));
  out += status_row(
      context, "search",
      report.keyword_bytes == 0
          ? std::string("no keyword index yet")
          : fmt::format("{} by word ({}, {})", plural(report.keyword_passages, "passage"),
                        size(report.keyword_bytes), plural(report.keyword_segments, "segment")));
  out += status_row(context, "", meaning_text(context, report));
  out += status_row(context, "holds", sessions_text(all));
  if (all.missing > 0)
    out += status_row(context, "", count(all.missing) + " kept without their source");
  if (const std::string beside = beside_text(all); !beside.empty())
    out += status_row(context, "", "and " + beside);
  if (all.other_files > 0)
    out += status_row(context, "", plural(all.other_files, "file") + " hold copies");
  out += status_row(context, "fresh", freshness(report));
  out += expiring_text(context, report);
  std::string name = "agents";
  for (const store::AgentCounts& agent : report.agents) {
    std::string line = fmt::format("{}: {}, {}", context.display_name(agent.agent),
                                   plural(agent.sessions, "session"), plural(agent.turns, "turn"));
    if (agent.bytes > 0) line += fmt::format(", {} read", size(agent.bytes));
    line += ", newest ";
    line += agent.newest == kNoTime ? "unknown" : format_age(agent.newest, context.world.now);
    out += status_row(context, name, line);
    name.clear();
  }
  out += places_text(context, report) + problems_text(context, report) +
         unknowns_text(context, report);
  out += status_row(context, "writer",
                    report.writer_pid ? fmt::format("process {}", *report.writer_pid) : "none");
  return out + keeper_text(context, report);
}

int run_status(Context& context) {
  auto report = service::read_status(context.world, context.settings);
  if (!report) return context.fail(report.error());
  context.mask(*report);
  if (context.globals.json) {
    print_json(context, service::to_json(*report, context.settings.embedding));
    return kFound;
  }
  if (report->indexed) {
    context.print(status_text(context, *report));
    if (service::totals(*report).sessions == 0) context.note(next_step(*report));
    return kFound;
  }
  context.print(std::string(service::kNoIndexYet) + ".\n" + places_text(context, *report));
  context.note(next_step(*report));
  return kFound;
}

}  // namespace

Action declare_status(Options&) {
  return run_status;
}

int run_overview(Context& context) {
  if (context.globals.json) return run_status(context);
  const auto report = service::read_status(context.world, context.settings);
  std::string out = version_text();
  if (!report) {
    // The commands are worth showing even when the index is not well.
    context.fail(report.error());
  } else if (!report->indexed) {
    out += std::string(service::kNoIndexYet) + ". " + next_step(*report) + "\n";
  } else {
    out += sessions_text(service::totals(*report)) + "; " + freshness(*report) + "\n";
  }
  const std::string invitation = setup::invitation(context.world, context.settings.data_dir);
  if (!invitation.empty()) out += invitation + "\n";
  context.print(out + "\nCommands:\n" + command_list() +
                "\n'yore --help' tells more, 'yore COMMAND --help' about one command.\n");
  return report ? kFound : exit_code(report.error().code);
}

}  // namespace yore::cli
