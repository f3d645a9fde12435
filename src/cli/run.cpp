#include "cli/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/files/file.hpp"
#include "base/program.hpp"
#include "base/trace.hpp"
#include "cli/commands.hpp"
#include "cli/screen/pager.hpp"
#include "ingest/mending.hpp"
#include "text/display.hpp"
#include "text/secrets/secrets.hpp"

namespace yore::cli {
namespace {

// The command itself; `mends`: it may find the record store damaged and say nothing of it.
int run_once(const Program& program, const Parsed& parsed, bool mends,
             std::optional<Error>& damage) {
  Context context(program, parsed.globals);
  const bool needs_settings = parsed.command == nullptr || parsed.command->needs_settings;
  if (needs_settings) {
    if (Status loaded = context.load(); !loaded) return context.fail(loaded.error());
  }
  context.mends = mends && needs_settings;
  const int code = parsed.command == nullptr ? run_overview(context) : parsed.action(context);
  damage = context.damage();
  return code;
}

int run_parsed(const Program& program, const Parsed& parsed) {
  std::optional<Error> damage;
  const int code = run_once(program, parsed, true, damage);
  if (!damage) return code;
  Context context(program, parsed.globals);
  if (Status loaded = context.load(); !loaded) return context.fail(loaded.error());
  const auto mended = ingest::mend_if_damaged(context.world, context.settings);
  if (!mended) return context.fail(mended.error());
  if (!*mended) return context.fail(*damage);
  context.note("The record store was damaged and has been mended.");
  return run_once(program, parsed, false, damage);
}

std::vector<std::string> places_of_samples(const std::string& program, std::string_view built_in) {
  std::vector<std::string> places;
  if (!program.empty()) {
    const std::string folder(path_dirname(program));
    places.push_back(absolute_path(path_join(folder, "../../../samples")));       // build/<x>/apps
    places.push_back(absolute_path(path_join(folder, "../share/yore/samples")));  // installed
  }
  places.emplace_back(built_in);
  return places;
}

// Far more than any text that a command reads from there.
constexpr std::size_t kMaxInput = 1 << 20;

// Paths in it are anybody's words. Standard error is not buffered: a line is one write.
void write_trace(std::string_view line) {
  const std::string safe = text::for_terminal(text::masked(line));
  std::fwrite(safe.data(), 1, safe.size(), stderr);
}

// The two streams share a terminal: whatever was printed before must be on it first.
void write_err(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int run_command(const Program& program, const std::vector<std::string>& args) {
  const auto parsed = parse(args);
  if (!parsed) {
    Globals globals;
    globals.json = std::ranges::find(args, "--json") != args.end();
    return Context(program, globals).fail(parsed.error());
  }
  if (!parsed->text.empty()) {
    program.out(parsed->text);
    return kFound;
  }
  return run_parsed(program, *parsed);
}

// Hooks of agents: whatever goes wrong, the agent is not to notice.
bool is_hook(const std::vector<std::string>& args) {
  return !args.empty() && args[0] == "recall" && std::ranges::find(args, "--hook") != args.end();
}

}  // namespace

int run(const Program& program, const std::vector<std::string>& args) {
  if (!is_hook(args)) return run_command(program, args);
  Program silent = program;
  silent.err = [](std::string_view) {};
  run_command(silent, args);
  return kFound;
}

int run_process(int argc, char** argv, std::string_view samples_dir) {
  // A closed pipe is an error of write() then, not the end of the process in the middle of things.
  ::signal(SIGPIPE, SIG_IGN);
  Program program;
  program.world = config::real_world();
  if (program.world.env("YORE_TRACE") == "1") Trace::switch_on(write_trace);
  program.places_of_samples = places_of_samples(program.world.program, samples_dir);
  program.out_screen = screen_of(STDOUT_FILENO, program.world.env);
  program.err_screen = screen_of(STDERR_FILENO, program.world.env);
  program.in = [] { return read_standard_input(kMaxInput); };
  program.typed_line = []() -> std::optional<std::string> {
    if (::isatty(STDIN_FILENO) == 0) return std::nullopt;
    std::string line;
    for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) {
      if (line.size() < kMaxInput) line += static_cast<char>(c);
    }
    return line;
  };
  program.page = [&program](std::string_view text) {
    return show_in_pager(text, program.world.env);
  };
  int failure = 0;
  program.out = [&failure](std::string_view text) {
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
    if (written < text.size() && failure == 0) failure = errno;
  };
  program.err = [&failure](std::string_view text) {
    // The two streams share a terminal: whatever was printed before must be on it first.
    if (std::fflush(stdout) != 0 && failure == 0) failure = errno;
    write_err(text);
  };

  const std::vector<std::string> args(argv + std::min(argc, 1), argv + argc);
  const int code = run(program, args);
  if (std::fflush(stdout) != 0 && failure == 0) failure = errno;
  if (failure == 0 || failure == EPIPE) return code;
  write_err(std::string("yore: cannot write the output: ") + std::strerror(failure) + "\n");
  return kBroken;
}

}  // namespace yore::cli
