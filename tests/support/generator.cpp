#include "generator.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "generator/claude_session.hpp"
#include "generator/json_text.hpp"
#include "generator/openclaw_session.hpp"
#include "generator/output.hpp"
#include "generator/project.hpp"
#include "generator/vocabulary.hpp"

namespace yore::generator {
namespace {

// Rare things come by count, not by chance, so that small corpora have them too.
constexpr std::uint64_t kForkEvery = 25;
constexpr std::uint64_t kEastAsianEvery = 30;
constexpr std::uint64_t kOpenClawEvery = 8;
constexpr std::size_t kActiveProjects = 16;
constexpr std::uint64_t kFullSizeBytes = 40'000'000;
constexpr Spread kTurnsPerSession = {1, 1, 4, 14, 28, 40};
constexpr std::array<std::string_view, 3> kAgents = {"main", "worker", "research"};

// sqrt in integers, for a size that shrinks in two dimensions at once: turns and files.
std::uint32_t square_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = 1ULL << 20; bit > 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= n) root += bit;
  }
  return static_cast<std::uint32_t>(root);
}

std::uint32_t size_permille(std::uint64_t target_bytes) {
  const std::uint64_t bytes = std::clamp(target_bytes, kFullSizeBytes / 40, kFullSizeBytes);
  return square_root(bytes * 1'000'000 / kFullSizeBytes);
}

struct ActiveProject {
  Project project;
  std::uint32_t sessions_left = 0;
  bool indexed = false;
  std::string index_entries;
};

class Corpus {
 public:
  Corpus(const GeneratorOptions& options, Output& output)
      : options_(options),
        output_(output),
        rng_(options.seed),
        draws_(options.seed),
        vocabulary_(options.seed),
        text_(rng_, vocabulary_),
        size_permille_(size_permille(options.target_bytes)),
        last_start_ms_(options.start_ms),
        last_end_ms_(options.start_ms) {
    report_.end_ms = options.start_ms;
  }

  Result<GeneratorReport> run() {
    while (report_.bytes < options_.target_bytes) {
      if (options_.max_sessions != 0 && report_.sessions >= options_.max_sessions) break;
      const bool openclaw =
          options_.agents == AgentMix::openclaw ||
          (options_.agents == AgentMix::mixed && report_.sessions % kOpenClawEvery == 7);
      const Status written = openclaw ? openclaw_session() : claude_session();
      if (!written.ok()) return written.error();
      ++report_.sessions;
    }
    for (ActiveProject& active : projects_) {
      if (Status ok = write_index(active); !ok.ok()) return ok.error();
    }
    if (Status ok = write_openclaw_maps(); !ok.ok()) return ok.error();
    return report_;
  }

 private:
  // Half of the sessions run beside another one.
  std::int64_t next_start() {
    const auto lasted = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(last_end_ms_ - last_start_ms_, 1, 1'000'000'000));
    if (rng_.chance(340)) return last_start_ms_ + rng_.below(lasted);
    return report_.end_ms + rng_.between(240'000, 6'000'000);
  }

  void ran(std::int64_t start_ms, std::int64_t end_ms) {
    last_start_ms_ = start_ms;
    last_end_ms_ = end_ms;
    report_.end_ms = std::max(report_.end_ms, end_ms);
  }

  Result<ActiveProject*> any_project() {
    if (projects_.size() < kActiveProjects) {
      projects_.push_back(new_project());
      return &projects_.back();
    }
    ActiveProject& active = projects_[rng_.below(kActiveProjects)];
    if (active.sessions_left > 0) return &active;
    if (Status ok = write_index(active); !ok.ok()) return ok.error();
    active = new_project();
    return &active;
  }

  ActiveProject new_project() {
    return {Project(rng_, draws_, next_project_++), rng_.between(8, 40), rng_.chance(300), {}};
  }

  void begin_text(ActiveProject& active) {
    --active.sessions_left;
    text_.begin_session(report_.sessions % kEastAsianEvery == 9);
    active.project.refresh(rng_, text_, size_permille_);
    text_.use_files(active.project.paths());
  }

  SessionPlan make_plan(const ActiveProject& active) {
    SessionPlan plan;
    plan.directory = "claude/projects/" + active.project.directory();
    plan.start_ms = next_start();
    plan.turns = quantile(kTurnsPerSession, draws_.turns.next());
    plan.size_permille = size_permille_;
    plan.budget_bytes = options_.target_bytes - report_.bytes;
    plan.modern = draws_.modern.chance(260);
    plan.clock_steps_back = draws_.backwards.chance(285);
    if (rng_.chance(300)) plan.foreign_leaf = last_leaf_;
    return plan;
  }

  Status claude_session() {
    Result<ActiveProject*> chosen = any_project();
    if (!chosen) return chosen.error();
    ActiveProject& active = **chosen;
    begin_text(active);
    SessionPlan plan = make_plan(active);
    const bool modern = plan.modern;
    const bool forked = report_.sessions % kForkEvery == 6;
    if (forked) plan.keep_turns = rng_.between(1, 3);
    ClaudeSession session(rng_, draws_, text_, active.project, output_, plan);
    Result<SessionReport> done = session.run(nullptr);
    if (!done) return done.error();
    add(active, *done);
    if (!forked || report_.bytes >= options_.target_bytes) return {};

    SessionPlan fork = make_plan(active);
    fork.modern = modern;
    fork.start_ms = done->replay.end_ms + rng_.between(60'000, 7'200'000);
    ClaudeSession second(rng_, draws_, text_, active.project, output_, fork);
    Result<SessionReport> again = second.run(&done->replay);
    if (!again) return again.error();
    add(active, *again);
    ++report_.forks;
    ++report_.sessions;
    return {};
  }

  void add(ActiveProject& active, const SessionReport& session) {
    report_.bytes += session.bytes;
    report_.files += session.files;
    report_.turns += session.turns;
    report_.subagents += session.subagents;
    report_.spills += session.spills;
    last_leaf_ = session.last_uuid;
    ran(session.start_ms, session.end_ms);
    if (!active.indexed) return;
    std::string& out = active.index_entries;
    out += out.empty() ? "{\"sessionId\":\"" : ",\n{\"sessionId\":\"";
    ((out += session.id) += "\",\"fileMtime\":");
    append_number(out, static_cast<std::uint64_t>(session.end_ms));
    ((out += ",\"firstPrompt\":\"") += session.first_prompt) += "\",\"summary\":\"";
    (out += session.title) += "\",\"messageCount\":";
    append_number(out, session.lines);
    out += ",\"created\":\"";
    append_iso(out, session.start_ms);
    out += "\",\"modified\":\"";
    append_iso(out, session.end_ms);
    ((out += "\",\"gitBranch\":\"") += active.project.branch()) += "\",\"projectPath\":\"";
    (out += active.project.cwd()) += "\",\"isSidechain\":false}";
  }

  Status write_index(const ActiveProject& active) {
    if (active.index_entries.empty()) return {};
    return write("claude/projects/" + active.project.directory() + "/sessions-index.json",
                 "{\"version\":1,\"originalPath\":\"" + active.project.cwd() +
                     "\",\"entries\":[\n" + active.index_entries + "\n]}\n");
  }

  Status openclaw_session() {
    Result<ActiveProject*> chosen = any_project();
    if (!chosen) return chosen.error();
    begin_text(**chosen);
    const std::uint32_t agent = rng_.below(kAgents.size());
    OpenClawPlan plan;
    plan.directory = "openclaw/agents/" + std::string(kAgents[agent]) + "/sessions";
    plan.start_ms = next_start();
    plan.turns = quantile(kTurnsPerSession, draws_.turns.next());
    plan.size_permille = size_permille_;
    plan.budget_bytes = options_.target_bytes - report_.bytes;
    plan.fate = rng_.chance(850)   ? OpenClawFate::live
                : rng_.chance(600) ? OpenClawFate::reset
                                   : OpenClawFate::deleted;
    plan.with_copies = plan.fate == OpenClawFate::live && rng_.chance(100);
    const Result<OpenClawReport> done =
        write_openclaw_session(rng_, text_, (*chosen)->project, output_, plan);
    if (!done) return done.error();
    report_.bytes += done->bytes;
    report_.files += done->files;
    report_.turns += done->turns;
    ran(done->start_ms, done->end_ms);
    if (plan.fate != OpenClawFate::live) return {};
    std::string& map = openclaw_maps_[agent];
    map += map.empty() ? "" : ",\n";
    map += "\"agent:" + std::string(kAgents[agent]) + ":telegram:direct:" + done->id.substr(0, 8) +
           "\":{\"sessionId\":\"" + done->id + "\",\"updatedAt\":" + std::to_string(done->end_ms) +
           ",\"sessionStartedAt\":" + std::to_string(done->start_ms) + ",\"status\":\"done\"";
    if (rng_.chance(300)) {
      map += ",\"label\":\"";
      text_.title(map);
      map += '"';
    }
    map += '}';
    return {};
  }

  Status write_openclaw_maps() {
    for (std::size_t i = 0; i < kAgents.size(); ++i) {
      if (openclaw_maps_[i].empty()) continue;
      const std::string path = "openclaw/agents/" + std::string(kAgents[i]) + "/sessions/";
      if (Status ok = write(path + "sessions.json", "{\n" + openclaw_maps_[i] + "\n}\n");
          !ok.ok()) {
        return ok;
      }
    }
    return {};
  }

  Status write(const std::string& path, const std::string& bytes) {
    ++report_.files;
    report_.bytes += bytes.size();
    return output_.write(path, bytes);
  }

  const GeneratorOptions& options_;
  Output& output_;
  Rng rng_;
  Draws draws_;
  Vocabulary vocabulary_;
  TextMaker text_;
  std::uint32_t size_permille_;
  std::int64_t last_start_ms_;
  std::int64_t last_end_ms_;
  std::string last_leaf_;
  std::vector<ActiveProject> projects_;
  std::uint32_t next_project_ = 0;
  std::array<std::string, kAgents.size()> openclaw_maps_;
  GeneratorReport report_;
};

}  // namespace

Result<GeneratorReport> generate(const std::string& out_dir, const GeneratorOptions& options) {
  DirectoryOutput output(out_dir);
  Result<GeneratorReport> report = Corpus(options, output).run();
  if (Status closed = output.close(); report.ok() && !closed.ok()) return closed.error();
  return report;
}

Result<std::map<std::string, std::string>> generate_files(const GeneratorOptions& options) {
  MemoryOutput output;
  const Result<GeneratorReport> report = Corpus(options, output).run();
  if (!report) return report.error();
  return output.files();
}

std::string generate_session(const GeneratorOptions& options) {
  GeneratorOptions one = options;
  one.max_sessions = 1;
  if (one.agents == AgentMix::mixed) one.agents = AgentMix::claude_code;
  Result<std::map<std::string, std::string>> files = generate_files(one);
  if (!files) return {};
  for (auto& [path, bytes] : *files) {
    const bool side = path.find("/subagents/") != std::string::npos;
    if (!side && path.find(".jsonl") != std::string::npos) return std::move(bytes);
  }
  return {};
}

}  // namespace yore::generator
