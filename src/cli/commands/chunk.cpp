// yore chunk: one turn in full, by the id that a search shows.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/turn_text.hpp"
#include "search/reader.hpp"
#include "search/session_id.hpp"
#include "service/search_answers.hpp"
#include "text/display.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

struct ChunkFlags {
  std::string id;
  std::uint32_t context = 0;
  bool no_refresh = false;
  Reading reading;
};

// An id that names no turn may name a session.
Error with_hint(const Context& context, Error error, const std::string& id) {
  if (error.code != Errc::not_found || !error.hint.empty()) return error;
  auto reader = search::Reader::open(context.world, context.settings, context.scope);
  if (!reader) return error;
  const auto session = reader->find_session(id);
  if (session || session.error().code == Errc::ambiguous) {
    error.hint = "that is a session: yore show " + text::shell_quote(id);
  }
  return error;
}

std::string chunk_text(const Context& context, const search::ChunkAnswer& answer,
                       const Reading& reading) {
  search::ReadAnswer header;
  header.session = answer.session;
  header.total_turns = answer.session.facts.turn_count;
  header.source_missing = answer.source_missing;
  header.superseded = answer.superseded;
  std::string out = session_header(context, header);
  for (const turns::WholeTurn& turn : answer.turns) {
    const bool asked_for = turn.number == answer.turn_number;
    out += '\n';
    out += turn_text(context, turn, answer.session.agent, reading, asked_for,
                     asked_for ? answer.marks : store::MarksOn{});
  }
  return out;
}

int run_chunk(Context& context, const ChunkFlags& flags) {
  using Refresh = OpenIndex::Refresh;
  auto index = OpenIndex::open(context, flags.no_refresh ? Refresh::none : Refresh::quick);
  if (!index) return context.fail(index.error());
  for (const std::string& note : index->freshness().notes) context.note(note);
  const auto answer =
      index->chunk(text::trim(flags.id), flags.context,
                   context.globals.json ? turns::Detail::sides : flags.reading.detail(context));
  if (!answer) return context.fail(with_hint(context, answer.error(), flags.id));
  if (context.globals.json) {
    print_json(context, service::to_json(*answer));
    return kFound;
  }
  context.page(chunk_text(context, *answer, flags.reading));
  auto reader = index->reader();
  if (!reader) return context.fail(reader.error());
  const auto ids = reader->short_ids();
  if (!ids) return context.fail(ids.error());
  const std::string session = text::one_line(ids->of(answer->session.uid));
  context.note(fmt::format("the session: yore show {}", text::shell_quote(session)));
  return kFound;
}

}  // namespace

Action declare_chunk(Options& options) {
  const auto flags = std::make_shared<ChunkFlags>();  // shared with the action that outlives us
  options.argument("ID", flags->id, "id of a turn as yore search shows it, or the start of one");
  options.number("-C,--context", "N", flags->context, 0, "show N turns around it");
  options.flag("--no-refresh", flags->no_refresh, "read the index as it is");
  declare_reading(options, flags->reading);
  return [flags](Context& context) { return run_chunk(context, *flags); };
}

}  // namespace yore::cli
