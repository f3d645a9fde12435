// turn_text.hpp — turns and sessions as people read them on a terminal.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "cli/context.hpp"
#include "cli/options.hpp"
#include "search/reader.hpp"

namespace yore::cli {

// "Bash git status", "Write /x (1,234 chars)": one call, on one line, from its JSON rendering.
std::string tool_line(const std::string& rendering);

inline constexpr std::size_t kAllTools = std::numeric_limits<std::size_t>::max();

// "── turn 3 · 2026-02-10 08:19 ──", the prompt, the answer, the tools; ends with a newline. Of the
// tools at most `max_tools` are listed, with a count of the rest.
std::string turn_text(const Context& context, const turns::WholeTurn& turn, std::string_view agent,
                      std::size_t max_tools);

// How a turn is drawn where Markdown, code and tools are: on a terminal.
struct Reading {
  bool focused = false;  // prompts and conclusions
  bool unfold = false;   // what tools printed, whole
  // Is it drawn so, or plainly as above?
  [[nodiscard]] bool drawn(const Context& context) const;
  // How much of a turn that needs to be read.
  [[nodiscard]] turns::Detail detail(const Context& context) const;
};
// The words of these for help, in one place.
void declare_reading(Options& options, Reading& reading);

// `alone`: the turn was asked for by itself, so that more of it is shown. `marks`: those that
// people put on it.
std::string turn_text(const Context& context, const turns::WholeTurn& turn, std::string_view agent,
                      const Reading& reading, bool alone, const store::MarksOn& marks = {});
// Of a turn that was read with others; none: it has none.
store::MarksOn marks_of(const search::ReadAnswer& answer, turns::TurnNumber number);

// Title, id, agent, project and so on, a line each.
std::string session_header(const Context& context, const search::ReadAnswer& answer);

}  // namespace yore::cli
