// yore completions: what bash, zsh and fish need to complete commands, flags and their values; made
// of the same declarations as the help.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/commands.hpp"

namespace yore::cli {
namespace {

// What a value is, by the name that help gives it; anything else is free text.
enum class ValueKind : std::uint8_t { none, text, file, folder };

ValueKind kind_of(const FlagInfo& flag) {
  if (flag.value.empty()) return ValueKind::none;
  if (flag.value == "DIR") return ValueKind::folder;
  if (flag.value == "FILE" || flag.value == "PATH") return ValueKind::file;
  return ValueKind::text;
}

bool takes_files(const CommandInfo& command) {
  return std::ranges::any_of(command.arguments, [](const ArgumentInfo& argument) {
    return argument.name.starts_with("FILE") || argument.name.starts_with("PATH");
  });
}

// All of a command, its own first.
std::vector<FlagInfo> flags_of(const Catalogue& all, const CommandInfo& command) {
  std::vector<FlagInfo> flags = command.flags;
  flags.insert(flags.end(), all.everywhere.begin(), all.everywhere.end());
  return flags;
}

std::vector<std::string> names_of(const FlagInfo& flag) {
  std::vector<std::string> names;
  for (std::string name : {flag.short_name(), flag.long_name()}) {
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

// Up to the first sign that a list of choices or a second thought begins.
std::string short_help(std::string_view help) {
  return std::string(help.substr(0, std::min({help.find(';'), help.find(" ("), help.size()})));
}

std::string_view positional_words(const Command& command) {
  return command.name == "completions" ? "bash zsh fish" : "";
}

// The words behind a flag: "a|b) …" of a case.
std::string bash_values(const std::vector<FlagInfo>& flags, std::string_view indent) {
  std::string out;
  for (const FlagInfo& flag : flags) {
    const ValueKind kind = kind_of(flag);
    if (kind == ValueKind::none) continue;
    std::string reply = "COMPREPLY=()";
    if (!flag.choices.empty()) {
      reply =
          fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(flag.choices, " "));
    } else if (kind == ValueKind::folder) {
      reply = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"))";
    } else if (kind == ValueKind::file) {
      reply = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))";
    }
    out += fmt::format("{}{}) {}; return ;;\n", indent, fmt::join(names_of(flag), "|"), reply);
  }
  return out;
}

std::string bash_text(const Catalogue& all) {
  std::vector<std::string_view> commands;
  for (const CommandInfo& each : all.commands) commands.push_back(each.command->name);
  std::vector<std::string> globals;
  for (const FlagInfo& flag : all.everywhere)
    std::ranges::copy(names_of(flag), std::back_inserter(globals));
  std::string out = fmt::format(
      R"(# bash completion for yore; made by: yore completions bash
_yore() {{
  local cur prev command i
  cur=${{COMP_WORDS[COMP_CWORD]}}
  prev=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  command=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in
      {}) command=${{COMP_WORDS[i]}}; break ;;
      --) return ;;
    esac
  done
  case "$prev" in
{}  esac
  case "$command" in
)",
      fmt::join(commands, "|"), bash_values(all.everywhere, "    "));
  for (const CommandInfo& each : all.commands) {
    std::vector<std::string> names;
    for (const FlagInfo& flag : flags_of(all, each))
      std::ranges::copy(names_of(flag), std::back_inserter(names));
    out += fmt::format("    {})\n", each.command->name);
    if (const std::string values = bash_values(each.flags, "        "); !values.empty()) {
      out += fmt::format("      case \"$prev\" in\n{}      esac\n", values);
    }
    out += fmt::format(
        "      [[ $cur == -* ]] && COMPREPLY=($(compgen -W '{}' -- \"$cur\")) && return\n",
        fmt::join(names, " "));
    if (takes_files(each)) {
      out += "      compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))\n";
    }
    if (const auto words = positional_words(*each.command); !words.empty()) {
      out += fmt::format("      COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n", words);
    }
    out += "      ;;\n";
  }
  return out + fmt::format(
                   R"(    *)
      if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W '{}' -- "$cur"))
      else
        COMPREPLY=($(compgen -W '{}' -- "$cur"))
      fi
      ;;
  esac
}}
complete -F _yore yore
)",
                   fmt::join(globals, " "), fmt::join(commands, " "));
}

// Inside of '…' of zsh's _arguments: what has a meaning there stands behind a backslash.
std::string zsh_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_flag(const FlagInfo& flag) {
  std::string value;
  const std::string what = zsh_escaped(flag.value);
  if (!flag.choices.empty()) {
    value = fmt::format(":{}:({})", what, fmt::join(flag.choices, " "));
  } else if (kind_of(flag) == ValueKind::folder) {
    value = fmt::format(":{}:_files -/", what);
  } else if (kind_of(flag) == ValueKind::file) {
    value = fmt::format(":{}:_files", what);
  } else if (kind_of(flag) == ValueKind::text) {
    value = fmt::format(":{}:", what);
  }
  std::string out;
  for (const std::string& name : names_of(flag)) {
    out += fmt::format(" \\\n        '*{}[{}]{}'", name, zsh_escaped(short_help(flag.help)), value);
  }
  return out;
}

std::string zsh_text(const Catalogue& all) {
  std::string out =
      "#compdef yore\n# zsh completion for yore; made by: yore completions zsh\n"
      "_yore() {\n  local curcontext=\"$curcontext\" state line ret=1\n  local -a commands\n"
      "  commands=(\n";
  for (const CommandInfo& each : all.commands) {
    out += fmt::format("    '{}:{}'\n", each.command->name, zsh_escaped(each.command->summary));
  }
  out += "  )\n  _arguments -C";
  for (const FlagInfo& flag : all.everywhere) out += zsh_flag(flag);
  out +=
      " \\\n        '1: :->command' \\\n        '*:: :->rest' && ret=0\n"
      "  case $state in\n    command) _describe -t commands command commands && ret=0 ;;\n"
      "    rest)\n      case $words[1] in\n";
  for (const CommandInfo& each : all.commands) {
    out += fmt::format("      {})\n        _arguments", each.command->name);
    for (const FlagInfo& flag : flags_of(all, each)) out += zsh_flag(flag);
    const auto words = positional_words(*each.command);
    const std::string rest = takes_files(each) ? "_files"
                             : words.empty()   ? ""
                                               : fmt::format("({})", words);
    out += fmt::format(" \\\n        '*: :{}' && ret=0\n        ;;\n", rest);
  }
  return out +
         "      esac\n      ;;\n  esac\n  return ret\n}\n"
         "if [[ $funcstack[1] == _yore ]]; then _yore \"$@\"; else compdef _yore yore; fi\n";
}

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_flag(const FlagInfo& flag, std::string_view when) {
  std::string out = "complete -c yore" + std::string(when);
  if (const std::string name = flag.short_name(); !name.empty()) out += " -s " + name.substr(1);
  if (const std::string name = flag.long_name(); !name.empty()) out += " -l " + name.substr(2);
  const ValueKind kind = kind_of(flag);
  if (!flag.choices.empty()) {
    out += fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
  } else if (kind == ValueKind::folder) {
    out += " -x -a '(__fish_complete_directories)'";
  } else if (kind == ValueKind::file) {
    out += " -r -F";
  } else if (kind == ValueKind::text) {
    out += " -x";
  }
  return out + " -d " + fish_quoted(short_help(flag.help)) + "\n";
}

std::string fish_text(const Catalogue& all) {
  std::string out =
      "# fish completion for yore; made by: yore completions fish\ncomplete -c yore -f\n";
  for (const FlagInfo& flag : all.everywhere) out += fish_flag(flag, "");
  for (const CommandInfo& each : all.commands) {
    out += fmt::format("complete -c yore -n __fish_use_subcommand -a {} -d {}\n",
                       each.command->name, fish_quoted(each.command->summary));
  }
  for (const CommandInfo& each : all.commands) {
    const std::string when =
        fmt::format(" -n '__fish_seen_subcommand_from {}'", each.command->name);
    for (const FlagInfo& flag : each.flags) out += fish_flag(flag, when);
    if (takes_files(each)) out += fmt::format("complete -c yore{} -F\n", when);
    if (const auto words = positional_words(*each.command); !words.empty()) {
      out += fmt::format("complete -c yore{} -a '{}'\n", when, words);
    }
  }
  return out;
}

struct Shell {
  std::string_view name;
  std::string (*text)(const Catalogue& all);
};
constexpr std::array kShells = {Shell{"bash", bash_text}, Shell{"zsh", zsh_text},
                                Shell{"fish", fish_text}};

int run_completions(Context& context, const std::string& name) {
  const auto* const shell = std::ranges::find(kShells, name, &Shell::name);
  if (shell == kShells.end()) {
    return context.fail({Errc::invalid_argument,
                         fmt::format("there are no completions for '{}'", name),
                         "one of bash, zsh, fish"});
  }
  context.program.out(shell->text(catalogue()));
  return kFound;
}

}  // namespace

Action declare_completions(Options& options) {
  const auto name = std::make_shared<std::string>();  // shared with the action that outlives us
  options.argument("SHELL", *name, "bash, zsh or fish");
  return [name](Context& context) { return run_completions(context, *name); };
}

}  // namespace yore::cli
