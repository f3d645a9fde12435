// yore doctor: what is wrong, and what to do about it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/screen/json_text.hpp"
#include "mcp/tools/tools.hpp"
#include "service/status_answer.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

using Level = service::Finding::Level;

std::string finding_text(const Context& context, const service::Finding& finding) {
  std::string mark = context.style(Paint::green, "✓");
  if (finding.level == Level::note) mark = context.style(Paint::yellow, "!");
  if (service::is_broken(finding)) mark = context.style(Paint::red, "✗");
  const std::string sentence = text::one_line(finding.area + ": " + finding.message);
  const std::string wrapped = text::wrap(sentence, context.columns(), "  ");
  std::string out = mark + " " + wrapped.substr(2) + "\n";
  std::string todo = text::one_line(finding.fix);
  if (finding.fixed) {
    todo = "fixed: " + todo;
  } else if (finding.fixable) {
    todo += " (yore doctor --fix does it)";
  }
  if (!todo.empty()) {
    out += context.style(Paint::dim, text::wrap("→ " + todo, context.columns(), "    ")) + "\n";
  }
  return out;
}

// What a session pays for having the tools at all.
service::Finding price_finding(const Context& context) {
  mcp::ToolBackend::Options options;
  options.settings = context.settings;
  mcp::ToolBackend recall(std::move(options));
  const mcp::Price price = mcp::price_of(mcp::all_tools(recall));
  const std::size_t bytes = price.tools_list + price.instructions;
  constexpr std::size_t kBytesOfAToken = 4;
  return {
      Level::ok,
      "mcp",
      fmt::format("the tools cost a session {} bytes, about {} tokens ({} for the list of tools, "
                  "{} for the instructions)",
                  text::with_commas(bytes), text::with_commas(bytes / kBytesOfAToken),
                  text::with_commas(price.tools_list), text::with_commas(price.instructions)),
      "",
      false,
      false};
}

int run_doctor(Context& context, bool fix) {
  auto findings = service::examine(context.world, context.settings, fix);
  if (!findings) return context.fail(findings.error());
  findings->push_back(price_finding(context));
  context.mask(*findings);
  const bool broken = std::ranges::any_of(*findings, service::is_broken);
  if (context.globals.json) {
    print_json(context, service::to_json(*findings));
  } else {
    std::string out;
    for (const service::Finding& finding : *findings) {
      if (context.globals.quiet && finding.level == Level::ok) continue;
      out += finding_text(context, finding);
    }
    context.print(out);
    if (!broken) context.note("Nothing is broken.");
  }
  return broken ? kBroken : kFound;
}

}  // namespace

Action declare_doctor(Options& options) {
  const auto fix = std::make_shared<bool>(false);  // shared with the action that outlives us
  options.flag("--fix", *fix, "mend what can be mended; transcripts are never touched");
  return [fix](Context& context) { return run_doctor(context, *fix); };
}

}  // namespace yore::cli
