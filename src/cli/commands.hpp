// commands.hpp — one function per command: declares its options, gives back what runs it.
// Adding one: its file commands/<name>.cpp, a line here, a row in commands.cpp.
#pragma once

#include "cli/options.hpp"

namespace yore::cli {

Action declare_search(Options& options);
Action declare_chunk(Options& options);
Action declare_list(Options& options);
Action declare_show(Options& options);
Action declare_projects(Options& options);
Action declare_recall(Options& options);
Action declare_star(Options& options);
Action declare_tag(Options& options);
Action declare_name(Options& options);
Action declare_saved(Options& options);
Action declare_handoff(Options& options);
Action declare_context(Options& options);
Action declare_resume(Options& options);
Action declare_index(Options& options);
Action declare_status(Options& options);
Action declare_agents(Options& options);
Action declare_doctor(Options& options);
Action declare_forget(Options& options);
Action declare_archive(Options& options);
Action declare_backup(Options& options);
Action declare_export(Options& options);
Action declare_completions(Options& options);
Action declare_man(Options& options);
Action declare_embed(Options& options);
Action declare_mcp(Options& options);
Action declare_stats(Options& options);
Action declare_setup(Options& options);
Action declare_demo(Options& options);

// Bare `yore`: a short status and the commands.
int run_overview(Context& context);

}  // namespace yore::cli
