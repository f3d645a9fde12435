#include "cli/commands.hpp"

#include <array>

namespace yore::cli {

std::span<const Command> commands() {
  static constexpr std::array kCommands = {
      Command{"search", "QUERY...", "find what was said, best first", declare_search},
      Command{"chunk", "ID", "one turn in full", declare_chunk},
      Command{"list", "[WORDS...]", "sessions, newest first", declare_list},
      Command{"show", "SESSION", "read a session", declare_show},
      Command{"export", "SESSION...", "conversations as Markdown, HTML, JSON or text",
              declare_export},
      Command{"projects", "", "projects with counts", declare_projects},
      Command{"resume", "SESSION", "print (or run) the agent's own resume command", declare_resume},
      Command{"recall", "[SESSION]", "what a session knew before it was compacted, for its model",
              declare_recall},
      Command{"handoff", "SESSION", "a briefing to go on elsewhere", declare_handoff},
      Command{"context", "QUERY...", "the best passages for a prompt, cited", declare_context},
      Command{"star", "[ID...]", "put a star on sessions and turns", declare_star},
      Command{"tag", "[ID NAME...]", "put tags on a session or a turn", declare_tag},
      Command{"name", "[ID WORDS...]", "give a session or a turn a name", declare_name},
      Command{"saved", "[NAME]", "answers kept with search --save", declare_saved},
      Command{"index", "", "bring the index up to date", declare_index},
      Command{"forget", "[SESSION...]", "remove conversations for good", declare_forget},
      Command{"archive", "[SESSION...]", "keep originals before their agent deletes them",
              declare_archive},
      Command{"backup", "FILE", "what cannot be rebuilt, in one file", declare_backup},
      Command{"stats", "", "activity, agents, projects, models, tools, tokens, cost",
              declare_stats},
      Command{"status", "", "what is indexed, how fresh, how big", declare_status},
      Command{"agents", "", "supported agents and what was found", declare_agents},
      Command{"doctor", "", "check the index and the transcripts", declare_doctor},
      Command{"embed", "TEXT", "print the vector of a text", declare_embed, false},
      Command{"mcp", "[PATTERN]", "MCP server on stdio: the agents' own memory", declare_mcp},
      Command{"setup", "[AGENT...]", "wire yore into the agents of this machine (--undo)",
              declare_setup},
      Command{"completions", "SHELL", "completions for bash, zsh or fish", declare_completions,
              false},
      Command{"man", "[COMMAND]", "the manual page, as man reads it", declare_man, false},
      Command{"demo", "", "try it on bundled samples, in a data directory of its own", declare_demo,
              false},
  };
  return kCommands;
}

}  // namespace yore::cli
