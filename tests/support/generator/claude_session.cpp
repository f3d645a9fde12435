// The frame of a session: file, prompts, what surrounds a turn. The work inside a turn is in
// claude_work.cpp.
#include "generator/claude_session.hpp"

#include <algorithm>
#include <array>

#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

// Lines of a turn: prompt, work and what surrounds it.
constexpr Spread kTurnLines = {3, 6, 32, 155, 425, 450};
constexpr Spread kAnswerBytes = {40, 160, 900, 2800, 4300, 5200};
constexpr std::array<std::string_view, 5> kOlderVersions = {"2.0.76", "2.1.7", "2.1.17", "2.1.42",
                                                            "2.1.63"};
constexpr std::array<std::string_view, 3> kModernVersions = {"2.1.209", "2.1.217", "2.1.219"};
constexpr std::array<std::string_view, 3> kModels = {
    "claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"};
constexpr std::array<std::string_view, 8> kSlugs = {"amber", "gentle", "hollow", "rapid",
                                                    "quiet", "brisk",  "lunar",  "woven"};

std::string make_slug(Rng& rng) {
  std::string slug(rng.pick(kSlugs));
  (slug += "-running-") += rng.pick(kSlugs);
  return slug;
}

SessionReport report_with_id(std::string id) {
  SessionReport report;
  report.id = std::move(id);
  return report;
}

}  // namespace

ClaudeSession::ClaudeSession(Rng& rng, Draws& draws, TextMaker& text, const Project& project,
                             Output& output, SessionPlan plan)
    : rng_(rng),
      draws_(draws),
      text_(text),
      project_(project),
      output_(output),
      plan_(std::move(plan)),
      report_(report_with_id(make_uuid(rng))),
      clock_{plan_.start_ms, 0},
      version_(plan_.modern ? rng.pick(kModernVersions) : rng.pick(kOlderVersions)),
      slug_(make_slug(rng)),
      model_(rng.pick(kModels)),
      writer_(rng, clock_, plan_.modern),
      tools_(rng, text, project, plan_.modern,
             "/home/dev/.claude/projects/" + project.directory() + "/" + report_.id +
                 "/tool-results") {
  report_.start_ms = plan_.start_ms;
  path_ = plan_.directory + "/" + report_.id + ".jsonl";
  main_ =
      make_chain({report_.id, project.cwd(), project.branch(), version_, slug_, "", plan_.modern});
}

Result<SessionReport> ClaudeSession::run(const Replay* forked_from) {
  if (Status begun = output_.begin(path_); !begun.ok()) return begun.error();
  ++report_.files;
  text_.title(report_.title);
  open_file();
  if (forked_from != nullptr) replay(*forked_from);
  keeping_ = plan_.keep_turns > 0;
  for (std::uint32_t i = 0; i < plan_.turns; ++i) {
    if (Status written = turn(i == 0 && forked_from == nullptr); !written.ok()) {
      return written.error();
    }
    if (report_.bytes >= plan_.budget_bytes) break;
    // People read, think, go to lunch.
    clock_.now_ms +=
        rng_.chance(850) ? rng_.between(8'000, 400'000) : rng_.between(400'000, 5'400'000);
  }
  report_.end_ms = clock_.now_ms;
  report_.last_uuid = main_.parent;
  report_.lines = main_.lines;
  return report_;
}

void ClaudeSession::open_file() {
  if (!plan_.modern && !plan_.foreign_leaf.empty()) {
    std::string line = "{\"type\":\"summary\",\"summary\":\"";
    text_.title(line);
    ((line += "\",\"leafUuid\":\"") += plan_.foreign_leaf) += "\"}";
    writer_.bare(main_, line);
  }
  if (plan_.modern) {
    body_ = "{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"";
    writer_.bare(main_, (body_ += report_.id) += "\"}");
  }
  if (rng_.chance(120)) {
    body_ =
        "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"<command-name>/clear"
        "</command-name>\\n<command-message>clear</command-message>\\n<command-args>"
        "</command-args>\"}";
    writer_.chained(main_, body_);
  }
}

void ClaudeSession::replay(const Replay& from) {
  // A fork tells the same story under its own session id and says nowhere where it comes from.
  const std::string key = "\"sessionId\":\"";
  std::string_view rest = from.lines;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n') + 1;
    const std::string_view line = rest.substr(0, end);
    // The envelope's own key: last in modern records, first in older ones, where anything that
    // looks like it in the text is escaped anyway.
    const std::size_t id = line.find(key) + key.size();
    ((main_.out += line.substr(0, id)) += report_.id) += line.substr(id + report_.id.size());
    ++main_.lines;
    rest.remove_prefix(end);
  }
  main_.parent = from.last_uuid;
  report_.turns += from.turns;
}

std::string ClaudeSession::prompt(bool first) {
  std::string text;
  text_.prompt(text, first);
  if (report_.first_prompt.empty()) {
    // Cut at a character and never inside an escape.
    report_.first_prompt = text.substr(0, text.find('\\'));
    if (report_.first_prompt.size() > 200 && !report_.first_prompt.empty()) {
      std::size_t end = 200;
      while ((report_.first_prompt[end] & 0xC0) == 0x80) --end;
      report_.first_prompt.resize(end);
    }
  }
  return text;
}

void ClaudeSession::user_record(std::string_view content, std::string_view more) {
  body_ = plan_.modern ? "\"promptId\":\"" + make_uuid(rng_) + "\"," : "";
  ((body_ += "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":") += content) += '}';
  writer_.chained(main_, body_, more);
}

Status ClaudeSession::turn(bool first) {
  const std::int64_t started_ms = clock_.now_ms;
  const std::uint32_t end_line =
      main_.lines + std::max(3U, scaled(quantile(kTurnLines, draws_.turn_lines.next())));
  long_turn_ = end_line - main_.lines > 150;
  if (!first) injected();
  const std::string prompt_text = prompt(first);
  std::string content = "\"";
  (content += prompt_text) += '"';
  if (draws_.images.chance(scaled(52))) {
    content =
        "[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\","
        "\"data\":\"iVBORw0KGgo";
    append_base64(rng_, content, rng_.between(4'000, 64'000));
    ((content += "\"}},{\"type\":\"text\",\"text\":\"") += prompt_text) += "\"}]";
  }
  user_record(content, plan_.modern
                           ? ",\"permissionMode\":\"default\",\"origin\":{\"kind\":"
                             "\"human\"},\"promptSource\":\"typed\""
                           : ",\"thinkingMetadata\":{\"level\":\"high\",\"disabled\":false,"
                             "\"triggers\":[]},\"todos\":[],\"permissionMode\":\"default\"");
  ++report_.turns;
  before_work(prompt_text);

  const std::uint32_t room = end_line > main_.lines ? end_line - main_.lines : 0;
  bool delegates = room >= 60 && draws_.delegates.chance(300);
  while (main_.lines + 3 < end_line) {
    if (delegates && main_.lines + room / 2 > end_line) {
      delegates = false;
      if (Status done = subagent(std::min(room / 3, rng_.between(14, 75))); !done.ok()) return done;
    }
    if (Status done = step(); !done.ok()) return done;
    interruptions();
  }
  writer_.begin_message(model_);
  said_.clear();
  text_.conclusion(said_, sample(kAnswerBytes, rng_));
  if (plan_.clock_steps_back && first) clock_.step_back_ms = rng_.between(1'500, 90'000);
  say(said_, "end_turn");
  if (rng_.chance(60)) {
    user_record("[{\"type\":\"text\",\"text\":\"[Request interrupted by user]\"}]", "");
  }
  after_work(started_ms);

  if (keeping_) {
    std::string_view rest = main_.out;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n') + 1;
      if (rest.starts_with("{\"parentUuid\"")) report_.replay.lines += rest.substr(0, end);
      rest.remove_prefix(end);
    }
    report_.replay.last_uuid = main_.parent;
    report_.replay.end_ms = clock_.now_ms;
    report_.replay.session_id = report_.id;
    keeping_ = ++report_.replay.turns < plan_.keep_turns;
  }
  return flush();
}

void ClaudeSession::injected() {
  if (rng_.chance(80)) {
    std::string skill = "[{\"type\":\"text\",\"text\":\"Base directory for this skill: ";
    (skill += project_.cwd()) += "\\n\\n";
    text_.prose(skill, rng_.between(1'500, 6'000));
    user_record(skill += "\"}]", ",\"isMeta\":true");
  }
  if (main_.lines < 300 || !rng_.chance(120)) return;
  std::string boundary = "\"logicalParentUuid\":\"";
  ((boundary += main_.parent) += "\",\"type\":\"system\",\"subtype\":\"compact_boundary\"");
  boundary +=
      ",\"content\":\"Conversation compacted\",\"level\":\"info\",\"compactMetadata\":"
      "{\"trigger\":\"auto\",\"preTokens\":155333}";
  main_.parent.clear();
  writer_.chained(main_, boundary);
  std::string summary = "\"This session is being continued from a previous conversation.\\n\\n";
  text_.prose(summary, rng_.between(3'000, 12'000));
  user_record(summary += '"', ",\"isCompactSummary\":true,\"isVisibleInTranscriptOnly\":true");
}

void ClaudeSession::before_work(std::string_view prompt_text) {
  pass(5, 400);
  if (!plan_.modern) {
    if (rng_.chance(150)) return;
    std::string line = "{\"type\":\"file-history-snapshot\",\"messageId\":\"";
    ((line += main_.parent) += "\",\"snapshot\":{\"messageId\":\"") += main_.parent;
    line += "\",\"trackedFileBackups\":{";
    const std::uint32_t tracked = rng_.below(5);
    for (std::uint32_t i = 0; i < tracked; ++i) {
      ((line += i == 0 ? "\"" : ",\"") += project_.paths()[i]) += "\":{\"backupFileName\":\"";
      line += make_hex(rng_, 16) + "@v1\",\"version\":1,\"backupTime\":\"";
      writer_.append_time(line);
      line += "\"}";
    }
    line += "},\"timestamp\":\"";
    writer_.append_time(line);
    writer_.bare(main_, line += "\"},\"isSnapshotUpdate\":false}");
    return;
  }
  if (rng_.chance(700)) {
    body_ = "\"attachment\":{\"type\":\"hook_additional_context\",\"content\":[\"";
    text_.prose(body_, rng_.between(100, 2500));
    body_ += "\"],\"hookName\":\"UserPromptSubmit\",\"toolUseID\":\"hook-" + make_uuid(rng_) +
             "\",\"hookEvent\":\"UserPromptSubmit\"},\"type\":\"attachment\"";
    writer_.chained(main_, body_);
  }
  std::string line = "{\"type\":\"last-prompt\",\"lastPrompt\":\"";
  const std::size_t cut = std::min<std::size_t>(prompt_text.find('\\'), prompt_text.size());
  line += cut <= 200 ? prompt_text.substr(0, cut) : std::string_view(report_.first_prompt);
  ((line += "\",\"leafUuid\":\"") += main_.parent) += "\",\"sessionId\":\"";
  writer_.bare(main_, (line += report_.id) += "\"}");
}

void ClaudeSession::after_work(std::int64_t started_ms) {
  pass(20, 900);
  if (rng_.chance(650)) {
    body_ =
        "\"type\":\"system\",\"subtype\":\"stop_hook_summary\",\"hookCount\":1,\"hookInfos\":"
        "[{\"command\":\"make lint && make format-check\"}],\"hookErrors\":[],"
        "\"preventedContinuation\":false,\"stopReason\":\"\",\"hasOutput\":true,"
        "\"level\":\"suggestion\",\"toolUseID\":\"" +
        make_uuid(rng_) + "\"";
    writer_.chained(main_, body_);
  }
  if (!plan_.modern && rng_.chance(600)) {
    body_ = "\"type\":\"system\",\"subtype\":\"turn_duration\",\"durationMs\":";
    append_number(body_, static_cast<std::uint64_t>(clock_.now_ms - started_ms));
    writer_.chained(main_, body_, ",\"isMeta\":false");
  }
  if (plan_.modern) {
    const bool custom = report_.id[0] < '8';  // a property of the session
    body_ = custom ? "{\"type\":\"custom-title\",\"customTitle\":\""
                   : "{\"type\":\"ai-title\",\"aiTitle\":\"";
    ((body_ += report_.title) += "\",\"sessionId\":\"") += report_.id;
    writer_.bare(main_, body_ += "\"}");
  }
}

void ClaudeSession::interruptions() {
  if (plan_.clock_steps_back && rng_.chance(20)) clock_.step_back_ms = rng_.between(1'500, 90'000);
  if (!rng_.chance(12)) return;
  body_ = "{\"type\":\"queue-operation\",\"operation\":\"enqueue\",\"timestamp\":\"";
  writer_.append_time(body_);
  ((body_ += "\",\"sessionId\":\"") += report_.id) += "\",\"content\":\"";
  const std::size_t start = body_.size();
  text_.prompt(body_, false);
  const std::string queued = body_.substr(start);
  writer_.bare(main_, body_ += "\"}");
  if (!plan_.modern) return;
  // Newer builds deliver what was typed meanwhile as an attachment.
  body_ = "{\"type\":\"queue-operation\",\"operation\":\"remove\",\"timestamp\":\"";
  writer_.append_time(body_);
  writer_.bare(main_, ((body_ += "\",\"sessionId\":\"") += report_.id) += "\"}");
  body_ = "\"attachment\":{\"type\":\"queued_command\",\"prompt\":\"" + queued +
          "\",\"commandMode\":\"prompt\",\"origin\":{\"kind\":\"human\"}},\"type\":\"attachment\"";
  writer_.chained(main_, body_);
}

Status ClaudeSession::flush() {
  report_.bytes += main_.out.size();
  Status written = output_.append(path_, main_.out);
  main_.out.clear();
  return written;
}

Status ClaudeSession::side_file(const std::string& path, std::string_view bytes) {
  ++report_.files;
  report_.bytes += bytes.size();
  return output_.write(plan_.directory + "/" + report_.id + "/" + path, bytes);
}

}  // namespace yore::generator
