// options.hpp — the words after the command's name: declared once, parsed and explained from that.
//
// The only other file that knows the parsing library is options.cpp. Flags may stand before or
// after the command.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/context.hpp"

namespace yore::cli {

// Declares what one command understands. Targets must outlive the parsing.
class Options {
 public:
  struct State;
  explicit Options(State& state) : state_(state) {}

  // names: "-p,--project". value: how help calls what is expected, "NAME".
  void flag(std::string_view names, bool& target, std::string_view help);
  void text(std::string_view names, std::string_view value, std::string& target,
            std::string_view help);
  void texts(std::string_view names, std::string_view value, std::vector<std::string>& target,
             std::string_view help);  // repeatable, one value each
  void number(std::string_view names, std::string_view value, std::uint32_t& target,
              std::uint32_t least, std::string_view help);
  // The words that the flag declared last takes, for completions; checked by whoever reads them.
  void completes(std::span<const std::string_view> values);
  void choice(std::string_view names, std::string_view value, std::string& target,
              std::vector<std::string> allowed, std::string_view help);
  // A required word.
  void argument(std::string_view name, std::string& target, std::string_view help);
  // All words that belong to no flag, joined by one space; none is fine. Everything behind "--" is
  // such a word.
  void rest(std::string_view name, std::string& target, std::string_view help);
  // The same, each word by itself.
  void words(std::string_view name, std::vector<std::string>& target, std::string_view help);

 private:
  State& state_;
};

using Action = std::function<int(Context&)>;

// One row of the table in commands.cpp.
struct Command {
  std::string_view name;
  std::string_view argument;  // "SESSION", for the list of commands
  std::string_view summary;
  // Declares the options and gives back what runs the command with them.
  Action (*declare)(Options& options);
  bool needs_settings = true;
};

std::span<const Command> commands();

struct Parsed {
  Globals globals;
  const Command* command = nullptr;  // null: bare `yore`
  Action action;
  std::string text;  // of --help or --version: print it and be done
};

// What was declared, for help, manual pages and completions: all are made of it.
struct FlagInfo {
  std::string names;  // "-p,--project"
  std::string value;  // "TEXT"; "" when it takes none
  std::string help;
  std::vector<std::string> choices;              // values it can have; none: any
  [[nodiscard]] std::string short_name() const;  // "-p", or ""
  [[nodiscard]] std::string long_name() const;   // "--project"
};
struct ArgumentInfo {
  std::string name;  // "QUERY..."
  std::string help;
};
struct CommandInfo {
  const Command* command = nullptr;
  std::vector<ArgumentInfo> arguments;
  std::vector<FlagInfo> flags;
};
struct Catalogue {
  std::vector<FlagInfo> everywhere;
  std::vector<CommandInfo> commands;  // in the order of commands()
};
Catalogue catalogue();

// invalid_argument names the word that is wrong and hints at the closest right one.
Result<Parsed> parse(const std::vector<std::string>& args);

// "  index           bring the index up to date" for each command.
std::string command_list();
std::string version_text();

}  // namespace yore::cli
