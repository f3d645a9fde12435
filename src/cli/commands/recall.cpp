// yore recall: what a model is to be reminded of, as text for its prompt.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/json_text.hpp"
#include "search/recall.hpp"
#include "service/recall_text.hpp"

namespace yore::cli {
namespace {

struct RecallFlags {
  std::string session;
  bool since_compact = false;
  std::uint32_t max_chars = service::kRecallChars;
};

int run_recall(Context& context, const RecallFlags& flags) {
  if (!flags.since_compact) {
    return context.fail({Errc::invalid_argument,
                         "recall wants to know what: --since-compact gives back what a session "
                         "knew before its last compaction",
                         "yore recall --since-compact [SESSION]"});
  }
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  search::Reader& reader = fresh->reader;
  const auto session = flags.session.empty()
                           ? search::session_to_recall(reader, context.world, absolute_path("."))
                           : reader.find_session(flags.session);
  if (!session) return context.fail(session.error());
  const auto answer = search::recall_since_compact(reader, *session);
  if (!answer) return context.fail(answer.error());
  if (context.globals.json) {
    print_json(context, service::recall_json(*answer, flags.max_chars));
  } else {
    context.print(service::recall_text(*answer, flags.max_chars));
  }
  return kFound;
}

}  // namespace

Action declare_recall(Options& options) {
  const auto flags = std::make_shared<RecallFlags>();  // shared with the action that outlives us
  options.rest("SESSION", flags->session,
               "id of a session, or the start of one (the one that is running)");
  options.flag("--since-compact", flags->since_compact,
               "what the session knew before its last compaction");
  options.number("--max-chars", "N", flags->max_chars, service::kLeastRecallChars,
                 fmt::format("at most so many characters ({})", service::kRecallChars));
  return [flags](Context& context) { return run_recall(context, *flags); };
}

}  // namespace yore::cli
