// context.hpp — what a command is given: the world, the settings, the global flags, the two
// streams.
//
// Data goes to `out`, everything else to `err`. Nothing from a transcript may be passed to either
// without text/display.hpp, table.hpp or json_text.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/screen/terminal.hpp"
#include "config/settings.hpp"
#include "service/masking.hpp"

namespace yore::cli {

// Exit codes, fixed by contract.
inline constexpr int kFound = 0;
inline constexpr int kNothing = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kBroken = 3;
inline constexpr int kInterrupted = 130;

using Write = std::function<void(std::string_view)>;

// What the process is given; made once in run.cpp, by hand in tests, and again by `yore demo`.
struct Program {
  config::World world;
  std::vector<std::string> places_of_samples;  // looked at in this order
  Screen out_screen;
  Screen err_screen;
  std::function<std::string()> in;  // all that comes on standard input
  Write out;
  Write err;
  // Shows a long text through a pager and waits; false: there is none, print it.
  std::function<bool(std::string_view text)> page = [](std::string_view) { return false; };
  // The next line a person types; nullopt when standard input is no terminal.
  std::function<std::optional<std::string>()> typed_line = [] { return std::nullopt; };
};

// The flags that every command has.
struct Globals {
  bool json = false;
  bool quiet = false;
  bool reveal = false;
  bool no_pager = false;
  ColorMode color = ColorMode::automatic;
  std::vector<std::string> sources;
  std::string pattern;
};

class Context {
 public:
  Context(const Program& program, const Globals& globals);

  // Settings and scope; wrong --source texts are errors, folders that are not there only a warning.
  Status load();

  // Secrets that are left in the text are masked, here and in what follows: the last look. What is
  // cut or painted must have been masked before.
  void print(std::string_view text) const {
    printed_ = true;
    program.out(mask.text(text));
  }
  // The same for a text that may be longer than the terminal is high: through a pager then.
  void page(std::string_view text) const;
  // A sentence for people, on standard error; nothing with --quiet.
  void note(std::string_view sentence) const;
  // The error as a sentence and a hint (or as JSON on standard output); returns the exit code.
  int fail(const Error& given) const;

  [[nodiscard]] std::string home() const;
  // The name an agent's assistant goes by: "Claude". The agent's own name when it is unknown.
  [[nodiscard]] std::string speaker(std::string_view agent) const;
  [[nodiscard]] std::string display_name(std::string_view agent) const;
  // Are all of these agents known? Else the error names the first that is not, and those that are.
  [[nodiscard]] Status check_agents(const std::vector<std::string>& names) const;
  [[nodiscard]] std::size_t columns() const { return program.out_screen.columns; }

  const Program& program;
  const Globals& globals;
  const config::World& world;
  Style style;      // of standard output
  Style err_style;  // of standard error
  config::Settings settings;
  config::Scope scope;
  service::Masker mask;

  // Before anything was printed, a damaged store is no failure yet: it is mended, and the command
  // run again. What fail() was told then, and not said.
  bool mends = false;
  [[nodiscard]] const std::optional<Error>& damage() const { return damage_; }

 private:
  mutable bool printed_ = false;
  mutable std::optional<Error> damage_;
};

// Exit code of a failure.
int exit_code(Errc code);

}  // namespace yore::cli
