#include "cli/examples.hpp"

#include <algorithm>
#include <array>

namespace yore::cli {
namespace {

struct Row {
  std::string_view command;
  Example example;
};

// Those of one command stand together.
constexpr std::array kExamples = {
    Row{"", {"yore search nginx 502", "what was said about it, best first"}},
    Row{"", {"yore list -p shop", "the sessions of a project, newest first"}},
    Row{"", {"yore show 1a2b3c4d", "read a session"}},
    Row{"search", {"yore search \"why does nginx answer 502?\"", "a question, as it comes"}},
    Row{"search", {"yore search '\"database is locked\"'", "these words, in this order"}},
    Row{"search", {"yore search retry -p shop --since 2w", "in a project, in the last two weeks"}},
    Row{"search",
        {"yore search --tool Bash -- docker -compose", "docker in commands, not compose"}},
    Row{"chunk", {"yore chunk a2ffd9f7", "the turn that a search named"}},
    Row{"chunk", {"yore chunk a2ffd9f7 -C 2 --focused", "it and its neighbours, in short"}},
    Row{"list", {"yore list --since yesterday", "what went on since yesterday"}},
    Row{"list", {"yore list -a codex -n 10", "the newest ten of an agent"}},
    Row{"show", {"yore show 1a2b3c4d", "the first turns of a session"}},
    Row{"show", {"yore show 1a2b3c4d --focused", "its prompts and conclusions"}},
    Row{"show", {"yore show 1a2b3c4d --turn 3 --unfold", "one turn, with all that tools printed"}},
    Row{"export", {"yore export 1a2b3c4d > session.md", "one session as Markdown"}},
    Row{"export", {"yore export 1a2b3c4d --format html -o .", "as a page, in this folder"}},
    Row{"export", {"yore export -p shop --since 30d -o shop", "a month of a project"}},
    Row{"resume", {"yore resume 1a2b3c4d --exec", "go on where the session ended"}},
    Row{"index", {"yore index --dry-run", "what would be read"}},
    Row{"forget", {"yore forget 1a2b3c4d", "remove a session for good"}},
    Row{"archive",
        {"yore archive --restore 1a2b3c4d --out FOLDER", "an original that its agent deleted"}},
    Row{"backup", {"yore backup ~/yore.backup", "what cannot be rebuilt, in one file"}},
    Row{"setup", {"yore setup", "which agents could be wired"}},
    Row{"mcp", {"yore mcp", "as an agent starts it; yore setup writes that"}},
    Row{"completions",
        {"yore completions bash > ~/.local/share/bash-completion/completions/yore", "for bash"}},
    Row{"completions",
        {"yore completions zsh > ~/.zfunc/_yore", "for zsh, where ~/.zfunc is in fpath"}},
    Row{"completions",
        {"yore completions fish > ~/.config/fish/completions/yore.fish", "for fish"}},
    Row{"man", {"yore man search | man -l -", "read a manual page"}},
    Row{"man", {"yore man --out ~/.local/share/man/man1", "have man find them all"}},
};

constexpr auto kLines = [] {
  std::array<Example, kExamples.size()> lines{};
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = kExamples[i].example;
  return lines;
}();

}  // namespace

std::span<const Example> examples_of(std::string_view command) {
  const auto first = std::ranges::find(kExamples, command, &Row::command);
  const auto last =
      std::find_if(first, kExamples.end(), [&](const Row& row) { return row.command != command; });
  return std::span(kLines).subspan(static_cast<std::size_t>(first - kExamples.begin()),
                                   static_cast<std::size_t>(last - first));
}

}  // namespace yore::cli
