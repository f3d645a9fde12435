// yore-generate — writes realistic transcripts, and measures transcripts.
//
//   yore-generate --seed 7 --bytes 1G --out DIR [--agent claude-code|openclaw|mixed]
//                 [--sessions N] [--measure]
//   yore-generate --measure DIR
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "base/time.hpp"
#include "generator.hpp"
#include "measure.hpp"

namespace {

int fail(const yore::Error& error) {
  fmt::print(stderr, "yore-generate: {}\n", error.message);
  return 1;
}

int measure(const std::string& directory) {
  const auto measured = yore::generator::measure_directory(directory);
  if (!measured) return fail(measured.error());
  fmt::print("{}", yore::generator::format_measure(*measured));
  return 0;
}

int write_transcripts(const std::string& out, const yore::generator::GeneratorOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto report = yore::generator::generate(out, options);
  if (!report) return fail(report.error());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  fmt::print("{} bytes in {} files: {} sessions ({} forks), {} sub-agents, {} turns, until {}\n",
             report->bytes, report->files, report->sessions, report->forks, report->subagents,
             report->turns, yore::format_iso8601(yore::from_ms(report->end_ms)));
  fmt::print("{:.2f} s, {:.0f} MB/s\n", took.count(),
             static_cast<double>(report->bytes) / 1e6 / took.count());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using yore::generator::AgentMix;
  yore::generator::GeneratorOptions options;
  std::string out;
  std::string measured;
  CLI::App app("Writes realistic transcripts of coding agents, and measures transcripts.");
  app.add_option("--seed", options.seed, "Same seed, same bytes")->capture_default_str();
  app.add_option("--bytes", options.target_bytes, "How much: 10M, 1G")
      ->transform(CLI::AsSizeValue(true));
  app.add_option("--sessions", options.max_sessions, "At most so many sessions");
  app.add_option("--out", out, "Directory to write to");
  app.add_option("--agent", options.agents, "claude-code, openclaw or mixed")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, AgentMix>{{"claude-code", AgentMix::claude_code},
                                          {"openclaw", AgentMix::openclaw},
                                          {"mixed", AgentMix::mixed}}));
  CLI::Option* measure_option =
      app.add_option("--measure", measured, "Measure a directory, or what was just written")
          ->expected(0, 1);
  CLI11_PARSE(app, argc, argv);

  if (out.empty() && measured.empty()) {
    fmt::print(stderr, "yore-generate: give --out DIR or --measure DIR (--help says more)\n");
    return 2;
  }
  if (!out.empty()) {
    if (const int code = write_transcripts(out, options); code != 0) return code;
  }
  if (measure_option->count() == 0) return 0;
  return measure(measured.empty() ? out : measured);
}
