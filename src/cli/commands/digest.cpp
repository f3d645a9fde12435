// yore context: the best passages for a question, as text for a prompt.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/search_notes.hpp"
#include "cli/search_flags.hpp"
#include "service/context_text.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

struct ContextFlags : SearchFlags {
  std::uint32_t tokens = service::kContextTokens;
};

int run_context(Context& context, const ContextFlags& flags) {
  auto request = make_request(context, flags);
  if (!request) return context.fail(request.error());
  request->limit = service::hits_for(flags.tokens);
  auto index = OpenIndex::open(context, OpenIndex::Refresh::quick);
  if (!index) return context.fail(index.error());
  const auto answer = index->search(*request);
  if (!answer) return context.fail(answer.error());
  const service::ContextDigest digest = service::context_digest(*answer, flags.tokens);
  if (context.globals.json) {
    print_json(context, service::context_json(*answer, digest));
  } else {
    context.print(digest.text);
    if (digest.cited.empty()) {
      context.note("Nothing clearly relevant was found: yore search shows what comes closest.");
    }
  }
  index->tidy_up();
  return digest.cited.empty() ? kNothing : kFound;
}

}  // namespace

Action declare_context(Options& options) {
  const auto flags = std::make_shared<ContextFlags>();  // shared with the action that outlives us
  options.rest("QUERY...", flags->query, "as for yore search: words, a question, an error message");
  options.number("--tokens", "N", flags->tokens, service::kLeastContextTokens,
                 fmt::format("about so long at most ({})", service::kContextTokens));
  declare_filters(options, *flags);
  options.text("--mode", "MODE", flags->mode,
               fmt::format("{}", fmt::join(search::kModeNames, ", ")));
  return [flags](Context& context) { return run_context(context, *flags); };
}

}  // namespace yore::cli
