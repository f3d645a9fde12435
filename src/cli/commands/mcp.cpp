// yore mcp: the MCP server on standard input and output.
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/stop_signals.hpp"
#include "mcp/protocol/stdio_transport.hpp"
#include "mcp/server.hpp"
#include "mcp/tools/tool_backend.hpp"
#include "mcp/tools/tools.hpp"
#include "service/keeper.hpp"

namespace yore::cli {
namespace {

struct McpFlags {
  std::string pattern;
  std::uint32_t debounce_ms = static_cast<std::uint32_t>(service::KeeperOptions{}.debounce.count());
};

Result<config::Scope> make_scope(const Context& context, const McpFlags& flags) {
  config::Scope scope = context.scope;
  if (flags.pattern.empty()) return scope;
  // Project folders have no spaces in their names, so these were several words.
  if (scope.pattern || flags.pattern.find(' ') != std::string::npos) {
    return Error{Errc::invalid_argument, "there is more than one PATTERN",
                 "quote it, so that the shell leaves it alone: yore mcp '*-shop*'"};
  }
  scope.pattern = flags.pattern;
  return scope;
}

int run_mcp(Context& context, const McpFlags& flags) {
  const auto scope = make_scope(context, flags);
  if (!scope) return context.fail(scope.error());
  if (::isatty(STDIN_FILENO) != 0) {
    context.note("yore mcp is started by an agent and speaks MCP with it; Ctrl-D ends it.");
  }
  const auto out = mcp::claim_stdout();
  if (!out) return context.fail(out.error());

  mcp::ToolBackend::Options options;
  options.settings = context.settings;
  options.scope = *scope;
  options.log = [&context](std::string_view sentence) {
    context.note("yore: " + std::string(sentence));
  };
  mcp::ToolBackend recall(std::move(options));
  mcp::Server server({"yore", "Yore", YORE_VERSION, std::string(mcp::server_instructions())},
                     mcp::all_tools(recall));

  // The first answers need nothing of the index: it is opened by the first call, and followed by a
  // thread of the keeper. On the way out the last answers go first, then the keeper ends.
  const StopSignals stop;
  service::KeeperOptions keeping;
  keeping.debounce = std::chrono::milliseconds{flags.debounce_ms};
  service::Keeper keeper(context.world, context.settings, *scope, keeping);
  mcp::StdioTransport::Options pipes;
  pipes.stop_fd = stop.fd();
  mcp::StdioTransport transport(STDIN_FILENO, *out, pipes);
  keeper.start();
  return server.run(transport);
}

}  // namespace

Action declare_mcp(Options& options) {
  const auto flags = std::make_shared<McpFlags>();  // shared with the action that outlives us
  options.rest("PATTERN", flags->pattern,
               "answer only from Claude Code project folders of such a name, for example "
               "'-home-me-work-*'");
  options.number("--debounce", "MS", flags->debounce_ms, 0,
                 "milliseconds that a file must rest before it is read (20)");
  return [flags](Context& context) { return run_mcp(context, *flags); };
}

}  // namespace yore::cli
