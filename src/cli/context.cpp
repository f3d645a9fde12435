#include "cli/context.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/screen/json_text.hpp"
#include "config/whereabouts.hpp"
#include "search/agent_names.hpp"
#include "text/display.hpp"
#include "transcript/adapter.hpp"

namespace yore::cli {

Context::Context(const Program& given, const Globals& flags)
    : program(given),
      globals(flags),
      world(given.world),
      style(wants_color(flags.color, given.out_screen.is_terminal, given.world.env),
            wants_links(given.out_screen.is_terminal, given.world.env)),
      err_style(wants_color(flags.color, given.err_screen.is_terminal, given.world.env)) {}

Status Context::load() {
  if (globals.reveal && !program.out_screen.is_terminal) {
    return Error{Errc::invalid_argument, "--reveal shows secrets on a terminal only",
                 "standard output is a file or a pipe"};
  }
  auto loaded = config::load_settings(world);
  if (!loaded) return loaded.error();
  settings = std::move(*loaded);
  mask = service::Masker(settings, globals.reveal);
  for (const std::string& warning : settings.warnings) note("yore: " + warning);
  for (const std::string& source : globals.sources) {
    const auto root = config::parse_source(source, *settings.agents, world.env);
    if (!root) return root.error();
    const std::string& path = root->root.path;
    const bool far = config::Whereabouts(world, settings.data_dir).is_far(path);
    if (!far && !config::is_place(path)) {
      note("yore: --source " + source + ": there is no such folder");
    }
    scope.sources.push_back(source);
  }
  if (!globals.pattern.empty()) scope.pattern = globals.pattern;
  return {};
}

void Context::page(std::string_view text) const {
  const Screen& screen = program.out_screen;
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const bool fits = screen.rows == 0 || lines < screen.rows;
  if (!screen.is_terminal || globals.no_pager || globals.json || fits) return print(text);
  printed_ = true;
  const std::string masked = mask.text(text);
  if (!program.page(masked)) program.out(masked);
}

void Context::note(std::string_view sentence) const {
  if (!globals.quiet) program.err(text::for_terminal(mask.text(sentence)) + "\n");
}

int Context::fail(const Error& given) const {
  if (mends && !printed_ && given.code == Errc::corrupt) {
    damage_ = given;
    return exit_code(given.code);
  }
  Error error = given;
  mask(error);
  if (globals.json) {
    print_json(*this, service::to_json(error));
    return exit_code(error.code);
  }
  std::string text = err_style(Paint::red, "yore:") + " " + text::one_line(error.message) + "\n";
  // A hint may be a list, one thing a line.
  if (!error.hint.empty()) text += text::wrap(text::for_terminal(error.hint), 1000, "  ") + "\n";
  program.err(text);
  return exit_code(error.code);
}

std::string Context::home() const {
  return config::home_directory(world.env);
}

int exit_code(Errc code) {
  switch (code) {
    case Errc::not_found:
      return kNothing;
    case Errc::ambiguous:
    case Errc::invalid_argument:
      return kWrongUse;
    case Errc::cancelled:
      return kInterrupted;
    case Errc::corrupt:
    case Errc::io:
    case Errc::unsupported:
    case Errc::busy:
      return kBroken;
  }
  return kBroken;
}

std::string Context::speaker(std::string_view agent) const {
  const transcript::Adapter* adapter = settings.agents->find(agent);
  return adapter == nullptr ? text::one_line(agent) : std::string(adapter->speaker);
}

std::string Context::display_name(std::string_view agent) const {
  const transcript::Adapter* adapter = settings.agents->find(agent);
  return adapter == nullptr ? text::one_line(agent) : std::string(adapter->display_name);
}

Status Context::check_agents(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (settings.agents->find(name) != nullptr) continue;
    return search::no_such_agent(name, *settings.agents);
  }
  return {};
}

}  // namespace yore::cli
