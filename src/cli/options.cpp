#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "cli/examples.hpp"
#include "text/display.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::cli {

struct HelpRow {
  std::string names;  // "-p, --project NAME"
  std::string help;
};

namespace {

constexpr std::size_t kHelpColumns = 80;

std::string rows_text(const std::vector<HelpRow>& rows) {
  std::size_t widest = 0;
  for (const HelpRow& row : rows) widest = std::max(widest, row.names.size());
  std::string out;
  for (const HelpRow& row : rows) {
    const std::string indent(widest + 4, ' ');
    const std::string wrapped = text::wrap(row.help, kHelpColumns, indent);
    out += fmt::format("  {:<{}}  {}\n", row.names, widest, wrapped.substr(indent.size()));
  }
  return out;
}

// "-p,--project" -> "-p, --project NAME"; "--json" -> "    --json".
std::string shown_names(std::string_view names, std::string_view value) {
  std::string shown(names);
  if (const auto comma = shown.find(','); comma != std::string::npos) shown.insert(comma + 1, " ");
  if (shown.starts_with("--")) shown.insert(0, "    ");
  if (!value.empty()) shown += " " + std::string(value);
  return shown;
}

std::vector<HelpRow> rows_of(const std::vector<FlagInfo>& flags) {
  std::vector<HelpRow> rows;
  rows.reserve(flags.size());
  for (const FlagInfo& flag : flags)
    rows.push_back({shown_names(flag.names, flag.value), flag.help});
  return rows;
}

std::vector<HelpRow> rows_of(const std::vector<ArgumentInfo>& arguments) {
  std::vector<HelpRow> rows;
  rows.reserve(arguments.size());
  for (const ArgumentInfo& argument : arguments) rows.push_back({argument.name, argument.help});
  return rows;
}

std::vector<HelpRow> rows_of(std::span<const Example> examples) {
  std::vector<HelpRow> rows;
  for (const Example& example : examples) {
    rows.push_back({std::string(example.line), std::string(example.meaning)});
  }
  return rows;
}

std::optional<std::uint32_t> whole_number(const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

struct Options::State {
  CLI::App* app = nullptr;
  std::vector<ArgumentInfo> arguments;
  std::vector<FlagInfo> rows;
  std::vector<std::string> flags;                // "--project", for hints
  std::function<void(const std::string&)> rest;  // takes a word without a flag

  CLI::Option* add(std::string_view names, std::string_view value, std::string_view help,
                   CLI::Option* option) {
    rows.push_back({std::string(names), std::string(value), std::string(help), {}});
    const std::size_t dashes = names.find("--");
    if (dashes != std::string_view::npos) flags.emplace_back(names.substr(dashes));
    return option;
  }
};

void Options::flag(std::string_view names, bool& target, std::string_view help) {
  state_.add(names, "", help, state_.app->add_flag(std::string(names), target));
}

void Options::text(std::string_view names, std::string_view value, std::string& target,
                   std::string_view help) {
  state_.add(names, value, help, state_.app->add_option(std::string(names), target))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Options::texts(std::string_view names, std::string_view value,
                    std::vector<std::string>& target, std::string_view help) {
  state_.add(names, value, help, state_.app->add_option(std::string(names), target))
      ->allow_extra_args(false);
}

void Options::number(std::string_view names, std::string_view value, std::uint32_t& target,
                     std::uint32_t least, std::string_view help) {
  const auto check = [least](const std::string& text) -> std::string {
    const auto number = whole_number(text);
    if (number && *number >= least) return "";
    return fmt::format("want a whole number from {} on, not '{}'", least, text);
  };
  state_.add(names, value, help, state_.app->add_option(std::string(names), target))
      ->check(check)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Options::completes(std::span<const std::string_view> values) {
  state_.rows.back().choices.assign(values.begin(), values.end());
}

void Options::choice(std::string_view names, std::string_view value, std::string& target,
                     std::vector<std::string> allowed, std::string_view help) {
  const std::vector<std::string> choices = allowed;
  const auto check = [allowed = std::move(allowed)](const std::string& text) -> std::string {
    if (std::ranges::find(allowed, text) != allowed.end()) return "";
    return fmt::format("want one of {}, not '{}'", fmt::join(allowed, ", "), text);
  };
  state_.add(names, value, help, state_.app->add_option(std::string(names), target))
      ->check(check)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  state_.rows.back().choices = choices;
}

void Options::argument(std::string_view name, std::string& target, std::string_view help) {
  state_.arguments.push_back({std::string(name), std::string(help)});
  state_.app->add_option(std::string(name), target)->required();
}

void Options::rest(std::string_view name, std::string& target, std::string_view help) {
  state_.arguments.push_back({std::string(name), std::string(help)});
  state_.rest = [&target](const std::string& word) {
    if (!target.empty()) target += ' ';
    target += word;
  };
}

void Options::words(std::string_view name, std::vector<std::string>& target,
                    std::string_view help) {
  state_.arguments.push_back({std::string(name), std::string(help)});
  state_.rest = [&target](const std::string& word) { target.push_back(word); };
}

namespace {

struct GlobalTexts {
  std::string color = "auto";
  bool help = false;
  bool version = false;
};

void declare_globals(Options& options, Globals& globals, GlobalTexts& texts) {
  options.flag("--json", globals.json, "print JSON, errors too");
  options.flag("-q,--quiet", globals.quiet, "no progress, no remarks");
  options.flag("--reveal", globals.reveal,
               "show secrets instead of [masked:…]; on a terminal only");
  options.texts("--source", "FORMAT:PATH", globals.sources,
                "read this folder too, and answer from Claude Code and it (repeatable)");
  options.text("--pattern", "GLOB", globals.pattern,
               "answer only from Claude Code project folders of such a name");
  options.choice("--color", "WHEN", texts.color, {"auto", "always", "never"},
                 "auto, always or never; NO_COLOR means never");
  options.flag("--no-pager", globals.no_pager, "print long output at once, without $PAGER");
  options.flag("--version", texts.version, "print the version");
  options.flag("-h,--help", texts.help, "print this help");
}

std::string main_help(const std::vector<FlagInfo>& globals) {
  return version_text() +
         "Finds and reads past conversations with coding agents on this machine.\n\n"
         "Usage: yore [COMMAND] [options]\n\nCommands:\n" +
         command_list() + "\nEverywhere:\n" + rows_text(rows_of(globals)) + "\nExamples:\n" +
         rows_text(rows_of(examples_of(""))) +
         "\n'yore COMMAND --help' tells more about one command.\n";
}

std::string command_help(const Command& command, const Options::State& own,
                         const Options::State& globals) {
  std::string out =
      fmt::format("yore {}: {}\n\nUsage: yore {}{}{} [options]\n", command.name, command.summary,
                  command.name, command.argument.empty() ? "" : " ", command.argument);
  if (!own.arguments.empty()) out += "\n" + rows_text(rows_of(own.arguments));
  if (!own.rows.empty()) out += "\nOptions:\n" + rows_text(rows_of(own.rows));
  out += "\nEverywhere:\n" + rows_text(rows_of(globals.rows));
  const std::span<const Example> examples = examples_of(command.name);
  if (!examples.empty()) out += "\nExamples:\n" + rows_text(rows_of(examples));
  return out;
}

bool has_word(const std::vector<std::string>& args, std::string_view word) {
  return std::find(args.begin(), std::find(args.begin(), args.end(), "--"), word) !=
         std::find(args.begin(), args.end(), "--");
}

std::string help_hint(const Command* command) {
  return command == nullptr ? "see: yore --help"
                            : fmt::format("see: yore {} --help", command->name);
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return std::string(text::closest(word, views));
}

// "-1" is a number.
bool looks_like_a_flag(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

Error unknown_word(const std::string& word, const Command* command,
                   const std::vector<std::string>& flags, bool takes_rest) {
  if (looks_like_a_flag(word)) {
    const std::string name = word.substr(0, word.find('='));
    const std::string close = suggestion(name, flags);
    Error error{Errc::invalid_argument, fmt::format("unknown flag '{}'", name), help_hint(command)};
    if (takes_rest) error.hint = "words that begin with - go behind --";
    if (!close.empty()) error.hint = fmt::format("did you mean {}?", close);
    return error;
  }
  if (command != nullptr) {
    return {Errc::invalid_argument,
            fmt::format("'{}' is one word too many for yore {}", word, command->name),
            help_hint(command)};
  }
  std::vector<std::string> names;
  for (const Command& each : commands()) names.emplace_back(each.name);
  const std::string close = suggestion(word, names);
  return {Errc::invalid_argument, fmt::format("unknown command '{}'", word),
          close.empty() ? help_hint(nullptr) : fmt::format("did you mean: yore {}", close)};
}

// Sentences in our words for what the parser found wrong.
Error usage_error(const CLI::ParseError& error, const Command* command) {
  const std::string what = error.what();
  const std::string name = what.substr(0, what.find(':'));
  if (error.get_name() == "RequiredError") {
    return {Errc::invalid_argument,
            fmt::format("{} is missing", command == nullptr ? name : command->argument),
            help_hint(command)};
  }
  if (error.get_name() == "ArgumentMismatch" && name.starts_with("-")) {
    return {Errc::invalid_argument, name + " needs a value", help_hint(command)};
  }
  return {Errc::invalid_argument, what, help_hint(command)};
}

// One parser per process run: the tree of options with the states that explain it.
struct Parser {
  CLI::App app{"yore", "yore"};
  Options::State globals_state;
  GlobalTexts texts;
  std::vector<std::unique_ptr<Options::State>> states;
  std::vector<Action> actions;

  // Only a command that is among the words can be meant: the options of the others are not made.
  Parser(Globals& globals, const std::vector<std::string>& args, bool all = false) {
    app.set_help_flag();
    app.require_subcommand(0, 1);
    globals_state.app = &app;
    Options global_options(globals_state);
    declare_globals(global_options, globals, texts);
    for (const Command& command : commands()) {
      CLI::App* sub = app.add_subcommand(std::string(command.name));
      sub->set_help_flag();
      sub->fallthrough();
      states.push_back(std::make_unique<Options::State>());
      states.back()->app = sub;
      Options options(*states.back());
      const bool named = all || std::ranges::find(args, command.name) != args.end();
      actions.push_back(named ? command.declare(options) : Action());
    }
  }

  [[nodiscard]] std::optional<std::size_t> chosen() const {
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i]->app->parsed()) return i;
    }
    return std::nullopt;
  }

  [[nodiscard]] const Command* command() const {
    const auto index = chosen();
    return index ? &commands()[*index] : nullptr;
  }

  // Has the command a use for words without a flag?
  [[nodiscard]] bool takes_rest() const {
    const auto index = chosen();
    return index && states[*index]->rest != nullptr;
  }

  // What is wrong with the words, if anything.
  std::optional<Error> read(const std::vector<std::string>& args) {
    try {
      app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
    } catch (const CLI::ExtrasError&) {
      return take_extras(app.remaining(true));
    } catch (const CLI::ParseError& error) {
      return usage_error(error, command());
    }
    return std::nullopt;
  }

  // REQUIRES: takes_rest()
  void add_to_rest(const std::vector<std::string>& words) const {
    for (const std::string& word : words) {
      if (!word.empty()) states[*chosen()]->rest(word);
    }
  }

 private:
  [[nodiscard]] std::vector<std::string> flags() const {
    std::vector<std::string> all = globals_state.flags;
    if (const auto index = chosen()) {
      all.insert(all.end(), states[*index]->flags.begin(), states[*index]->flags.end());
    }
    return all;
  }

  // The parsing library would read "[a,b]" as a list and forget "--" among many words, so the rest
  // is what it has no use for.
  std::optional<Error> take_extras(const std::vector<std::string>& words) const {
    if (!takes_rest()) {
      return unknown_word(words.empty() ? "" : words.front(), command(), flags(), false);
    }
    const auto flag = std::ranges::find_if(words, looks_like_a_flag);
    if (flag != words.end()) return unknown_word(*flag, command(), flags(), true);
    add_to_rest(words);
    return std::nullopt;
  }
};

// Project folders of Claude Code begin with a dash, and so do patterns for them; the parsing
// library would take such a word for flags. Behind `mcp`, where a PATTERN stands alone, it gets its
// flag.
std::vector<std::string> with_dashed_patterns(std::vector<std::string> args) {
  constexpr std::array<std::string_view, 3> kWithValue = {"--source", "--pattern", "--color"};
  bool is_mcp = false;
  bool is_value = false;
  for (std::string& word : args) {
    if (word == "--") break;
    const bool dashed = word.size() > 2 && word[0] == '-' && word[1] != '-';
    if (is_mcp && !is_value && dashed) word.insert(0, "--pattern=");
    is_mcp = is_mcp || (!is_value && word == "mcp");
    is_value = std::ranges::find(kWithValue, word) != kWithValue.end();
  }
  return args;
}

// A variable of a script that was never set must not widen what is meant, nor take the next flag
// for a value. An empty question has a sentence of its own.
std::optional<Error> nothing_given(const std::vector<std::string>& args) {
  constexpr std::string_view kHint = "leave it out, or say what is meant";
  const auto is_command = [](const std::string& word) {
    return std::ranges::find(commands(), word, &Command::name) != commands().end();
  };
  const auto command = std::ranges::find_if(args, is_command);
  const bool asks = command != args.end() && *command == "search";
  for (auto word = command; word != args.end() && *word != "--"; ++word) {
    const bool is_flag = word->starts_with("--") && word->ends_with('=');
    if (is_flag) {
      const std::string name = word->substr(0, word->size() - 1);
      return Error{Errc::invalid_argument, name + " needs a value", std::string(kHint)};
    }
    if (!word->empty()) continue;
    const std::string& before = *(word - 1);
    if (looks_like_a_flag(before)) {
      return Error{Errc::invalid_argument, "the word behind " + before + " is empty",
                   std::string(kHint)};
    }
    if (!asks) return Error{Errc::invalid_argument, "a word is empty", std::string(kHint)};
  }
  return std::nullopt;
}

}  // namespace

Result<Parsed> parse(const std::vector<std::string>& given) {
  const std::vector<std::string> args = with_dashed_patterns(given);
  if (const auto wrong = nothing_given(args)) return *wrong;
  Parsed parsed;
  const auto mark = std::ranges::find(args, "--");
  auto parser = std::make_unique<Parser>(parsed.globals, args);
  std::optional<Error> wrong = parser->read({args.begin(), mark});
  if (mark != args.end()) {
    if (parser->takes_rest()) {
      parser->add_to_rest({mark + 1, args.end()});
    } else {
      parsed.globals = {};
      parser = std::make_unique<Parser>(parsed.globals, args);
      wrong = parser->read(args);
    }
  }
  const auto index = parser->chosen();
  // Whoever asks for help has a reason to get the rest wrong.
  if (parser->texts.help || (wrong && has_word(args, "--help"))) {
    parsed.text =
        index ? command_help(commands()[*index], *parser->states[*index], parser->globals_state)
              : main_help(parser->globals_state.rows);
    return parsed;
  }
  if (wrong) return *wrong;
  if (parser->texts.version) {
    parsed.text = version_text();
    return parsed;
  }
  if (parser->texts.color == "always") parsed.globals.color = ColorMode::always;
  if (parser->texts.color == "never") parsed.globals.color = ColorMode::never;
  if (index) {
    parsed.command = &commands()[*index];
    parsed.action = std::move(parser->actions[*index]);
  }
  return parsed;
}

std::string FlagInfo::short_name() const {
  return names.starts_with("--") ? "" : names.substr(0, names.find(','));
}

std::string FlagInfo::long_name() const {
  const std::size_t begin = names.find("--");
  return begin == std::string::npos ? "" : names.substr(begin);
}

Catalogue catalogue() {
  Globals globals;
  const Parser parser(globals, {}, true);
  Catalogue all{parser.globals_state.rows, {}};
  for (std::size_t i = 0; i < commands().size(); ++i) {
    const Options::State& state = *parser.states[i];
    all.commands.push_back({&commands()[i], state.arguments, state.rows});
  }
  return all;
}

std::string command_list() {
  std::vector<HelpRow> rows;
  for (const Command& command : commands()) {
    std::string name(command.name);
    if (!command.argument.empty()) name += " " + std::string(command.argument);
    rows.push_back({std::move(name), std::string(command.summary)});
  }
  return rows_text(rows);
}

std::string version_text() {
  return "yore " YORE_VERSION "\n";
}

}  // namespace yore::cli
