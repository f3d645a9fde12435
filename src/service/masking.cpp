#include "service/masking.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/ascii.hpp"
#include "service/masked_hits.hpp"
#include "text/secrets/secrets.hpp"
#include "text/secrets/starters.hpp"

namespace yore::service {
namespace {

// Titles, first prompts and commands are cut at 200 characters when they are read.
text::TextEnd end_of(std::string_view text) {
  constexpr std::size_t kCutAt = 200;
  return text.size() >= kCutAt ? text::TextEnd::perhaps_cut : text::TextEnd::whole;
}

// As Claude Code writes a folder in the name of its own: all but letters and digits are dashes.
std::string as_folder(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (!ascii::is_alnum(c)) c = '-';
  }
  return name;
}

struct Found {
  std::string text;
  std::string_view kind;
};

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

// Masks all of them; a secret of one is masked in the others too, written as a folder as well.
std::size_t mask_together(std::initializer_list<std::string*> texts) {
  std::vector<Found> all;
  for (const std::string* text : texts) {
    for (const text::Secret& secret : text::find_secrets(*text, end_of(*text))) {
      all.push_back({text->substr(secret.begin, secret.end - secret.begin), secret.kind});
    }
  }
  if (all.empty()) return 0;
  std::size_t count = 0;
  for (std::string* text : texts) {
    count += text::mask_secrets(*text, end_of(*text));
    for (const Found& found : all) {
      const std::string mask = text::mask_of(found.kind);
      replace_all(*text, found.text, mask);
      replace_all(*text, as_folder(found.text), mask);
    }
  }
  return count;
}

std::size_t mask_tree(Json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    return text::mask_secrets(text, end_of(text));
  }
  std::size_t count = 0;
  if (json.is_structured()) {
    for (Json& each : json) count += mask_tree(each);
  }
  return count;
}

// {"tool":"Bash","command":"…"}: its texts are masked as they are meant, not as they are escaped.
std::size_t mask_rendering(std::string& rendering) {
  thread_local text::Starters starters;
  text::find_starters(rendering, starters);
  const bool cut = end_of(rendering) == text::TextEnd::perhaps_cut;
  if (starters.words.empty() && starters.runs.empty() && !cut) return 0;
  Json json = Json::parse(rendering, nullptr, false);
  if (!json.is_object()) return text::mask_secrets(rendering);
  const std::size_t count = mask_tree(json);
  if (count > 0) rendering = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return count;
}

}  // namespace

Masker::Masker(const config::Settings& settings, bool reveal)
    : on_(settings.mask != config::MaskMode::off && !reveal) {}

std::size_t Masker::operator()(std::string& text) const {
  return on_ ? text::mask_secrets(text, end_of(text)) : 0;
}

std::size_t Masker::answer(std::string& text, std::size_t& conclusion_begin) const {
  if (!on_) return 0;
  // The conclusion begins where it began, less what the secrets before it were longer.
  std::size_t begin = conclusion_begin;
  for (const text::Secret& secret : text::find_secrets(text)) {
    if (secret.begin >= conclusion_begin) break;
    const std::size_t end = std::min(secret.end, conclusion_begin);
    begin += text::mask_of(secret.kind).size();
    begin -= end - secret.begin;
  }
  const std::size_t count = text::mask_secrets(text);
  conclusion_begin = std::min(begin, text.size());
  return count;
}

std::string Masker::text(std::string_view text) const {
  std::string out(text);
  if (on_) text::mask_secrets(out);
  return out;
}

void Masker::operator()(std::vector<std::string>& texts) const {
  for (std::string& text : texts) (*this)(text);
}

std::size_t Masker::operator()(store::SessionRow& session) const {
  if (!on_) return 0;
  turns::SessionFacts& facts = session.facts;
  std::size_t count =
      mask_together({&session.uid,       &session.path,         &session.row,
                     &session.parent,    &session.directory,    &session.fixed_project,
                     &session.ref_cwd,   &session.ref_title,    &session.resume_key,
                     &session.project,   &session.project_path, &session.title,
                     &session.host,      &facts.first_cwd,      &facts.cwd,
                     &facts.branch,      &facts.model,          &facts.version,
                     &facts.slug,        &facts.custom_title,   &facts.name_title,
                     &facts.ai_title,    &facts.index_title,    &facts.compaction_title,
                     &facts.first_prompt});
  for (std::string& path : session.other_files) count += (*this)(path);
  return count;
}

void Masker::operator()(turns::WholeTurn& turn) const {
  if (!on_) return;
  std::size_t count = text::mask_secrets(turn.user_text) + text::mask_secrets(turn.assistant_text);
  for (std::string& rendering : turn.tools_used) count += mask_rendering(rendering);
  for (turns::TurnPart& part : turn.parts) {
    const std::size_t in_text = text::mask_secrets(part.text);
    count += text::mask_secrets(part.removed) + text::mask_secrets(part.added);
    mask_rendering(part.rendering);
    // What was said and called is counted already.
    using Kind = turns::TurnPart::Kind;
    if (part.kind != Kind::text && part.kind != Kind::call) count += in_text;
  }
  turn.masked = static_cast<std::uint32_t>(count);
}

void Masker::operator()(search::SearchAnswer& answer) const {
  if (!on_) return;
  std::vector<std::string> asked;  // secrets of the question, in small letters
  for (const text::Secret& secret : text::find_secrets(answer.query)) {
    const std::size_t size = secret.end - secret.begin;
    asked.push_back(ascii::to_lower(std::string_view(answer.query).substr(secret.begin, size)));
  }
  HitMasker mask_hit(*this, answer.matched, asked);
  for (search::Hit& hit : answer.hits) mask_hit(hit);
  for (search::Hit& hit : answer.closest) mask_hit(hit);
  if (answer.facets) (*this)(*answer.facets);
  (*this)(answer.query);
  (*this)(answer.notes);
}

void Masker::operator()(search::ChunkAnswer& answer) const {
  (*this)(answer.session);
  (*this)(answer.marks);
  for (turns::WholeTurn& turn : answer.turns) (*this)(turn);
}

void Masker::operator()(store::MarksOn& marks) const {
  (*this)(marks.tags);
  (*this)(marks.name);
}

void Masker::operator()(search::ReadAnswer& answer) const {
  (*this)(answer.session);
  (*this)(answer.marks);
  for (auto& [number, marks] : answer.marks_of_turns) (*this)(marks);
  for (turns::WholeTurn& turn : answer.turns) (*this)(turn);
}

void Masker::operator()(search::ListAnswer& answer) const {
  for (store::SessionRow& session : answer.sessions) (*this)(session);
  for (auto& [id, marks] : answer.marks) (*this)(marks);
  (*this)(answer.notes);
}

void Masker::operator()(search::WalkPage& page) const {
  if (!on_) return;
  (*this)(page.session);
  for (search::WalkedTurn& turn : page.turns) {
    (*this)(turn.row.branch);
    (*this)(turn.row.model);
    text::mask_secrets(turn.user_text);
    answer(turn.assistant_text, turn.conclusion_begin);
  }
}

void Masker::operator()(search::Facets& facets) const {
  if (!on_) return;
  for (search::Facet& facet : facets.facets) {
    for (search::FacetValue& value : facet.values) (*this)(value.value);
  }
}

void Masker::operator()(std::vector<search::ProjectRow>& rows) const {
  if (!on_) return;
  for (search::ProjectRow& row : rows) {
    mask_together({&row.project, &row.path});
    for (std::string& path : row.joined) (*this)(path);
  }
}

void Masker::operator()(Stats& stats) const {
  for (auto* rows : {&stats.agents, &stats.projects, &stats.models}) {
    for (StatsRow& row : *rows) (*this)(row.name);
  }
  for (ToolRow& row : stats.tools) (*this)(row.name);
}

void Masker::operator()(StatusReport& report) const {
  if (!on_) return;
  mask_together({&report.data_dir, &report.model_problem});
  for (store::AgentCounts& agent : report.agents) (*this)(agent.versions);
  for (RootStatus& root : report.roots) (*this)(root.path);
  for (store::ProblemRow& row : report.problems) mask_together({&row.uid, &row.path, &row.lines});
  for (store::UnknownRow& row : report.unknowns) (*this)(row.what);
  for (store::TroubleRow& row : report.troubles) mask_together({&row.path, &row.message});
  if (report.keeper) (*this)(report.keeper->remark);
}

void Masker::operator()(std::vector<Finding>& findings) const {
  if (!on_) return;
  for (Finding& finding : findings) mask_together({&finding.message, &finding.fix});
}

void Masker::operator()(ingest::IndexReport& report) const {
  (*this)(report.troubles);
  (*this)(report.would_read);
  (*this)(report.places);
}

void Masker::operator()(Error& error) const {
  if (on_) mask_together({&error.message, &error.hint});
}

void Masker::operator()(Json& json) const {
  if (on_) mask_tree(json);
}

}  // namespace yore::service
