#include "dump.hpp"

#include <array>
#include <cstdio>
#include <span>
#include <string_view>

#include "base/time.hpp"
#include "text/utf8.hpp"
#include "transcript/record.hpp"

namespace yore::cases {
namespace {

using turns::Passage;
using turns::SessionFacts;
using turns::Surface;
using turns::Turn;

// Longer lines are shown by their ends, so that a case about size stays readable.
constexpr std::size_t kMaxLineBytes = 240;
constexpr std::size_t kLineEndBytes = 60;

struct SurfacePrefix {
  Surface surface;
  std::string_view prefix;
};
constexpr std::array kPrefixes = {
    SurfacePrefix{Surface::user_prompt, "user|"},
    SurfacePrefix{Surface::assistant_text, "assistant|"},
    SurfacePrefix{Surface::thinking, "thinking|"},
    SurfacePrefix{Surface::tool, "tool|"},
    SurfacePrefix{Surface::calls, "call|"},
    SurfacePrefix{Surface::own, "own|"},
    SurfacePrefix{Surface::note, "note|"},
};

std::string visible(std::string_view line) {
  std::string out;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
      continue;
    }
    std::array<char, 8> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\x%02x", byte);
    out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : escaped.data();
  }
  return out;
}

std::string shortened(std::string_view line) {
  if (line.size() <= kMaxLineBytes) return visible(line);
  return visible(text::prefix_bytes(line, kLineEndBytes)) + " […" + std::to_string(line.size()) +
         " bytes…] " + visible(text::suffix_bytes(line, kLineEndBytes));
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : shortened(text)) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out + '"';
}

void add_lines(std::string& out, std::string_view prefix, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out.append("    ").append(prefix);
    if (!line.empty()) out.append(" ").append(shortened(line));
    out += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

// The blocks of one surface of one turn, each whole.
void add_surface(std::string& out, const SurfacePrefix& shown, const Turn& turn,
                 const StoredSession& session) {
  std::string block;
  std::uint32_t number = 0;
  for (const auto& passages : {std::span(session.sealed), std::span(session.open)}) {
    for (const Passage& passage : passages) {
      if (passage.turn != turn.number || passage.surface != shown.surface) continue;
      if (passage.block != number) {
        add_lines(out, shown.prefix, block);
        block.clear();
        number = passage.block;
      }
      block += passage.text;
    }
  }
  add_lines(out, shown.prefix, block);
}

void add_turn(std::string& out, const Turn& turn, const StoredSession& session) {
  out += "  turn " + std::to_string(turn.number) + " line=" + std::to_string(turn.line);
  // A note is as old as its file.
  const bool dated = session.ref.content != transcript::SessionContent::note;
  if (dated && turn.first_time != kNoTime) out += " " + format_iso8601(turn.first_time);
  if (turn.abandoned) out += " abandoned";
  if (turn.automated) out += " machine";
  if (turn.scripted) out += " scripted";
  out += '\n';
  for (const SurfacePrefix& shown : kPrefixes) add_surface(out, shown, turn, session);
}

using NamedText = std::pair<std::string_view, std::string_view>;

// "  cwd=/w branch=main": those that are there, on one line.
void add_row(std::string& out, std::initializer_list<NamedText> values) {
  std::string row;
  for (const auto& [name, value] : values) {
    if (value.empty()) continue;
    row.append(" ").append(name).append("=").append(visible(value));
  }
  if (!row.empty()) out += " " + row + "\n";
}

void add_titles(std::string& out, const StoredSession& session) {
  const SessionFacts& facts = session.facts;
  const std::array<NamedText, 7> titles = {{
      {"custom", facts.custom_title},
      {"name", facts.name_title},
      {"ai", facts.ai_title},
      {"index", facts.index_title},
      {"listed", session.ref.title},
      {"compaction", facts.compaction_title},
      {"slug", facts.slug},
  }};
  bool any = false;
  for (const auto& [kind, title] : titles) {
    if (title.empty()) continue;
    out.append("  title ").append(kind).append("=").append(in_quotes(title)).append("\n");
    any = true;
  }
  if (!any && !facts.first_prompt.empty()) {
    out += "  title first=" + in_quotes(facts.first_prompt) + "\n";
  }
  for (const turns::LeafTitle& leaf : session.leaf_titles) {
    out += "  leaf-title " + in_quotes(leaf.text) + (leaf.early ? " early" : "") + "\n";
  }
}

void add_usage(std::string& out, const transcript::Usage& usage) {
  if (usage == transcript::Usage{}) return;
  out += "  usage input=" + std::to_string(usage.input_tokens) +
         " output=" + std::to_string(usage.output_tokens) +
         " cache-read=" + std::to_string(usage.cache_read_tokens) +
         " cache-write=" + std::to_string(usage.cache_write_tokens) + "\n";
}

}  // namespace

std::string dump(const StoredSession& session) {
  const transcript::SessionRef& ref = session.ref;
  const SessionFacts& facts = session.facts;
  std::string out = "session " + visible(ref.id);
  out += ref.kind == transcript::SessionKind::main ? " main" : " subagent";
  if (ref.content == transcript::SessionContent::prompts) out += " prompts-only";
  if (ref.content == transcript::SessionContent::note) out += " note";
  if (!ref.parent_id.empty()) out += " parent=" + visible(ref.parent_id);
  if (!ref.directory.empty()) out += " project-dir=" + in_quotes(ref.directory);
  if (!ref.project.empty()) out += " project=" + in_quotes(ref.project);
  if (ref.automated) out += " machine";
  out += '\n';
  add_row(out, {{"cwd", facts.cwd},
                {"branch", facts.branch},
                {"model", facts.model},
                {"version", facts.version}});
  add_row(out,
          {{"first-cwd", facts.first_cwd == facts.cwd ? "" : std::string_view(facts.first_cwd)},
           {"listed-cwd", ref.cwd},
           {"resume-key", ref.resume_key}});
  add_titles(out, session);
  add_usage(out, facts.usage);
  for (const auto& [number, turn] : session.turns) add_turn(out, turn, session);
  for (const auto& problem : session.problems) {
    out.append("  problem ").append(transcript::problem_name(problem.kind));
    out += " line=" + std::to_string(problem.line) + "\n";
  }
  for (const auto& [what, count] : session.unknown) {
    out += "  unknown " + visible(what) + " x" + std::to_string(count) + "\n";
  }
  return out;
}

}  // namespace yore::cases
