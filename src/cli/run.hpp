// run.hpp — the whole command line: words in, text out, exit code back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"

namespace yore::cli {

// Runs one command line (without the program's name). Pure but for what Program leads to; `yore
// demo` calls it for each of its steps.
int run(const Program& program, const std::vector<std::string>& args);

// The same for a real process: its environment, terminal and streams. A reader that closes the
// pipe early ends the program quietly.
int run_process(int argc, char** argv, std::string_view samples_dir);

}  // namespace yore::cli
