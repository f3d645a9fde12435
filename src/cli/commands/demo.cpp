// yore demo: the commands at work on bundled conversations. Nothing of the user's is read or
// written: the environment that the commands see names only the samples and a folder in the cache.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/run.hpp"
#include "cli/screen/json_text.hpp"
#include "search/searcher.hpp"
#include "setup/wiring.hpp"
#include "text/shell.hpp"

namespace yore::cli {
namespace {

struct Demo {
  std::string samples;
  std::string home;
  std::string data;
};

Result<std::string> find_samples(const Context& context) {
  for (const std::string& place : context.program.places_of_samples) {
    if (is_directory(path_join(place, "claude/projects"))) return place;
  }
  return Error{Errc::io, "the sample conversations were not found",
               "they are in the samples folder of the source tree"};
}

Result<Demo> prepare(const Context& context) {
  const auto samples = find_samples(context);
  if (!samples) return samples.error();
  const std::string cache =
      context.world.env("XDG_CACHE_HOME").value_or(path_join(context.home(), ".cache"));
  const std::string folder = path_join(absolute_path(cache), "yore-demo");
  Demo demo{*samples, path_join(folder, "home"), path_join(folder, "data")};
  // Only these two folders are ours to empty; remove_all follows no links.
  for (const std::string& own : {demo.home, demo.data}) {
    std::error_code failure;
    std::filesystem::remove_all(own, failure);
    if (failure) return Error{Errc::io, own + ": " + failure.message()};
    if (Status made = make_directories(own); !made) return made.error();
  }
  return demo;
}

// Everything that could lead to the user's own files is gone from this environment.
config::GetEnv demo_environment(const Demo& demo, const config::GetEnv& real) {
  return [demo, real](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return demo.home;
    if (name == "YORE_DATA_DIR") return demo.data;
    if (name == "CLAUDE_CONFIG_DIR") return path_join(demo.samples, "claude");
    if (name == "OPENCLAW_STATE_DIR") return path_join(demo.samples, "openclaw");
    constexpr std::array<std::string_view, 4> kHarmless = {"NO_COLOR", "TERM", "COLUMNS",
                                                           "YORE_MODEL"};
    if (std::ranges::find(kHarmless, name) != kHarmless.end()) return real(name);
    return std::nullopt;
  };
}

// What the demo asks for: a few words, a phrase, a question with filters, and one by its meaning.
constexpr std::string_view kWords = "JWT refresh tokens";
constexpr std::string_view kPhrase = "\"database is locked\"";
constexpr std::string_view kQuestion = "why does nginx answer 502?";
constexpr std::string_view kMeaning = "people get kicked out with two tabs open";

// The chunk that a search names first.
Result<std::string> first_chunk(const Program& program, std::string_view query) {
  const auto settings = config::load_settings(program.world);
  if (!settings) return settings.error();
  auto searcher = search::Searcher::open(program.world, *settings, {});
  if (!searcher) return searcher.error();
  search::SearchRequest request;
  request.query = query;
  const auto answer = searcher->search(request);
  if (!answer) return answer.error();
  if (answer->hits.empty()) return Error{Errc::not_found, "the samples hold no such conversation"};
  return answer->hits.front().chunk_short;
}

class Show {
 public:
  Show(const Context& context, const Demo& demo) : context_(context), program_(context.program) {
    program_.world.env = demo_environment(demo, context.world.env);
    program_.page = [](std::string_view) { return false; };  // its steps belong together
  }

  const Program& program() const { return program_; }

  int step(std::vector<std::string> args) {
    std::string line = "yore";
    for (const std::string& arg : args) line.append(" ").append(text::shell_quote(arg));
    if (context_.globals.quiet) args.emplace_back("--quiet");
    if (context_.globals.color != ColorMode::automatic) {
      args.emplace_back(context_.globals.color == ColorMode::always ? "--color=always"
                                                                    : "--color=never");
    }
    if (!context_.globals.json) {
      context_.print(
          fmt::format("{}{}\n", first_ ? "" : "\n", context_.style(Paint::bold, "$ " + line)));
      first_ = false;
      return run(program_, args);
    }
    std::string captured;
    Program silent = program_;
    silent.out = [&captured](std::string_view text) { captured += text; };
    args.emplace_back("--json");
    const int code = run(silent, args);
    steps_.push_back({{"command", line},
                      {"exit_code", code},
                      {"output", service::Json::parse(captured, nullptr, false)}});
    return code;
  }

  void finish(const Demo& demo) {
    if (context_.globals.json) {
      print_json(context_, service::Json{{"samples", demo.samples},
                                         {"data_dir", demo.data},
                                         {"steps", std::move(steps_)}});
      return;
    }
    context_.print(
        "\nThat was on sample conversations. On your own:\n"
        "  yore search WORDS   find what was said (the first run reads everything)\n"
        "  yore list           your sessions, newest first\n"
        "  yore                what is there\n");
    // The world of the user again; only looked at.
    const auto settings = config::load_settings(context_.world);
    if (!settings) return;
    const std::string invitation = setup::invitation(context_.world, settings->data_dir);
    if (!invitation.empty()) context_.print(invitation + "\n");
  }

 private:
  const Context& context_;
  Program program_;
  bool first_ = true;
  service::Json steps_ = service::Json::array();
};

int run_demo(Context& context) {
  const auto demo = prepare(context);
  if (!demo) return context.fail(demo.error());
  Show show(context, *demo);
  const std::vector<std::vector<std::string>> steps = {
      {"index"},
      {"list", "--limit", "8"},
      {"projects"},
      {"search", std::string(kWords), "--limit", "2"},
      {"search", std::string(kPhrase), "--limit", "1"},
      {"search", std::string(kQuestion), "--project", "shop", "--type", "assistant", "-n", "1"},
  };
  for (const std::vector<std::string>& step : steps) {
    if (const int code = show.step(step); code != kFound) return code;
  }
  const auto chunk = first_chunk(show.program(), kWords);
  if (!chunk) return context.fail(chunk.error());
  if (const int code = show.step({"chunk", *chunk}); code != kFound) return code;
  const int code = show.step({"search", std::string(kMeaning), "--limit", "1"});
  if (code != kFound) return code;
  show.finish(*demo);
  return kFound;
}

}  // namespace

Action declare_demo(Options&) {
  return run_demo;
}

}  // namespace yore::cli
