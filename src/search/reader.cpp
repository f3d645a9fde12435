#include "search/reader.hpp"

#include <algorithm>
#include <map>

#include "archive/archive.hpp"
#include "base/files/file.hpp"
#include "base/files/stand_in.hpp"
#include "base/work_limit.hpp"
#include "search/agent_names.hpp"
#include "search/session_id.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"
#include "transcript/reading_time.hpp"

namespace yore::search {

using store::SessionRow;
using transcript::SessionKind;

namespace {

bool matches_project(const SessionRow& session, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(wanted, [&](const std::string& text) {
    return text::icontains(session.project, text) || text::icontains(session.directory, text) ||
           text::icontains(session.project_path, text);
  });
}

bool comes_after(const SessionRow& session, const ListPlace& place) {
  const Time last = session.facts.last_time;
  return last != place.last_time ? last < place.last_time : session.uid > place.uid;
}

// Each word in one of the texts that people know a session by.
bool holds_words(const SessionRow& session, const store::MarksOn& marks,
                 const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [&](const std::string& word) {
    const auto holds = [&](std::string_view text) { return text::icontains(text, word); };
    return holds(session.title) || holds(session.facts.first_prompt) || holds(session.facts.slug) ||
           holds(session.project) || holds(session.project_path) || holds(marks.name);
  });
}

bool matches(const SessionRow& session, const ListFilter& filter) {
  const Time last = session.facts.last_time;
  if (filter.since && last < *filter.since) return false;
  if (filter.until && last >= *filter.until) return false;
  if (!filter.agents.empty() &&
      std::ranges::find(filter.agents, session.agent) == filter.agents.end()) {
    return false;
  }
  if (filter.superseded && session.superseded == 0) return false;
  if (!filter.folder.empty() &&
      !is_of_folder(filter.folder, {session.project_path, session.facts.cwd, session.ref_cwd,
                                    session.facts.first_cwd})) {
    return false;
  }
  if (matches_project(session, filter.exclude)) return false;
  return filter.projects.empty() || matches_project(session, filter.projects);
}

Error ambiguous(std::string_view id, const std::vector<SessionRow>& candidates) {
  std::string hint;
  for (const SessionRow& session : candidates) {
    hint += (hint.empty() ? "" : "\n") + session.uid + "  " + text::one_line(session.title);
  }
  return {Errc::ambiguous, "'" + std::string(id) + "' names several sessions", hint};
}

// By the agent's own reader. False: it could not be read.
bool read_source(const transcript::Adapter& adapter, const TurnRange& range, ReadAnswer& answer) {
  const transcript::SessionRef ref = store::session_ref(answer.session);
  turns::TurnReader reader(range.offset, range.limit, range.detail);
  transcript::TimeBudget time({});
  const WorkLimit work(kNeverCancelled, time.for_session(ref));
  auto step = adapter.read(ref, {}, {}, reader);
  while (step && step->more) step = adapter.read(ref, step->cursor, {}, reader);
  if (!step || work.was_over()) return false;
  answer.turns = reader.take();
  answer.total_turns = reader.turn_count();
  return true;
}

}  // namespace

bool is_of_folder(std::string_view folder, std::initializer_list<std::string_view> places) {
  return std::ranges::any_of(places, [&](std::string_view place) {
    if (folder.empty() || !place.starts_with(folder)) return false;
    return place.size() == folder.size() || place[folder.size()] == '/' || folder.ends_with('/');
  });
}

Result<Reader> Reader::open(const config::World& world, const config::Settings& settings,
                            const config::Scope& scope, std::optional<store::Store> store) {
  if (!store) {
    auto opened = store::Store::open_existing(settings.data_dir);
    if (!opened) return opened.error();
    store = std::move(*opened);
  }
  auto filter = ScopeFilter::make(world, *settings.agents, scope, *store);
  if (!filter) return filter.error();
  return Reader(world, settings, std::move(*store), std::move(*filter));
}

Status Reader::refresh() {
  if (scope_.anywhere()) return {};
  auto filter = ScopeFilter::make(world_, *agents_, scope_.scope(), store_);
  if (!filter) return filter.error();
  scope_ = std::move(*filter);
  return {};
}

bool Reader::in_scope(const SessionRow& session) const {
  return scope_.allows(session.id, session.root, session.directory);
}

Result<ListAnswer> Reader::list(const ListFilter& filter) {
  ListAnswer answer;
  const auto marks = this->marks();
  if (!marks) return marks.error();
  const auto marked = sessions_marked(filter, *marks);
  if (!marked) return marked.error();
  const auto fits = [&](const SessionRow& session) {
    const bool by_marks = filter.starred || !filter.tags.empty();
    if (!in_scope(session) || !matches(session, filter)) return false;
    if (by_marks && !marked->contains(static_cast<std::int64_t>(session.id))) return false;
    return holds_words(session, marks->on_session(session.uid), filter.words);
  };
  std::size_t skipped = 0;
  bool any = false;  // that need not be hidden
  const Status status = store_.each_session([&](SessionRow&& session) {
    if (!fits(session)) return true;
    if (!filter.beside && session.standing != store::Standing::conversation) return true;
    const bool subagent = session.kind == SessionKind::subagent;
    if (!filter.subagents && subagent) return ++answer.hidden_subagents > 0;
    if (!filter.automated && session.automated) return ++answer.hidden_automated > 0;
    any = true;
    const bool empty = session.facts.turn_count + session.superseded == 0;
    if (filter.leave_out_empty && empty) return ++answer.hidden_empty > 0;
    if (filter.after && !comes_after(session, *filter.after)) return true;
    if (skipped < filter.offset) {
      ++skipped;
      return true;
    }
    if (answer.sessions.size() == filter.limit) {
      answer.more = true;
      return filter.count_hidden;  // go on: what is hidden is counted over all
    }
    store::MarksOn on = marks->on_session(session.uid);
    if (!on.empty()) answer.marks.emplace(session.uid, std::move(on));
    answer.sessions.push_back(std::move(session));
    return true;
  });
  if (!status) return status.error();
  if (!any && answer.hidden_automated > 0) {
    ListFilter all = filter;
    all.automated = true;
    return list(all);
  }
  if (!answer.sessions.empty() || filter.agents.empty()) return answer;
  if (Status noted = note_agents(filter, answer); !noted) return noted.error();
  return answer;
}

Status Reader::note_agents(const ListFilter& filter, ListAnswer& answer) {
  const auto counts = store_.agent_counts();
  if (!counts) return counts.error();
  std::vector<std::string_view> present;
  for (const store::AgentCounts& agent : *counts) present.push_back(agent.agent);
  answer.notes = notes_on_agents(filter.agents, present, *agents_);
  return {};
}

Result<std::vector<ProjectRow>> Reader::projects(const ListFilter& filter) {
  std::map<std::string, ProjectRow> by_name;
  const Status status = store_.each_session([&](SessionRow&& session) {
    if (!in_scope(session) || !matches(session, filter)) return true;
    if (session.kind == SessionKind::subagent) return true;
    if (session.standing != store::Standing::conversation) return true;
    ProjectRow& project = by_name[session.project];
    // Newest first: the first session seen tells where the project is now.
    if (project.sessions == 0) {
      project.project = session.project;
      project.last_time = session.facts.last_time;
    }
    const std::string& path = session.project_path;
    if (project.path.empty()) {
      project.path = path;
    } else if (!path.empty() && path != project.path &&
               std::ranges::find(project.joined, path) == project.joined.end()) {
      project.joined.push_back(path);
    }
    if (std::ranges::find(project.agents, session.agent) == project.agents.end()) {
      project.agents.push_back(session.agent);
    }
    ++project.sessions;
    project.turns += session.facts.turn_count;
    return true;
  });
  if (!status) return status.error();
  std::vector<ProjectRow> rows;
  for (auto& [name, project] : by_name) rows.push_back(std::move(project));
  std::ranges::stable_sort(rows, std::greater{}, &ProjectRow::last_time);
  return rows;
}

Result<ShortIds> Reader::short_ids() {
  const auto uids = store_.all_uids();
  if (!uids) return uids.error();
  return ShortIds(*uids);
}

// The sessions in scope that a start of an id may mean.
Result<std::vector<SessionRow>> Reader::candidates_for(std::string_view id) {
  constexpr int kCandidates = 200;
  auto found = store_.sessions_by_prefix(id, kCandidates);
  if (!found) return found.error();
  std::erase_if(*found, [this](const SessionRow& session) { return !in_scope(session); });
  // A prefix of a session is also one of its sub-agents: the session itself is meant.
  std::vector<SessionRow> mains;
  for (const SessionRow& session : *found) {
    if (session.kind == SessionKind::main) mains.push_back(session);
  }
  return mains.empty() ? std::move(*found) : mains;
}

Result<SessionRow> Reader::find_session(std::string_view id) {
  const Error unknown{Errc::not_found, "Unknown session_id: " + std::string(id)};
  if (text::is_blank(id)) return unknown;
  auto exact = store_.session_by_uid(id);
  if (!exact) return exact.error();
  if (*exact && in_scope(**exact)) return std::move(**exact);
  const std::string_view base = edition_base(id);
  auto candidates = candidates_for(base);
  if (!candidates) return candidates.error();
  if (candidates->empty()) {
    auto named = session_named(id);
    if (!named) return named.error();
    if (!*named) return unknown;
    return std::move(**named);
  }
  if (candidates->size() > 1) return ambiguous(id, *candidates);
  if (base == id) return std::move(candidates->front());
  auto edition =
      store_.session_by_uid(candidates->front().uid + std::string(id.substr(base.size())));
  if (!edition) return edition.error();
  if (!*edition) return unknown;
  return std::move(**edition);
}

std::uint32_t next_offset(const ReadAnswer& answer, std::uint32_t offset) {
  return answer.turns.empty() ? offset : answer.turns.back().number + 1;
}

Result<ReadAnswer> Reader::read(const SessionRow& session, std::uint32_t offset,
                                std::uint32_t limit, turns::Detail detail) {
  auto answer = read_unmarked(session, {offset, limit, detail});
  if (!answer) return answer;
  if (Status added = add_marks(*answer); !added) return added.error();
  return answer;
}

Result<ReadAnswer> Reader::read_unmarked(const SessionRow& session, const TurnRange& range) {
  ReadAnswer answer;
  answer.session = session;
  answer.superseded = session.standing == store::Standing::edition;
  const transcript::Adapter* adapter = agents_->find(session.agent);
  const bool has_source = session.standing == store::Standing::conversation && adapter != nullptr;
  // A database stays when a session in it goes.
  const bool row_is_gone = !session.row.empty() && session.missing_since != kNoTime;
  if (has_source && !row_is_gone && is_regular_file(session.path)) {
    if (read_source(*adapter, range, answer)) {
      if (Status status = leave_out_forgotten(answer); !status) return status.error();
      return answer;
    }
  }
  // What a program handed over (ingest/program_source.hpp) never had a file.
  const bool is_beside = session.standing != store::Standing::conversation && !answer.superseded;
  answer.source_missing =
      is_beside ? session.missing_since != kNoTime : !answer.superseded && !session.path.empty();
  if (has_source && read_kept(*adapter, range, answer)) {
    if (Status status = leave_out_forgotten(answer); !status) return status.error();
    return answer;
  }
  if (Status status = read_stored(range, answer); !status) return status.error();
  return answer;
}

bool Reader::read_kept(const transcript::Adapter& adapter, const TurnRange& range,
                       ReadAnswer& answer) const {
  const archive::Archive archive(data_dir_);
  if (!archive.exists()) return false;
  const auto entry = archive.find(answer.session.uid);
  if (!entry || !*entry) return false;
  const archive::Version& newest = (*entry)->versions.back();
  if (newest.stamp != answer.session.stamp) return false;
  const StandIn kept(archive.stand_in(newest));
  const bool whole =
      read_source(adapter, range, answer) && answer.total_turns == answer.session.facts.turn_count;
  if (!whole) answer.turns.clear();
  return whole;
}

// The agent's file still has what was forgotten here.
Status Reader::leave_out_forgotten(ReadAnswer& answer) {
  for (turns::WholeTurn& turn : answer.turns) {
    const auto row = store_.turn(answer.session.id, turn.number);
    if (!row) return row.error();
    if (!*row || !(*row)->forgotten) continue;
    turn = turns::WholeTurn{turn.number, turn.time};
  }
  return {};
}

Status Reader::read_stored(const TurnRange& range, ReadAnswer& answer) {
  const store::SessionId id = answer.session.id;
  auto rows = store_.turns_of(id);
  if (!rows) return rows.error();
  if (!rows->empty()) answer.total_turns = rows->back().number + 1;
  std::erase_if(*rows, [&](const turns::Turn& turn) { return turn.number < range.offset; });
  if (rows->size() > range.limit) rows->resize(range.limit);
  if (rows->empty()) return {};
  auto stored = store_.passages_of(id, rows->front().number, rows->back().number);
  if (!stored) return stored.error();
  std::vector<turns::Passage> passages;
  for (auto& [key, passage] : *stored) passages.push_back(std::move(passage));
  for (const turns::Turn& turn : *rows) {
    answer.turns.push_back(turns::read_from_passages(turn, passages, range.detail));
    answer.turns.back().superseded = answer.superseded;
  }
  return {};
}

Result<std::vector<std::string>> resume_command(const SessionRow& session,
                                                const transcript::AgentRegistry& agents) {
  const Error none{Errc::not_found, "session " + session.uid + " cannot be resumed"};
  const transcript::Adapter* adapter = agents.find(session.agent);
  if (adapter == nullptr || adapter->resume == nullptr || session.path.empty()) return none;
  if (store::content_of(session.standing) != transcript::SessionContent::conversation) return none;
  if (session.kind == SessionKind::subagent && session.resume_key.empty()) {
    return Error{Errc::not_found, "a sub-agent's conversation cannot be resumed",
                 session.parent.empty() ? "" : "its parent can: yore resume " + session.parent};
  }
  const std::string key(session.resume_key.empty() ? native_id(session.uid, session.agent)
                                                   : std::string_view(session.resume_key));
  auto command = adapter->resume(key);
  if (command.empty()) return none;
  return command;
}

}  // namespace yore::search
