// turn_text.hpp — turns and sessions as people read them on a terminal.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "cli/context.hpp"
#include "search/reader.hpp"

namespace yore::cli {

// "Bash git status", "Write /x (1,234 chars)": one call, on one line, from its JSON rendering.
std::string tool_line(const std::string& rendering);

inline constexpr std::size_t kAllTools = std::numeric_limits<std::size_t>::max();

// "── turn 3 · 2026-02-10 08:19 ──", the prompt, the answer, the tools; ends with a newline. Of the
// tools at most `max_tools` are listed, with a count of the rest.
std::string turn_text(const Context& context, const turns::WholeTurn& turn, std::string_view agent,
                      std::size_t max_tools);

// Title, id, agent, project and so on, a line each.
std::string session_header(const Context& context, const search::ReadAnswer& answer);

}  // namespace yore::cli
