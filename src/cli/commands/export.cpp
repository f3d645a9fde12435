// yore export: whole conversations to keep, to read and to pass on.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/open_index.hpp"
#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/time_options.hpp"
#include "render/html.hpp"
#include "render/markdown_text.hpp"
#include "render/terminal_text.hpp"
#include "service/conversation.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

constexpr std::uint32_t kAllTurns = std::numeric_limits<std::uint32_t>::max();
// Of what one tool printed, where it cannot be folded.
constexpr std::size_t kOutputLines = 20;
constexpr std::size_t kTextColumns = 100;

struct ExportFlags {
  std::vector<std::string> sessions;
  std::string format = "md";
  std::string out;
  bool force = false;
  bool focused = false;
  std::vector<std::string> projects;
  std::vector<std::string> exclude;
  std::vector<std::string> agents;
  std::string since;
  std::string until;
  std::uint32_t limit = search::kSessionsListed;
  bool subagents = false;
  bool automated = false;

  [[nodiscard]] bool filtered() const {
    return !projects.empty() || !exclude.empty() || !agents.empty() || !since.empty() ||
           !until.empty() || subagents || automated;
  }
};

using Draw = std::string (*)(const search::ReadAnswer& answer,
                             const transcript::AgentRegistry& agents, render::View view);

std::string as_markdown(const search::ReadAnswer& answer, const transcript::AgentRegistry& agents,
                        render::View view) {
  return render::markdown_document(service::conversation_of(answer, agents, view), kOutputLines);
}

std::string as_html(const search::ReadAnswer& answer, const transcript::AgentRegistry& agents,
                    render::View view) {
  const render::Conversation conversation = service::conversation_of(answer, agents, view);
  return render::html_document(conversation.heading.title, render::html_fragment(conversation));
}

std::string as_text(const search::ReadAnswer& answer, const transcript::AgentRegistry& agents,
                    render::View view) {
  const render::Conversation conversation = service::conversation_of(answer, agents, view);
  std::string out = text::one_line(conversation.heading.title) + "\n";
  for (const auto& [name, value] : conversation.heading.facts) {
    if (value.empty()) continue;
    out += fmt::format("  {:<8}  {}\n", name, text::one_line(value));
  }
  const render::TerminalOptions options{Style(false), kTextColumns, kOutputLines};
  for (const render::Turn& turn : conversation.turns) {
    out += "\n" + render::terminal_turn(turn, conversation.heading.assistant, options);
  }
  return out;
}

std::string as_json(const search::ReadAnswer& answer, const transcript::AgentRegistry&,
                    render::View) {
  return json_text(service::to_json(answer, 0, static_cast<std::uint32_t>(answer.turns.size())));
}

struct Format {
  std::string_view name;
  std::string_view ending;
  Draw draw;
  turns::Detail detail = turns::Detail::parts;
};
constexpr std::array kFormats = {
    Format{"md", ".md", as_markdown},
    Format{"html", ".html", as_html},
    Format{"json", ".json", as_json, turns::Detail::sides},
    Format{"txt", ".txt", as_text},
};

Result<search::ListFilter> filter_of(const Context& context, const ExportFlags& flags) {
  if (Status known = context.check_agents(flags.agents); !known) return known.error();
  const auto since = parse_time(context, "--since", flags.since);
  if (!since) return since.error();
  const auto until = parse_time(context, "--until", flags.until);
  if (!until) return until.error();
  search::ListFilter filter;
  filter.projects = flags.projects;
  filter.exclude = flags.exclude;
  filter.agents = flags.agents;
  filter.since = *since;
  filter.until = *until;
  filter.subagents = flags.subagents;
  filter.automated = flags.automated;
  filter.limit = flags.limit;
  filter.leave_out_empty = true;
  return filter;
}

Result<std::vector<store::SessionRow>> sessions_for(const Context& context, search::Reader& reader,
                                                    const ExportFlags& flags) {
  std::vector<store::SessionRow> sessions;
  for (const std::string& id : flags.sessions) {
    auto session = reader.find_session(id);
    if (!session) return session.error();
    const bool again = std::ranges::any_of(
        sessions, [&](const store::SessionRow& other) { return other.id == session->id; });
    if (!again) sessions.push_back(std::move(*session));
  }
  if (!flags.sessions.empty()) return sessions;
  const auto filter = filter_of(context, flags);
  if (!filter) return filter.error();
  auto listed = reader.list(*filter);
  if (!listed) return listed.error();
  if (listed->sessions.empty()) return Error{Errc::not_found, "No sessions match."};
  if (listed->more) {
    context.note(fmt::format("The newest {} are exported, -n takes more.", count(flags.limit)));
  }
  return std::move(listed->sessions);
}

// "2026-02-10-blog-1a2b3c4d": what any file system takes.
std::string file_name(const store::SessionRow& session, std::string_view short_id) {
  const std::string day = local_time(session.facts.first_time).substr(0, 10);
  std::string name;
  for (const std::string_view part :
       {std::string_view(day), std::string_view(session.project), short_id}) {
    if (part.empty()) continue;
    if (!name.empty()) name += '-';
    for (const char c : text::one_line(part)) {
      const bool kept = ascii::is_alnum(c) || c == '.' || c == '_' || c == '~';
      if (kept) {
        name += c;
      } else if (!name.ends_with('-')) {
        name += '-';
      }
    }
  }
  while (name.starts_with('.') || name.starts_with('-')) name.erase(0, 1);
  return name;
}

struct Exported {
  std::string text;
  std::size_t masked = 0;
};

class Exporter {
 public:
  Exporter(Context& context, search::Reader& reader, const Format& format, const ExportFlags& flags)
      : context_(context), reader_(reader), format_(format), flags_(flags) {}

  Result<Exported> draw(const store::SessionRow& session) {
    auto answer = reader_.read(session, 0, kAllTurns, format_.detail);
    if (!answer) return answer.error();
    context_.mask(*answer);
    const auto view = flags_.focused ? render::View::focused : render::View::all;
    Exported exported{format_.draw(*answer, *context_.settings.agents, view),
                      service::masked_in(*answer)};
    masked_ += exported.masked;
    return exported;
  }

  int to_folder(const std::vector<store::SessionRow>& sessions) {
    const std::string folder = absolute_path(expand_home(flags_.out, context_.home()));
    if (Status made = make_directories(folder); !made) return context_.fail(made.error());
    const auto ids = reader_.short_ids();
    if (!ids) return context_.fail(ids.error());
    const InterruptGuard guard;
    for (const store::SessionRow& session : sessions) {
      if (InterruptGuard::asked()) return context_.fail({Errc::cancelled, "interrupted"});
      store::SessionRow shown = session;
      context_.mask(shown);
      const std::string name = file_name(shown, ids->of(session.uid)) + std::string(format_.ending);
      const std::string path = path_join(folder, name);
      if (const Status done = write(session, path); !done) return context_.fail(done.error());
    }
    return finish();
  }

  [[nodiscard]] std::size_t masked() const { return masked_; }
  void say_masked() const {
    if (masked_ > 0) context_.note(plural(masked_, "secret") + " masked.");
  }

 private:
  // What is there already stays, unless it may be replaced.
  Status write(const store::SessionRow& session, const std::string& path) {
    if (!flags_.force && look_at(path).there) {
      ++left_;
      context_.note(fmt::format("{} exists already.", shown_path(path, context_.home())));
      return {};
    }
    auto exported = draw(session);
    if (!exported) return exported.error();
    Status written = flags_.force ? write_file_atomically(path, exported->text)
                                  : write_new_file(path, exported->text);
    if (!written) return written;
    if (context_.globals.json) {
      files_.push_back({{"session_id", session.uid}, {"path", path}, {"masked", exported->masked}});
    } else {
      context_.print(shown_path(path, context_.home()) + "\n");
    }
    ++written_;
    return {};
  }

  int finish() {
    if (context_.globals.json) {
      context_.mask(files_);
      print_json(context_, service::Json{{"files", files_}, {"masked", masked_}, {"left", left_}});
    } else {
      std::string note = plural(written_, "session") + " exported";
      if (masked_ > 0) note += ", " + plural(masked_, "secret") + " masked";
      context_.note(note + ".");
    }
    if (left_ > 0) context_.note("--force replaces what exists.");
    return written_ == 0 ? kWrongUse : kFound;
  }

  Context& context_;
  search::Reader& reader_;
  const Format& format_;
  const ExportFlags& flags_;
  service::Json files_ = service::Json::array();
  std::size_t masked_ = 0;
  std::size_t written_ = 0;
  std::size_t left_ = 0;
};

int to_screen(Context& context, Exporter& exporter, const Format& format,
              const store::SessionRow& session) {
  const auto exported = exporter.draw(session);
  if (!exported) return context.fail(exported.error());
  if (format.name == "html") {
    context.print(exported->text);
  } else {
    context.page(exported->text);
  }
  exporter.say_masked();
  return kFound;
}

int run_export(Context& context, const ExportFlags& flags) {
  if (context.globals.reveal && !flags.out.empty()) {
    return context.fail({Errc::invalid_argument, "--reveal shows secrets on a terminal only",
                         "files are always masked: leave out --reveal or --out"});
  }
  if (flags.sessions.empty() && !flags.filtered()) {
    return context.fail({Errc::invalid_argument, "SESSION is missing",
                         "many at once: yore export --since 7d --out DIR"});
  }
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  if (fresh->no_transcripts) context.note(no_transcripts(context));
  const auto sessions = sessions_for(context, fresh->reader, flags);
  if (!sessions) return context.fail(sessions.error());
  const bool json_wanted = context.globals.json && flags.out.empty();
  const auto* const format = std::ranges::find(
      kFormats, json_wanted ? std::string_view("json") : std::string_view(flags.format),
      &Format::name);
  Exporter exporter(context, fresh->reader, *format, flags);
  if (!flags.out.empty()) return exporter.to_folder(*sessions);
  if (sessions->size() > 1) {
    return context.fail({Errc::invalid_argument,
                         fmt::format("{} need a folder", plural(sessions->size(), "session")),
                         "for example: --out conversations"});
  }
  return to_screen(context, exporter, *format, sessions->front());
}

}  // namespace

Action declare_export(Options& options) {
  const auto flags = std::make_shared<ExportFlags>();  // shared with the action that outlives us
  options.words("SESSION...", flags->sessions, "ids of sessions, or the starts of them");
  std::vector<std::string> formats;
  formats.reserve(kFormats.size());
  for (const Format& format : kFormats) formats.emplace_back(format.name);
  options.choice("-f,--format", "FORMAT", flags->format, formats,
                 "md (as without), html (a page of its own), json or txt");
  options.text("-o,--out", "DIR", flags->out, "a file for each session in this folder");
  options.flag("--force", flags->force, "replace files that are there already");
  options.flag("--focused", flags->focused, "only what was asked and what was concluded");
  options.texts("-p,--project", "TEXT", flags->projects,
                "only projects whose name, folder or path contains TEXT (repeatable)");
  options.texts("-x,--exclude", "TEXT", flags->exclude, "none of these projects (repeatable)");
  options.texts("-a,--agent", "NAME", flags->agents,
                "only sessions of this agent, as in yore agents (repeatable)");
  options.text("-s,--since", "WHEN", flags->since,
               "last active at or after: 2h, 3d, 2w, 6m, 1y, today, yesterday, 2026-01-31");
  options.text("-u,--until", "WHEN", flags->until, "last active before");
  options.number("-n,--limit", "N", flags->limit, 1,
                 fmt::format("at most so many sessions ({})", search::kSessionsListed));
  options.flag("--subagents", flags->subagents, "the sessions of sub-agents too");
  options.flag("--automated", flags->automated, "what nobody typed (timers, hooks) too");
  return [flags](Context& context) { return run_export(context, *flags); };
}

}  // namespace yore::cli
