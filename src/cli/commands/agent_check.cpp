#include "cli/commands/agent_check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <vector>

#include "base/files/file.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"
#include "transcript/registry.hpp"
#include "transcript/spec/spec_toml.hpp"
#include "turns/session_builder.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kShownSessions = 20;
constexpr std::size_t kShownChars = 80;
constexpr std::uint64_t kStepBytes = 8ULL << 20;

struct CheckedSession {
  std::string id;
  std::string path;
  std::string first_prompt;
  std::string error;  // why it could not be read
  std::uint64_t turns = 0;
};

struct Checked {
  std::vector<CheckedSession> sessions;
  std::map<std::string, std::uint64_t> unknown;   // "type x", "record.key"
  std::map<std::string, std::uint64_t> problems;  // "invalid-json"
  std::vector<std::string> troubles;              // "path: sentence"
  std::uint64_t turns = 0;
};

// Reads one session as an index run would.
CheckedSession read_session(const transcript::Adapter& adapter,
                            const transcript::SessionRef& session, Checked& checked) {
  CheckedSession result;
  result.id = session.id;
  result.path = session.path;
  turns::SessionBuilder builder;
  transcript::Cursor cursor;
  std::uint64_t turns = 0;
  for (bool more = true; more;) {
    const auto step = adapter.read(session, cursor, {kStepBytes}, builder);
    if (!step) {
      result.error = step.error().message;
      break;
    }
    more = step->more;
    cursor = step->cursor;
    const turns::Delta delta = builder.take();
    turns = delta.facts.turn_count;
    result.first_prompt = delta.facts.first_prompt;
    for (const auto& problem : builder.take_problems()) {
      ++checked.problems[std::string(transcript::problem_name(problem.kind))];
    }
    for (const auto& [what, count] : builder.take_unknown()) checked.unknown[what] += count;
  }
  result.turns = turns;
  checked.turns += turns;
  return result;
}

Result<Checked> check(const transcript::Adapter& adapter, const std::string& path) {
  auto listing = adapter.sessions({path, true}, {});
  if (!listing) return listing.error();
  Checked checked;
  for (const auto& [where, sentence] : listing->problems) {
    checked.troubles.push_back(where + ": " + sentence);
  }
  for (const transcript::SessionRef& session : listing->sessions) {
    checked.sessions.push_back(read_session(adapter, session, checked));
    const CheckedSession& last = checked.sessions.back();
    if (!last.error.empty()) checked.troubles.push_back(last.path + ": " + last.error);
  }
  return checked;
}

service::Json to_json(const transcript::Adapter& adapter, const Checked& checked) {
  service::Json sessions = service::Json::array();
  for (const CheckedSession& session : checked.sessions) {
    sessions.push_back({{"session_id", session.id},
                        {"path", session.path},
                        {"turns", session.turns},
                        {"first_prompt", session.first_prompt}});
  }
  return service::Json{{"agent", adapter.name},        {"sessions", std::move(sessions)},
                       {"turns", checked.turns},       {"unknown", checked.unknown},
                       {"problems", checked.problems}, {"troubles", checked.troubles}};
}

void add_counts(const Context& context, std::string& out, std::string_view title,
                const std::map<std::string, std::uint64_t>& counts) {
  if (counts.empty()) return;
  out += context.style(Paint::bold, title) + "\n";
  for (const auto& [what, times] : counts) {
    out += fmt::format("  {} ×{}\n", text::one_line(what), count(times));
  }
}

std::string check_text(const Context& context, const transcript::Adapter& adapter,
                       const Checked& checked) {
  std::string out = fmt::format(
      "{} ({}): {}, {}\n", context.style(Paint::bold, adapter.display_name), adapter.name,
      plural(checked.sessions.size(), "session"), plural(checked.turns, "turn"));
  const std::size_t shown = std::min(checked.sessions.size(), kShownSessions);
  for (std::size_t i = 0; i < shown; ++i) {
    const CheckedSession& session = checked.sessions[i];
    const std::string prompt = text::one_line(session.first_prompt);
    out += fmt::format(
        "  {}: {}{}\n", text::one_line(session.id), plural(session.turns, "turn"),
        prompt.empty() ? "" : ", " + std::string(text::first_chars(prompt, kShownChars)));
  }
  if (shown < checked.sessions.size()) {
    out += fmt::format("  and {} more\n", count(checked.sessions.size() - shown));
  }
  add_counts(context, out, "unknown types and keys", checked.unknown);
  add_counts(context, out, "problems", checked.problems);
  for (const std::string& trouble : checked.troubles) {
    out += "could not read " + text::one_line(trouble) + "\n";
  }
  return out;
}

}  // namespace

int check_agent(const Context& context, const std::string& file, const std::string& path) {
  const auto text = read_file(file, transcript::kMaxSpecBytes + 1);
  if (!text) return context.fail(text.error());
  auto spec = transcript::parse_agent(*text, file);
  if (!spec) return context.fail(spec.error());
  const auto made = transcript::make_agent(std::move(*spec), *context.settings.agents);
  if (!made) return context.fail(made.error());
  const transcript::Adapter& adapter = *made;
  const std::string place = absolute_path(expand_home(path, context.home()));
  const auto checked = check(adapter, place);
  if (!checked) return context.fail(checked.error());
  if (context.globals.json) {
    print_json(context, to_json(adapter, *checked));
  } else {
    context.print(check_text(context, adapter, *checked));
    const transcript::Adapter* taken = context.settings.agents->find(adapter.name);
    if (taken != nullptr && !taken->from_user) {
      context.note(fmt::format("'{}' is the name of an agent of yore's own.", adapter.name));
    }
  }
  return checked->sessions.empty() ? kNothing : kFound;
}

}  // namespace yore::cli
