// yore index: bring the index up to date.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/progress.hpp"
#include "cli/time_options.hpp"
#include "derive/embedder.hpp"
#include "service/status_answer.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

struct IndexFlags {
  bool no_embed = false;
  bool all = false;
  bool force = false;
  bool dry_run = false;
  bool forget_missing = false;
  std::string since;
};

std::string dry_run_text(const ingest::IndexReport& report) {
  std::string out;
  for (const std::string& id : report.would_read) out += text::one_line(id) + "\n";
  return out;
}

// A server that keeps the index fresh writes for moments: that is waited for. Whoever writes longer
// builds it.
Result<ingest::IndexReport> index_when_free(const Context& context,
                                            const ingest::IndexOptions& options) {
  constexpr std::chrono::milliseconds kPause{20};
  constexpr std::chrono::milliseconds kPatience{2000};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    auto report = index_with_progress(context, options, std::chrono::milliseconds{0});
    if (report || report.error().code != Errc::busy) return report;
    if (std::chrono::steady_clock::now() >= end) {
      return Error{Errc::busy, report.error().message, "yore status shows how far it is"};
    }
    std::this_thread::sleep_for(kPause);
  }
}

// What became of the search by meaning.
struct Embedded {
  derive::EmbedReport report;
  std::string problem;      // why nothing was done
  std::uint64_t older = 0;  // left because they are older than the window
};

Embedded embed_with_progress(const Context& context, bool all) {
  Embedded out;
  const InterruptGuard interrupt;
  ProgressMeter meter(context.program.err, context.program.err_screen,
                      std::chrono::milliseconds{500});
  const derive::OnEmbedded on_embedded = [&](std::uint64_t done, std::uint64_t total) {
    ingest::IndexProgress progress;
    progress.passages_done = done;
    progress.passages_total = total;
    progress.embedding = true;
    if (!context.globals.quiet) meter.update(progress);
  };
  derive::EmbedOptions options;
  options.recent_only = !all;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  auto report =
      derive::embed(context.world, context.settings, options, on_embedded, InterruptGuard::asked());
  meter.finish();
  if (report) {
    out.report = *report;
  } else {
    out.problem = report.error().code == Errc::busy ? "another yore process is embedding"
                                                    : report.error().message;
  }
  if (const auto counts = derive::count_embedded(context.world, context.settings); counts && !all) {
    out.older = counts->documents - counts->recent;
  }
  return out;
}

void add_embedded(service::Json& json, const Embedded& embedded) {
  json["passages_embedded"] = embedded.report.embedded;
  json["passages_waiting"] = embedded.report.waiting;
  json["passages_older"] = embedded.older;
  if (!embedded.problem.empty()) json["embedding_problem"] = embedded.problem;
}

// "1,234 passages are searchable by meaning now."; what is left, and why.
std::string embedded_text(const Context& context, const Embedded& embedded, bool news) {
  if (!embedded.problem.empty()) return "Search by meaning: " + embedded.problem + "\n";
  std::string out;
  if (embedded.report.embedded > 0) {
    out += plural(embedded.report.embedded, "passage") + " made searchable by meaning\n";
  }
  if (embedded.older > 0 && (news || embedded.report.embedded > 0)) {
    out += fmt::format("{} older than {} left to keywords: yore index --all embeds them too\n",
                       plural(embedded.older, "passage"),
                       plural(context.settings.embedding.days, "day"));
  }
  return out;
}

bool wants_meaning(const Context& context, const IndexFlags& flags,
                   const ingest::IndexReport& report) {
  return !flags.no_embed && !flags.dry_run && !report.cancelled && !nothing_there(report) &&
         context.settings.embedding.enabled;
}

int run_index_command(Context& context, const IndexFlags& flags) {
  ingest::IndexOptions options;
  options.force = flags.force;
  options.dry_run = flags.dry_run;
  options.forget_missing = flags.forget_missing;
  options.scope = context.scope;
  const auto since = parse_time(context, "--since", flags.since);
  if (!since) return context.fail(since.error());
  options.since = *since;

  auto report = index_when_free(context, options);
  if (!report) return context.fail(report.error());
  context.mask(*report);
  // Words can be searched from here on; meaning follows.
  if (!context.globals.json && !flags.dry_run && !context.globals.quiet &&
      !nothing_there(*report)) {
    context.print(summary(*report));
  }
  for (const std::string& note : report->notes) context.note(note);
  Embedded embedded;
  const bool embeds = wants_meaning(context, flags, *report);
  if (embeds) embedded = embed_with_progress(context, flags.all);
  if (context.globals.json) {
    service::Json json = service::to_json(*report, flags.dry_run);
    if (embeds) add_embedded(json, embedded);
    print_json(context, json);
  } else if (flags.dry_run) {
    context.print(dry_run_text(*report));
    context.note(fmt::format("Would read {} of {}, {}", count(report->would_read.size()),
                             plural(report->sessions_known, "session"),
                             size(report->bytes_to_read)));
  } else if (embeds && !context.globals.quiet) {
    context.print(embedded_text(context, embedded, report->bytes_read > 0));
  }
  if (report->cancelled) {
    context.note(
        fmt::format("Interrupted. What was read is kept ({}); yore index goes on from there.",
                    plural(report->turns_written, "turn")));
    return kInterrupted;
  }
  if (embedded.report.cancelled) {
    context.note(
        fmt::format("Interrupted. Search by words is complete; {} left to make searchable by "
                    "meaning: yore index{} goes on from there.",
                    plural(embedded.report.waiting, "passage"), flags.all ? " --all" : ""));
    return kInterrupted;
  }
  if (nothing_there(*report)) context.note(no_transcripts(context));
  return kFound;
}

}  // namespace

Action declare_index(Options& options) {
  const auto flags = std::make_shared<IndexFlags>();  // shared with the action that outlives us
  options.flag("--force", flags->force, "read everything again");
  options.flag("--dry-run", flags->dry_run, "only list the sessions that would be read");
  options.text("--since", "WHEN", flags->since,
               "leave files unread that were last written before (2h, 3d, 2w, 2026-01-31 …)");
  options.flag("--forget-missing", flags->forget_missing,
               "remove sessions whose files are gone from the index");
  options.flag("--no-embed", flags->no_embed, "leave it at search by words");
  options.flag("--all", flags->all,
               "make all history searchable by meaning, not only recent weeks");
  return [flags](Context& context) { return run_index_command(context, *flags); };
}

}  // namespace yore::cli
