#include "cli/refresh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/interrupt.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/progress.hpp"
#include "config/roots.hpp"
#include "config/whereabouts.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kTroublesShown = 3;
// Whose places are named where there is nothing at all.
constexpr std::array<std::string_view, 3> kFamiliar = {"claude-code", "codex", "gemini"};

void append_counts(std::string& line, std::uint64_t number, std::string_view what) {
  if (number == 0) return;
  line += fmt::format("{} {} {}", line.empty() ? "" : ",", count(number), what);
}

}  // namespace

Result<ingest::IndexReport> index_with_progress(const Context& context,
                                                const ingest::IndexOptions& options,
                                                std::chrono::milliseconds delay) {
  const InterruptGuard interrupt;
  ProgressMeter meter(context.program.err, context.program.err_screen, delay);
  const ingest::OnProgress on_progress = [&](const ingest::IndexProgress& progress) {
    if (!context.globals.quiet) meter.update(progress);
  };
  auto report = ingest::run_index(context.world, context.settings, options, on_progress,
                                  InterruptGuard::asked());
  meter.finish();
  return report;
}

std::string summary(const ingest::IndexReport& report) {
  std::string counts;
  append_counts(counts, report.sessions_new, "new");
  append_counts(counts, report.sessions_grown, "grown");
  append_counts(counts, report.sessions_reread, "read again");
  append_counts(counts, report.sessions_unchanged, "unchanged");
  append_counts(counts, report.sessions_missing, "kept without their source");
  append_counts(counts, report.sessions_forgotten, "forgotten");
  append_counts(counts, report.sessions_excluded, "excluded");
  std::string out = plural(report.sessions_known, "session");
  out += (counts.empty() ? "" : ":" + counts) + "\n";
  if (report.bytes_read > 0) {
    const std::string speed = rate(report.bytes_read, report.seconds);
    out += fmt::format("{}, {} from {} in {}{}\n", plural(report.turns_written, "turn"),
                       plural(report.passages_written, "passage"), size(report.bytes_read),
                       duration(report.seconds), speed.empty() ? "" : " (" + speed + ")");
  }
  if (report.problems > 0) {
    out += fmt::format("{} skipped or repaired: yore doctor names the lines\n",
                       plural(report.problems, "record"));
  }
  for (std::size_t i = 0; i < report.troubles.size() && i < kTroublesShown; ++i) {
    out += "could not read " + text::one_line(report.troubles[i]) + "\n";
  }
  if (report.troubles.size() > kTroublesShown) {
    out +=
        fmt::format("and {} more: yore doctor\n", count(report.troubles.size() - kTroublesShown));
  }
  return out;
}

bool nothing_there(const ingest::IndexReport& report) {
  return report.sessions_known == 0 && report.sessions_missing == 0;
}

std::string no_transcripts(const Context& context) {
  const auto roots = config::default_places(*context.settings.agents, context.world.env);
  std::string out = "No transcripts found. Looked in ";
  std::size_t shown = 0;
  for (const std::string_view agent : kFamiliar) {
    const auto root = std::ranges::find_if(
        roots, [agent](const config::FoundRoot& each) { return each.adapter->name == agent; });
    if (root == roots.end()) continue;
    out += shown_path(root->root.path, context.home()) + ", ";
    ++shown;
  }
  out += fmt::format("and {} more places: yore agents\n", count(roots.size() - shown));
  if (config::Whereabouts(context.world, context.settings.data_dir).has_far()) {
    out += "Windows' disks and network disks are looked at by yore index.\n";
  }
  return out + "Try yore on its sample conversations: yore demo";
}

}  // namespace yore::cli
