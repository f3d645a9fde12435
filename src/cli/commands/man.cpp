// yore man: manual pages (mdoc), made of the same declarations as the help.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/examples.hpp"
#include "cli/screen/format.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

struct ManFlags {
  std::string command;
  std::string out;
};

// Text of its own line: what mdoc would take for its own stands behind a backslash.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '"') {
      out += "\\(dq";
    } else {
      out += c;
    }
  }
  return out;
}

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty() && ascii::is_lower(out.front())) {
    out.front() = static_cast<char>(out.front() - 'a' + 'A');
  }
  if (!out.ends_with('.')) out += '.';
  // Each sentence begins a line of its own.
  for (std::size_t at = 0; (at = out.find(". ", at)) != std::string::npos; ++at) {
    if (at + 2 < out.size() && ascii::is_upper(out[at + 2])) out[at + 1] = '\n';
  }
  // A line that begins with a dot would be a command.
  constexpr std::size_t kColumns = 76;
  std::string lines;
  for (const char c : text::wrap(escaped(out), kColumns, "") + "\n") {
    if (c == '.' && (lines.empty() || lines.ends_with('\n'))) lines += "\\&";
    lines += c;
  }
  return lines;
}

std::string date_of(Time time) {
  constexpr std::array<std::string_view, 12> kMonths = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
  return fmt::format("{} {}, {}", kMonths[static_cast<unsigned>(day.month()) - 1],
                     static_cast<unsigned>(day.day()), static_cast<int>(day.year()));
}

// "[SESSION...]" as "Op Ar SESSION ...".
std::string argument_macro(std::string_view word) {
  const bool optional = word.starts_with('[') && word.ends_with(']');
  if (optional) word = word.substr(1, word.size() - 2);
  const bool many = word.ends_with("...");
  if (many) word.remove_suffix(3);
  return fmt::format("{}Ar {}{}", optional ? "Op " : "", escaped(word), many ? " ..." : "");
}

std::string flag_item(const FlagInfo& flag) {
  std::string names;
  for (const std::string& name : {flag.short_name(), flag.long_name()}) {
    if (name.empty()) continue;
    if (!names.empty()) names += " , ";
    names += "Fl " + escaped(name.substr(1));
    if (name.starts_with("--") && !flag.value.empty()) names += " Ar " + escaped(flag.value);
  }
  return ".It " + names + "\n" + sentence(flag.help);
}

std::string flag_list(const std::vector<FlagInfo>& flags) {
  if (flags.empty()) return "";
  std::string out = ".Bl -tag -width Ds\n";
  for (const FlagInfo& flag : flags) out += flag_item(flag);
  return out + ".El\n";
}

std::string examples_text(std::string_view command) {
  const auto examples = examples_of(command);
  if (examples.empty()) return "";
  std::string out = ".Sh EXAMPLES\n";
  for (const Example& example : examples) {
    std::string meaning = sentence(example.meaning);
    meaning.replace(meaning.size() - 2, 2, ":\n");
    out += meaning + ".Pp\n.Dl " + escaped(example.line) + "\n";
    if (&example != &examples.back()) out += ".Pp\n";
  }
  return out;
}

std::string head(std::string_view title, std::string_view name, std::string_view about, Time now) {
  return fmt::format(".Dd {}\n.Dt {} 1\n.Os\n.Sh NAME\n.Nm {}\n.Nd {}\n", date_of(now), title, name,
                     escaped(about));
}

constexpr std::string_view kExitStatus =
    ".Sh EXIT STATUS\n"
    "0 found, 1 nothing found or unknown id, 2 wrong use, 3 something broken.\n";

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (ascii::is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

// The name of a command's page, and its file's without ".1".
std::string page_name(const CommandInfo& command) {
  return "yore-" + std::string(command.command->name);
}

std::string command_page(const Catalogue& all, const CommandInfo& info, Time now) {
  const Command& command = *info.command;
  std::string out = head(upper(page_name(info)), page_name(info), command.summary, now);
  out += fmt::format(".Sh SYNOPSIS\n.Nm yore {}\n", command.name);
  if (!command.argument.empty()) out += "." + argument_macro(command.argument) + "\n";
  out += ".Op Ar options\n.Sh DESCRIPTION\n" + sentence(command.summary);
  if (!info.arguments.empty()) {
    out += ".Bl -tag -width Ds\n";
    for (const ArgumentInfo& argument : info.arguments) {
      out += ".It " + argument_macro(argument.name) + "\n" + sentence(argument.help);
    }
    out += ".El\n";
  }
  if (!info.flags.empty()) out += ".Pp\nThe options are:\n" + flag_list(info.flags);
  out += ".Pp\nEverywhere:\n" + flag_list(all.everywhere);
  out += std::string(kExitStatus) + examples_text(command.name);
  return out + ".Sh SEE ALSO\n.Xr yore 1\n";
}

std::string main_page(const Catalogue& all, Time now) {
  std::string out =
      head("YORE", "yore", "past conversations with coding agents, found and read", now);
  out +=
      ".Sh SYNOPSIS\n.Nm\n.Op Ar command\n.Op Ar options\n.Sh DESCRIPTION\n"
      ".Nm\nfinds and reads past conversations with coding agents on this machine.\n"
      "Without a command it says what is there.\nThe commands are:\n.Bl -tag -width Ds\n";
  for (const CommandInfo& each : all.commands) {
    out += fmt::format(
        ".It Cm {}{}\n", each.command->name,
        each.command->argument.empty() ? "" : " " + argument_macro(each.command->argument));
    out += sentence(each.command->summary);
  }
  out += ".El\n.Pp\nEverywhere:\n" + flag_list(all.everywhere);
  out +=
      ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n"
      ".It Ev YORE_DATA_DIR\nWhere the index lies; as without it,\n.Pa ~/.local/share/yore .\n"
      ".It Ev PAGER\nShows long output on a terminal;\n.Cm cat\nmeans none.\n"
      ".It Ev NO_COLOR\nNo colours.\n"
      ".It Ev FORCE_HYPERLINK\n1: links in the text whatever the terminal; 0: none.\n.El\n"
      ".Sh FILES\n.Bl -tag -width Ds\n.It Pa ~/.config/yore/config.toml\nSettings.\n.El\n";
  out += std::string(kExitStatus) + examples_text("") + ".Sh SEE ALSO\n";
  std::vector<std::string> pages;
  for (const CommandInfo& each : all.commands) pages.push_back(page_name(each));
  std::ranges::sort(pages);
  for (const std::string& page : pages) {
    out += fmt::format(".Xr {} 1{}\n", page, &page == &pages.back() ? "" : " ,");
  }
  return out;
}

int write_pages(Context& context, const Catalogue& all, const std::string& out) {
  const std::string folder = absolute_path(expand_home(out, context.home()));
  if (Status made = make_directories(folder); !made) return context.fail(made.error());
  const auto put = [&](const std::string& name, std::string_view text) {
    return replace_file(path_join(folder, name + ".1"), text);
  };
  Status status = put("yore", main_page(all, context.world.now));
  for (const CommandInfo& each : all.commands) {
    if (status) status = put(page_name(each), command_page(all, each, context.world.now));
  }
  if (!status) return context.fail(status.error());
  context.note(fmt::format("{} in {}", plural(all.commands.size() + 1, "manual page"),
                           shown_path(folder, context.home())));
  return kFound;
}

int run_man(Context& context, const ManFlags& flags) {
  const Catalogue all = catalogue();
  if (!flags.out.empty()) return write_pages(context, all, flags.out);
  if (flags.command.empty()) {
    context.program.out(main_page(all, context.world.now));
    return kFound;
  }
  const auto info = std::ranges::find_if(
      all.commands, [&](const CommandInfo& each) { return each.command->name == flags.command; });
  if (info == all.commands.end()) {
    return context.fail({Errc::not_found, fmt::format("there is no command '{}'", flags.command),
                         "see: yore --help"});
  }
  context.program.out(command_page(all, *info, context.world.now));
  return kFound;
}

}  // namespace

Action declare_man(Options& options) {
  const auto flags = std::make_shared<ManFlags>();  // shared with the action that outlives us
  options.rest("COMMAND", flags->command, "the page of this command; without one, of yore");
  options.text("--out", "DIR", flags->out, "write all pages into this folder");
  return [flags](Context& context) { return run_man(context, *flags); };
}

}  // namespace yore::cli
