// yore show: read a session, or one turn of it.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/turn_text.hpp"
#include "search/session_id.hpp"
#include "text/display.hpp"
#include "text/shell.hpp"

namespace yore::cli {
namespace {

constexpr std::uint32_t kNoTurn = std::numeric_limits<std::uint32_t>::max();

struct ShowFlags {
  std::string session;
  std::uint32_t turn = kNoTurn;
  std::uint32_t offset = 0;
  std::uint32_t limit = search::kTurnsRead;
  Reading reading;
};

turns::Detail detail_for(const Context& context, const ShowFlags& flags) {
  return context.globals.json ? turns::Detail::sides : flags.reading.detail(context);
}

int show_turn(Context& context, search::Reader& reader, const store::SessionRow& session,
              const ShowFlags& flags) {
  const std::uint32_t number = flags.turn;
  auto answer = reader.read(session, number, 1, detail_for(context, flags));
  if (!answer) return context.fail(answer.error());
  context.mask(*answer);
  if (answer->turns.empty() || answer->turns.front().number != number) {
    return context.fail({Errc::not_found, fmt::format("Turn {} out of range (session has {} turns)",
                                                      number, answer->total_turns)});
  }
  const turns::WholeTurn& turn = answer->turns.front();
  if (context.globals.json) {
    print_json(context, service::to_json(turn, answer->session.uid, answer->source_missing));
  } else {
    context.page(turn_text(context, turn, session.agent, flags.reading, true,
                           marks_of(*answer, turn.number)));
  }
  return kFound;
}

std::string page_note(search::Reader& reader, const search::ReadAnswer& answer,
                      const ShowFlags& flags) {
  const std::uint64_t next = search::next_offset(answer, flags.offset);
  std::string note =
      fmt::format("turns {}–{} of {}", flags.offset, next - 1, count(answer.total_turns));
  if (next >= answer.total_turns) return note;
  const auto ids = reader.short_ids();
  const std::string& uid = answer.session.uid;
  const std::string id = text::one_line(ids ? ids->of(uid) : uid);
  note += fmt::format(", next: yore show {} --offset {}", text::shell_quote(id), next);
  if (flags.limit != ShowFlags{}.limit) note += fmt::format(" --limit {}", flags.limit);
  return note;
}

int show_page(Context& context, search::Reader& reader, const store::SessionRow& session,
              const ShowFlags& flags) {
  auto answer = reader.read(session, flags.offset, flags.limit, detail_for(context, flags));
  if (!answer) return context.fail(answer.error());
  context.mask(*answer);
  const bool beyond = answer->turns.empty() && flags.offset > 0;
  if (context.globals.json) {
    print_json(context, service::to_json(*answer, flags.offset, flags.limit));
    return beyond ? kNothing : kFound;
  }
  std::string out = session_header(context, *answer);
  for (const turns::WholeTurn& turn : answer->turns) {
    out += '\n';
    out += turn_text(context, turn, session.agent, flags.reading, false,
                     marks_of(*answer, turn.number));
  }
  context.page(out);
  if (beyond) {
    context.note(fmt::format("No turns from {} on (session has {} turns).", flags.offset,
                             answer->total_turns));
    return kNothing;
  }
  if (answer->turns.empty()) {
    context.note("This session has no turns.");
  } else if (flags.offset > 0 || answer->turns.size() < answer->total_turns) {
    context.note(page_note(reader, *answer, flags));
  }
  return kFound;
}

int run_show(Context& context, const ShowFlags& flags) {
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  const auto session = fresh->reader.find_session(flags.session);
  if (!session) return context.fail(session.error());
  if (flags.turn != kNoTurn) return show_turn(context, fresh->reader, *session, flags);
  return show_page(context, fresh->reader, *session, flags);
}

}  // namespace

Action declare_show(Options& options) {
  const auto flags = std::make_shared<ShowFlags>();  // shared with the action that outlives us
  options.argument("SESSION", flags->session, "id of a session, or the start of one");
  options.number("--turn", "N", flags->turn, 0, "only this turn; the first is 0");
  options.number("--offset", "N", flags->offset, 0, "begin with this turn");
  options.number("--limit", "N", flags->limit, 1,
                 fmt::format("at most so many turns ({})", search::kTurnsRead));
  declare_reading(options, flags->reading);
  return [flags](Context& context) { return run_show(context, *flags); };
}

}  // namespace yore::cli
