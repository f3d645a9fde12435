#include "search/search_filter.hpp"

#include <algorithm>

#include "ranking/rank.hpp"
#include "search/reader.hpp"
#include "search/session_id.hpp"
#include "text/utf8.hpp"
#include "turns/turn_types.hpp"

namespace yore::search {
namespace {

using lexical::Catalog;
using lexical::TurnSet;
using turns::Surface;
using Texts = std::vector<std::string>;

constexpr ranking::SurfaceWeights kCounts;
static_assert(kCounts.said == lexical::kWeightOne);

Status choose(std::span<const SurfaceName> known, const Texts& wanted, std::string_view flag,
              SurfaceChoice& choice) {
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(known, name, &SurfaceName::name);
    if (found == known.end()) {
      std::string hint = "one of";
      for (const SurfaceName& each : known) hint += " " + std::string(each.name);
      return Error{Errc::invalid_argument, "no " + std::string(flag) + " '" + name + "'", hint};
    }
    choice.weights[found->tag] = kCounts.said;
    if (found->tag == lexical::kAnswerTag && !found->conclusion_only) {
      choice.earlier_answer_weight = kCounts.said;
    }
  }
  return {};
}

bool any_contained(const Texts& wanted, std::initializer_list<std::string_view> texts) {
  return std::ranges::any_of(wanted, [&](const std::string& part) {
    return std::ranges::any_of(texts,
                               [&](std::string_view text) { return text::icontains(text, part); });
  });
}

bool any_equal(const Texts& wanted, std::string_view text) {
  return std::ranges::any_of(wanted,
                             [&](const std::string& each) { return text::iequals(each, text); });
}

Texts with(const Texts& first, const std::string& second) {
  Texts all = first;
  if (!second.empty()) all.push_back(second);
  return all;
}

// One decision per session, so that a turn costs one look.
class SessionGate {
 public:
  SessionGate(const Catalog& catalog, const FilterInput& input)
      : catalog_(catalog), input_(input) {}

  [[nodiscard]] bool narrows() const {
    const SearchRequest& request = input_.request;
    const ParsedQuery& query = input_.query;
    return !input_.scope.unlimited() || !request.projects.empty() || !request.exclude.empty() ||
           !request.agents.empty() || !query.projects.empty() || !query.agents.empty() ||
           !input_.session_uids.empty() || !request.folder.empty() || superseded();
  }
  [[nodiscard]] bool in_projects(const lexical::CatalogSession& row) const {
    return in(row, input_.request.projects) && in(row, input_.query.projects);
  }
  [[nodiscard]] bool lets_through(const lexical::CatalogSession& row) const {
    if ((row.flags & lexical::kSessionGone) != 0) return false;
    if (superseded() && (row.flags & lexical::kSessionSuperseded) == 0) return false;
    const std::string_view directory = catalog_.name(row.directory);
    const store::SessionId id{row.store_id};
    if (!input_.scope.allows(id, store::RootId{row.root}, directory)) return false;
    if (!in_projects(row)) return false;
    const std::string& folder = input_.request.folder;
    const bool here =
        is_of_folder(folder, {catalog_.name(row.project_path), catalog_.name(row.cwd)});
    if (!folder.empty() && !here) return false;
    const Texts& exclude = input_.request.exclude;
    if (!exclude.empty() && in(row, exclude)) return false;
    const std::string_view agent = catalog_.name(row.agent);
    for (const Texts* agents : {&input_.request.agents, &input_.query.agents}) {
      if (!agents->empty() && !any_equal(*agents, agent)) return false;
    }
    if (input_.session_uids.empty()) return true;
    const std::string_view uid = catalog_.name(row.uid);
    return std::ranges::any_of(input_.session_uids, [&](const std::string& wanted) {
      return uid == wanted || edition_base(uid) == wanted;
    });
  }

 private:
  [[nodiscard]] bool superseded() const {
    return input_.request.superseded || input_.query.superseded;
  }
  [[nodiscard]] bool in(const lexical::CatalogSession& row, const Texts& projects) const {
    return projects.empty() ||
           any_contained(projects, {catalog_.name(row.project), catalog_.name(row.directory),
                                    catalog_.name(row.project_path)});
  }
  const Catalog& catalog_;
  const FilterInput& input_;
};

// Turns with one of the marks that are asked for, by themselves or by their session.
class MarkGate {
 public:
  MarkGate(const Catalog& catalog, const FilterInput& input) : catalog_(catalog) {
    const SearchRequest& request = input.request;
    if (request.starred || input.query.starred) {
      wanted_.push_back(input.marks.marked(store::MarkKind::star));
    }
    Texts tags = request.tags;
    tags.insert(tags.end(), input.query.tags.begin(), input.query.tags.end());
    if (tags.empty()) return;
    store::Marked any;
    for (const std::string& tag : tags) any.include(input.marks.marked(store::MarkKind::tag, tag));
    wanted_.push_back(std::move(any));
  }
  [[nodiscard]] bool narrows() const { return !wanted_.empty(); }
  [[nodiscard]] bool lets_through(const lexical::TurnRow& row) const {
    return std::ranges::all_of(wanted_, [&](const store::Marked& marked) {
      if (marked.has_turn(row.origin, row.chunk)) return true;
      if (marked.sessions.empty()) return false;
      return marked.has_session(edition_base(catalog_.name(catalog_.sessions()[row.session].uid)));
    });
  }

 private:
  const Catalog& catalog_;
  std::vector<store::Marked> wanted_;
};

Status hold_project(const Catalog& catalog, const FilterInput& input, const SessionGate& gate) {
  const Texts& named =
      input.request.projects.empty() ? input.query.projects : input.request.projects;
  if (named.empty()) return {};
  const bool any = std::ranges::any_of(catalog.sessions(), [&](const lexical::CatalogSession& row) {
    return (row.flags & lexical::kSessionGone) == 0 && gate.in_projects(row);
  });
  if (any) return {};
  std::string names;
  for (const std::string& name : named) names += (names.empty() ? "" : ", ") + name;
  return Error{Errc::not_found, "No sessions found for project " + names,
               "yore projects lists them"};
}

// Turns that hold all leaves of the group, in a surface that is searched.
Result<TurnSet> holders(const std::shared_ptr<const lexical::Snapshot>& snapshot,
                        const std::vector<lexical::Leaf>& group, const SurfaceChoice& surfaces) {
  auto search = lexical::Search::prepare(snapshot, group);
  if (!search) return search.error();
  const std::size_t turns = snapshot->catalog().turns().size();
  lexical::Weights weights = surfaces.weights;
  auto& answer = weights[lexical::kAnswerTag];
  answer = std::max(answer, surfaces.earlier_answer_weight);
  TurnSet all(turns, true);
  for (std::size_t leaf = 0; leaf < search->leaves().size(); ++leaf) {
    TurnSet held(turns);
    search->add_turns(leaf, weights, held);
    all.keep_only(held);
  }
  return all;
}

Status keep_marked(const lexical::Snapshot& snapshot, lexical::Marker kind, const Texts& wanted,
                   bool exact, TurnSet& allowed) {
  if (wanted.empty()) return {};
  Texts folded;
  for (const std::string& text : wanted) folded.push_back(text::fold(text));
  TurnSet held(snapshot.catalog().turns().size());
  const auto fits = [&](std::string_view value) {
    return std::ranges::any_of(folded, [&](const std::string& text) {
      return exact ? value == text : value.find(text) != std::string_view::npos;
    });
  };
  if (Status status = lexical::add_turns_with_marker(snapshot, kind, fits, held); !status) {
    return status;
  }
  allowed.keep_only(held);
  return {};
}

}  // namespace

Result<SurfaceChoice> choose_surfaces(const Texts& types, const Texts& surfaces) {
  SurfaceChoice choice;
  if (types.empty() && surfaces.empty()) {
    choice.weights[tag_of(Surface::user_prompt)] = kCounts.said;
    choice.weights[lexical::kAnswerTag] = kCounts.said;
    choice.weights[tag_of(Surface::tool)] = kCounts.tool;
    choice.weights[tag_of(Surface::thinking)] = kCounts.thinking;
    choice.weights[lexical::kTitleTag] = kCounts.said;
    choice.weights[lexical::kNoteTag] = kCounts.said;
    choice.earlier_answer_weight = kCounts.earlier_answer;
    return choice;
  }
  Status status = choose(kTypes, types, "type", choice);
  if (status) status = choose(kSurfaces, surfaces, "surface", choice);
  if (!status) return status.error();
  return choice;
}

Result<std::optional<TurnSet>> allowed_turns(
    const std::shared_ptr<const lexical::Snapshot>& snapshot, const FilterInput& input) {
  const SearchRequest& request = input.request;
  const ParsedQuery& query = input.query;
  const Catalog& catalog = snapshot->catalog();
  const SessionGate gate(catalog, input);
  if (Status status = hold_project(catalog, input, gate); !status) return status.error();
  const Texts branches = with(query.branches, request.branch);
  const Texts models = with(query.models, request.model);
  const Texts files = with(query.files, request.file);
  const Texts tools = with(query.tools, request.tool);
  const bool has_tool = request.has_tool || query.has_tool;
  const MarkGate marked(catalog, input);
  const bool by_turn = request.since || request.until || !branches.empty() || !models.empty() ||
                       !files.empty() || !tools.empty() || has_tool || marked.narrows();
  const bool by_words = !input.terms.required.empty() || !input.terms.excluded.empty();
  if (!gate.narrows() && !by_turn && !by_words) return std::optional<TurnSet>{};

  std::vector<char> sessions(catalog.sessions().size());
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    sessions[i] = gate.lets_through(catalog.sessions()[i]) ? 1 : 0;
  }
  const std::int64_t since = request.since ? to_ms(*request.since) : INT64_MIN;
  const std::int64_t until = request.until ? to_ms(*request.until) : INT64_MAX;
  TurnSet allowed(catalog.turns().size());
  for (lexical::TurnOrd ord = 0; ord < catalog.turns().size(); ++ord) {
    const lexical::TurnRow& row = catalog.turns()[ord];
    if (sessions[row.session] == 0 || (row.flags & lexical::kTurnGone) != 0) continue;
    if (row.last_time < since || row.last_time >= until) continue;
    if (has_tool && (row.flags & lexical::kTurnHasTool) == 0) continue;
    if (!marked.lets_through(row)) continue;
    if (!branches.empty() && !any_contained(branches, {catalog.name(row.branch)})) continue;
    if (!models.empty() && !any_contained(models, {catalog.name(row.model)})) continue;
    allowed.add(ord);
  }
  Status status = keep_marked(*snapshot, lexical::Marker::file, files, false, allowed);
  if (status) status = keep_marked(*snapshot, lexical::Marker::tool, tools, true, allowed);
  if (!status) return status.error();
  for (const auto& group : input.terms.required) {
    const auto held = holders(snapshot, group, input.surfaces);
    if (!held) return held.error();
    allowed.keep_only(*held);
  }
  for (const auto& group : input.terms.excluded) {
    const auto held = holders(snapshot, group, input.surfaces);
    if (!held) return held.error();
    allowed.leave_out(*held);
  }
  return std::optional<TurnSet>{std::move(allowed)};
}

}  // namespace yore::search
