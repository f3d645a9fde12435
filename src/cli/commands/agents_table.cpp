#include "cli/commands/agents_table.hpp"

#include <fmt/format.h>

#include "base/files/file.hpp"

namespace yore::cli {
namespace {

using transcript::Adapter;
using transcript::RootRule;

// As people write it.
std::string default_place(const RootRule& rule) {
  std::string_view base = rule.base;
  if (base == "~config") base = "~/.config";
  if (base == "~data") base = "~/.local/share";
  return path_join(base, rule.suffix);
}

std::string places(const Adapter& adapter) {
  std::string out;
  for (const RootRule& rule : adapter.roots) {
    if (!out.empty()) out += "; ";
    if (!rule.env.empty()) {
      out += fmt::format("`{}`, else ", path_join(fmt::format("${}", rule.env), rule.suffix));
    }
    out += fmt::format("`{}`", default_place(rule));
  }
  return out;
}

}  // namespace

std::string_view verified_words(transcript::Verified verified) {
  switch (verified) {
    case transcript::Verified::real:
      return "real files";
    case transcript::Verified::derived:
      return "derived files";
    case transcript::Verified::source:
      return "source only";
    case transcript::Verified::unsaid:
      break;
  }
  return "";
}

std::string agents_markdown(const transcript::AgentRegistry& agents) {
  std::string out =
      "| agent | name in yore | understands | checked with | looked for in |\n"
      "|---|---|---|---|---|\n";
  for (const Adapter& adapter : agents.all()) {
    out += fmt::format("| {} | `{}` | {} | {} | {} |\n", adapter.display_name, adapter.name,
                       adapter.formats, verified_words(adapter.verified), places(adapter));
  }
  return out;
}

}  // namespace yore::cli
