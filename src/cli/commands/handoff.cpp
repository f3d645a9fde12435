// yore handoff: a session as a briefing for whoever goes on with it.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/json_text.hpp"
#include "search/session_id.hpp"
#include "service/handoff_text.hpp"
#include "text/shell.hpp"

namespace yore::cli {
namespace {

struct HandoffFlags {
  std::string session;
  std::string to;
  std::uint32_t tokens = service::kHandoffTokens;
};

// How an agent is started with a prompt, for the line that is shown beside the briefing.
struct Start {
  std::string_view agent;
  std::string_view command;
};
constexpr std::array kStarts = {
    Start{"claude-code", "claude"}, Start{"codex", "codex"}, Start{"gemini", "gemini -i"},
    Start{"qwen", "qwen -i"},       Start{"pi", "pi"},       Start{"opencode", "opencode --prompt"},
};

int run_handoff(Context& context, const HandoffFlags& flags) {
  if (!flags.to.empty()) {
    if (Status known = context.check_agents({flags.to}); !known) return context.fail(known.error());
  }
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  const auto session = fresh->reader.find_session(flags.session);
  if (!session) return context.fail(session.error());
  auto briefing = search::brief(fresh->reader, *session);
  if (!briefing) return context.fail(briefing.error());
  if (briefing->turns.empty()) {
    return context.fail({Errc::not_found, "Session " + session->uid + " has no turns", ""});
  }
  service::HandoffOptions options;
  options.tokens = flags.tokens;
  options.from = context.display_name(session->agent);
  if (!flags.to.empty()) options.to = context.display_name(flags.to);
  const auto handoff = service::handoff_of(std::move(*briefing), options, context.mask);
  if (context.globals.json) {
    print_json(context, service::handoff_json(*session, handoff));
    return kFound;
  }
  context.print(handoff.text);
  const auto start = std::ranges::find(kStarts, flags.to, &Start::agent);
  if (start != kStarts.end()) {
    const auto ids = fresh->reader.short_ids();
    const std::string id = ids ? ids->of(session->uid) : session->uid;
    context.note(fmt::format("To begin with it: {} \"$(yore handoff {} --to {})\"", start->command,
                             text::shell_quote(id), flags.to));
  }
  return kFound;
}

}  // namespace

Action declare_handoff(Options& options) {
  const auto flags = std::make_shared<HandoffFlags>();  // shared with the action that outlives us
  options.argument("SESSION", flags->session, "id of a session, or the start of one");
  options.text("--to", "AGENT", flags->to, "who goes on with it, as in yore agents");
  options.number("--tokens", "N", flags->tokens, service::kLeastHandoffTokens,
                 fmt::format("about so long at most ({})", service::kHandoffTokens));
  return [flags](Context& context) { return run_handoff(context, *flags); };
}

}  // namespace yore::cli
