// yore star, yore tag, yore name: marks on sessions and turns.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.hpp"
#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/table.hpp"
#include "search/session_id.hpp"
#include "text/display.hpp"
#include "turns/chunk_id.hpp"

namespace yore::cli {
namespace {

using service::Json;
using store::Mark;
using store::MarkKind;
using store::Marks;
using store::MarkSubject;

constexpr std::uint32_t kWholeSession = UINT32_MAX;
constexpr std::size_t kLeastChunkDigits = 4;

struct MarkFlags {
  std::vector<std::string> words;
  std::uint32_t turn = kWholeSession;
  bool remove = false;
};

// What one kind of mark is called, and which of its words are ids.
struct MarkCommand {
  MarkKind kind;
  std::string_view word;     // "star"
  std::string_view heading;  // of a column
  std::string_view put;      // "Starred"
  std::string_view taken;    // "No longer starred"
  std::string_view nothing;  // a list of none
};
constexpr MarkCommand kStar{MarkKind::star,
                            "star",
                            "",
                            "Starred",
                            "No longer starred",
                            "Nothing is starred yet: yore star ID."};
constexpr MarkCommand kTag{MarkKind::tag,
                           "tag",
                           "TAG",
                           "Tagged",
                           "No longer tagged",
                           "Nothing is tagged yet: yore tag ID NAME."};
constexpr MarkCommand kName{MarkKind::name,
                            "name",
                            "NAME",
                            "Named",
                            "No longer named",
                            "Nothing has a name yet: yore name ID WORDS."};

// A session, or a turn of one.
struct Subject {
  MarkSubject mark;
  store::SessionRow session;
  std::optional<std::uint32_t> turn;
};

Result<Subject> turn_of_session(search::Reader& reader, store::SessionRow session,
                                std::uint32_t number) {
  const auto turn = reader.store().turn(session.id, number);
  if (!turn) return turn.error();
  if (!*turn || (*turn)->forgotten) {
    return Error{Errc::not_found, fmt::format("Turn {} out of range (session has {} turns)", number,
                                              session.facts.turn_count)};
  }
  Subject subject;
  subject.mark = {std::string(search::edition_base(session.uid)), (*turn)->origin,
                  turns::chunk_of(**turn, session.uid)};
  subject.turn = number;
  subject.session = std::move(session);
  return subject;
}

bool may_be_chunk(std::string_view id) {
  return id.size() >= kLeastChunkDigits && std::ranges::all_of(id, ascii::is_lower_hex);
}

// The session or the turn that an id means: a session's id or name, or a chunk.
Result<Subject> find_subject(OpenIndex& index, search::Reader& reader, std::string_view id,
                             std::uint32_t turn) {
  auto session = reader.find_session(id);
  if (turn != kWholeSession) {
    if (!session) return session.error();
    return turn_of_session(reader, std::move(*session), turn);
  }
  std::optional<search::ChunkAnswer> chunk;
  if (may_be_chunk(id) && (!session || session->uid != id)) {
    auto found = index.chunk(id, 0);
    if (!found && found.error().code != Errc::not_found) return found.error();
    if (found) chunk = std::move(*found);
  }
  if (session && chunk) {
    return Error{Errc::ambiguous, fmt::format("'{}' names a session and a turn", id),
                 fmt::format("{}\n{}", session->uid, chunk->chunk_id)};
  }
  Subject subject;
  if (chunk) {
    subject.mark = {std::string(search::edition_base(chunk->session.uid)), chunk->origin,
                    chunk->chunk};
    subject.session = std::move(chunk->session);
    subject.turn = chunk->turn_number;
    return subject;
  }
  if (!session && session.error().code == Errc::not_found) {
    return Error{Errc::not_found, fmt::format("Unknown id: {}", id),
                 "the id of a session (yore list) or of a turn (yore search)"};
  }
  if (!session) return session.error();
  subject.mark.session = search::edition_base(session->uid);
  subject.session = std::move(*session);
  return subject;
}

// What is shown of a subject: the name of its session, or what was asked in the turn.
std::string title_of(const Context& context, search::Reader& reader,
                     const store::SessionRow& session, std::optional<std::uint32_t> turn) {
  std::string title = session.title.empty() ? session.facts.first_prompt : session.title;
  if (turn) {
    auto read = reader.read(session, *turn, 1);
    if (read && !read->turns.empty() && !read->turns.front().user_text.empty()) {
      title = read->turns.front().user_text;
    }
  }
  context.mask(title);
  return title.empty() ? "(no title)" : title;
}

Json json_of(const Context& context, search::Reader& reader, const Mark& mark,
             const store::SessionRow* session, std::optional<std::uint32_t> turn) {
  constexpr std::array<std::string_view, 3> kKinds = {"star", "tag", "name"};
  Json json = {{"kind", kKinds[static_cast<std::size_t>(mark.kind)]}};
  if (mark.kind != MarkKind::star) json["text"] = context.mask.text(mark.text);
  json["session_id"] = session != nullptr ? session->uid : mark.on.session;
  if (turn) json["turn_number"] = *turn;
  if (mark.on.is_turn()) json["chunk_id"] = turns::chunk_text(mark.on.chunk);
  json["made"] = format_iso8601(mark.made);
  if (session == nullptr) {
    json["missing"] = true;
    return json;
  }
  json["project"] = context.mask.text(session->project);
  json["title"] = title_of(context, reader, *session, turn);
  return json;
}

// All marks of a kind, of one text or of any.
int list_marks(Context& context, search::Reader& reader, const MarkCommand& command,
               const std::string& text) {
  const auto marks = reader.marks();
  if (!marks) return context.fail(marks.error());
  const auto ids = reader.short_ids();
  if (!ids) return context.fail(ids.error());
  Table table({{std::string(command.heading), false, Paint::yellow, 24, 0},
               {"ID", false, Paint::cyan, 40, 0},
               {"AGE", true, Paint::dim, 6, 0},
               {"PROJECT", false, Paint::green, 20, 60},
               {"TITLE", false, Paint::plain, 1000, 0}});
  Json all = Json::array();
  for (const Mark& mark : marks->all()) {
    const bool wanted = mark.kind == command.kind && (text.empty() || mark.text == text);
    if (!wanted) continue;
    const auto place = reader.find_marked(mark.on);
    if (!place) return context.fail(place.error());
    const store::SessionRow* session = *place ? &(*place)->session : nullptr;
    std::optional<std::uint32_t> turn;
    if (*place && (*place)->turn) turn = (*place)->turn->number;
    all.push_back(json_of(context, reader, mark, session, turn));
    if (context.globals.json) continue;
    const Time time = turn ? (*place)->turn->last_time
                           : (session != nullptr ? session->facts.last_time : kNoTime);
    const std::string id =
        mark.on.is_turn() ? turns::chunk_text(mark.on.chunk) : ids->of(mark.on.session);
    table.add(
        {mark.kind == MarkKind::star ? "★" : context.mask.text(mark.text), id,
         short_age(time, context.world.now),
         session != nullptr ? context.mask.text(session->project) : "",
         session != nullptr ? title_of(context, reader, *session, turn) : "(not in the index)"});
  }
  if (context.globals.json) {
    print_json(context, Json{{"marks", std::move(all)}});
    return kFound;
  }
  if (all.empty()) {
    context.note(command.nothing);
    return kFound;
  }
  context.print(table.render(context.columns(), context.style));
  return kFound;
}

// The marks that the words put on or take off, and what they are on.
struct MarkChange {
  std::vector<Subject> subjects;
  std::vector<std::string> texts;  // one of them for each mark on a subject; "" for a star
};

Result<MarkChange> change_of(const MarkCommand& command, const MarkFlags& flags, OpenIndex& index,
                             search::Reader& reader) {
  MarkChange change;
  std::vector<std::string> ids = flags.words;
  if (command.kind == MarkKind::star) {
    change.texts = {""};
  } else {
    ids.resize(1);
    change.texts.assign(flags.words.begin() + 1, flags.words.end());
  }
  if (command.kind == MarkKind::name && !change.texts.empty()) {
    change.texts = {fmt::format("{}", fmt::join(change.texts, " "))};
  }
  if (change.texts.empty()) change.texts = {""};  // with --remove: all of them
  for (const std::string& text : change.texts) {
    if (text.empty() && flags.remove) continue;
    if (Status sound = store::check_mark(command.kind, text); !sound) return sound.error();
  }
  for (const std::string& id : ids) {
    auto subject = find_subject(index, reader, id, flags.turn);
    if (!subject) return subject.error();
    change.subjects.push_back(std::move(*subject));
  }
  return change;
}

int make_change(Context& context, search::Reader& reader, const MarkCommand& command,
                const MarkFlags& flags, const MarkChange& change) {
  const std::string& data_dir = context.settings.data_dir;
  std::size_t changed = 0;
  Json all = Json::array();
  for (const Subject& subject : change.subjects) {
    for (const std::string& text : change.texts) {
      const Mark mark{command.kind, text, subject.mark, context.world.now};
      if (flags.remove) {
        const auto gone = Marks::remove(data_dir, mark);
        if (!gone) return context.fail(gone.error());
        changed += *gone;
      } else {
        const auto added = Marks::add(data_dir, mark);
        if (!added) return context.fail(added.error());
        changed += *added ? 1U : 0U;
      }
      all.push_back(json_of(context, reader, mark, &subject.session, subject.turn));
    }
    if (context.globals.json) continue;
    const std::string_view done = flags.remove ? command.taken : command.put;
    const std::string title = title_of(context, reader, subject.session, subject.turn);
    context.print(text::fit(fmt::format("{}: {}", done, text::one_line(title)), context.columns()) +
                  "\n");
  }
  if (context.globals.json) {
    print_json(context, Json{{"changed", changed}, {"marks", std::move(all)}});
  } else if (changed == 0) {
    context.note(flags.remove ? "It was not there." : "It was there already.");
  }
  return flags.remove && changed == 0 ? kNothing : kFound;
}

int run_marks(Context& context, const MarkCommand& command, const MarkFlags& flags) {
  auto index = OpenIndex::open(context, OpenIndex::Refresh::quick);
  if (!index) return context.fail(index.error());
  auto reader = index->reader();
  if (!reader) return context.fail(reader.error());
  const bool bare = flags.words.empty() && !flags.remove && flags.turn == kWholeSession;
  if (bare) return list_marks(context, *reader, command, "");
  if (flags.words.empty()) {
    return context.fail({Errc::invalid_argument, "ID is missing",
                         fmt::format("see: yore {} --help", command.word)});
  }
  // "yore tag NAME" shows what has it.
  const bool alone = command.kind == MarkKind::tag && flags.words.size() == 1 && !flags.remove &&
                     flags.turn == kWholeSession;
  if (alone) {
    const auto marks = reader->marks();
    if (!marks) return context.fail(marks.error());
    const bool known = std::ranges::any_of(marks->all(), [&](const Mark& mark) {
      return mark.kind == MarkKind::tag && mark.text == flags.words.front();
    });
    if (known) return list_marks(context, *reader, command, flags.words.front());
    return context.fail({Errc::not_found,
                         fmt::format("nothing has the tag '{}'", flags.words.front()),
                         "to put one on: yore tag ID NAME"});
  }
  const auto change = change_of(command, flags, *index, *reader);
  if (!change) return context.fail(change.error());
  return make_change(context, *reader, command, flags, *change);
}

Action declare_marks(Options& options, const MarkCommand& command, std::string_view words,
                     std::string_view help) {
  const auto flags = std::make_shared<MarkFlags>();  // shared with the action that outlives us
  options.words(words, flags->words, help);
  options.number("--turn", "N", flags->turn, 0, "this turn of the session; the first is 0");
  options.flag("--remove", flags->remove, "take it off again");
  return [flags, &command](Context& context) { return run_marks(context, command, *flags); };
}

}  // namespace

Action declare_star(Options& options) {
  return declare_marks(options, kStar, "[ID...]",
                       "sessions and turns, by id or the start of one; without: what is starred");
}

Action declare_tag(Options& options) {
  return declare_marks(options, kTag, "[ID NAME...]",
                       "a session or a turn, and its tags; NAME alone: what has it; without: all");
}

Action declare_name(Options& options) {
  return declare_marks(options, kName, "[ID WORDS...]",
                       "a session or a turn, and what to call it; without: what has a name");
}

}  // namespace yore::cli
