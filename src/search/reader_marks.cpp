// The half of a Reader that knows marks: what stands on what it reads, and where marks lead.
#include <algorithm>

#include "search/reader.hpp"
#include "text/utf8.hpp"
#include "turns/chunk_id.hpp"

namespace yore::search {

using store::SessionRow;

// The sessions that have the marks asked for, or a turn with them; empty where none are.
Result<std::set<std::int64_t>> Reader::sessions_marked(const ListFilter& filter,
                                                       const store::Marks& marks) {
  const auto sessions_of =
      [&](store::MarkKind kind,
          const std::vector<std::string>& texts) -> Result<std::set<std::int64_t>> {
    std::set<std::int64_t> found;
    for (const store::Mark& mark : marks.all()) {
      const bool wanted =
          mark.kind == kind && (texts.empty() || std::ranges::any_of(texts, [&](const auto& text) {
                                  return text::iequals(text, mark.text);
                                }));
      if (!wanted) continue;
      const auto place = find_marked(mark.on);
      if (!place) return place.error();
      if (!*place) continue;
      const SessionRow& session = (*place)->session;
      const bool edition = session.base != store::SessionId{};
      found.insert(static_cast<std::int64_t>(edition ? session.base : session.id));
    }
    return found;
  };
  std::set<std::int64_t> all;
  if (!filter.tags.empty()) {
    auto tagged = sessions_of(store::MarkKind::tag, filter.tags);
    if (!tagged || !filter.starred) return tagged;
    all = std::move(*tagged);
  }
  if (!filter.starred) return all;
  auto starred = sessions_of(store::MarkKind::star, {});
  if (starred && !filter.tags.empty()) {
    std::erase_if(*starred, [&](std::int64_t id) { return !all.contains(id); });
  }
  return starred;
}

Result<std::optional<Reader::MarkedPlace>> Reader::find_marked(const store::MarkSubject& subject) {
  std::optional<MarkedPlace> place;
  auto own = store_.session_by_uid(subject.session);
  if (!own) return own.error();
  if (*own && !in_scope(**own)) own->reset();
  if (!subject.is_turn()) {
    if (*own) place.emplace(MarkedPlace{std::move(**own), std::nullopt});
    return place;
  }
  // Where it was marked, if it is still there; else in an edition of that; else in a copy.
  std::vector<SessionRow> rows;
  if (*own) {
    auto editions = store_.editions_of((*own)->id);
    if (!editions) return editions.error();
    rows.push_back(std::move(**own));
    for (SessionRow& edition : *editions) rows.push_back(std::move(edition));
  }
  for (SessionRow& row : rows) {
    auto turns = store_.turns_of(row.id);
    if (!turns) return turns.error();
    for (turns::Turn& turn : *turns) {
      if (turns::chunk_of(turn, row.uid) != subject.chunk || turn.forgotten) continue;
      place.emplace(MarkedPlace{std::move(row), std::move(turn)});
      return place;
    }
  }
  const auto copies = store_.turns_of_origin(subject.origin);
  if (!copies) return copies.error();
  for (const auto& [session, number] : *copies) {
    auto row = store_.session(session);
    auto turn = store_.turn(session, number);
    if (!row) return row.error();
    if (!turn) return turn.error();
    if (!*row || !*turn || !in_scope(**row) || (*turn)->forgotten) continue;
    place.emplace(MarkedPlace{std::move(**row), std::move(**turn)});
    return place;
  }
  return place;
}

// The one session with this name, as somebody gave it.
Result<std::optional<SessionRow>> Reader::session_named(std::string_view name) {
  std::optional<SessionRow> found;
  const auto marks = this->marks();
  if (!marks) return marks.error();
  for (const std::string& id : marks->marked(store::MarkKind::name, name).sessions) {
    auto session = store_.session_by_uid(id);
    if (!session) return session.error();
    if (!*session || !in_scope(**session)) continue;
    if (found) {
      return Error{Errc::ambiguous, "'" + std::string(name) + "' names several sessions",
                   found->uid + "\n" + (*session)->uid};
    }
    found = std::move(**session);
  }
  return found;
}

Status Reader::add_marks(ReadAnswer& answer) {
  const auto marks = this->marks();
  if (!marks) return marks.error();
  if (marks->empty()) return {};
  answer.marks = marks->on_session(edition_base(answer.session.uid));
  for (const turns::WholeTurn& read : answer.turns) {
    const auto turn = store_.turn(answer.session.id, read.number);
    if (!turn) return turn.error();
    if (!*turn) continue;
    store::MarksOn on =
        marks->on_turn((*turn)->origin, turns::chunk_of(**turn, answer.session.uid));
    if (!on.empty()) answer.marks_of_turns.emplace(read.number, std::move(on));
  }
  return {};
}

}  // namespace yore::search
