// yore recall: what a model is to be reminded of, as text for its prompt. Asked by people
// (--since-compact), or run by the hooks of agents (--hook), which never see a failure.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "search/recall.hpp"
#include "service/recall_text.hpp"
#include "service/reminder.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

using service::Json;

struct RecallFlags {
  std::string session;
  bool since_compact = false;
  std::uint32_t max_chars = service::kRecallChars;
  std::string hook;
  bool log = false;
  bool off = false;
  bool on = false;
};

// Hooks -----------------------------------------------------------------------------------------

// How an agent takes what its hooks say.
enum class Reply : std::uint8_t {
  plain,     // the text itself
  specific,  // {"hookSpecificOutput": {"hookEventName", "additionalContext"}}
  context,   // {"additional_context"}
};
struct HookRow {
  std::string_view agent;
  Reply reply;
  bool has_start;  // it tells of the start of a session; else the first prompt is one
};
constexpr std::array kHookRows = {
    HookRow{"claude-code", Reply::specific, true}, HookRow{"codex", Reply::specific, true},
    HookRow{"gemini", Reply::specific, true},      HookRow{"qwen", Reply::specific, false},
    HookRow{"grok", Reply::specific, true},        HookRow{"iflow", Reply::plain, true},
    HookRow{"cursor", Reply::context, true},       HookRow{"kimi", Reply::plain, false},
    HookRow{"opencode", Reply::plain, false},      HookRow{"pi", Reply::plain, false},
};
constexpr HookRow kUnknownHook{"", Reply::plain, true};

enum class HookKind : std::uint8_t { other, start, compacted, prompt };

// What a hook is told, in the words of any agent.
struct HookEvent {
  std::string name;
  HookKind kind = HookKind::other;
  std::string session;
  std::string folder;
  std::string prompt;
};

// The texts of a list: of folders the first, of the blocks of a prompt all.
std::string texts_in(const Json& list) {
  std::string all;
  for (const Json& item : list) {
    if (item.is_string()) return item.get<std::string>();
    if (!item.is_object() || !item.contains("text") || !item["text"].is_string()) continue;
    all += item["text"].get<std::string>() + "\n";
  }
  return all;
}

std::string first_text(const Json& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto value = json.find(key);
    if (value == json.end()) continue;
    std::string text;
    if (value->is_string()) text = value->get<std::string>();
    if (value->is_array()) text = texts_in(*value);
    if (!text.empty()) return text;
  }
  return "";
}

HookKind kind_of(const std::string& name, const std::string& source) {
  if (name == "SessionStart" || name == "sessionStart") {
    if (source == "compact") return HookKind::compacted;
    return source == "resume" ? HookKind::other : HookKind::start;
  }
  const bool is_prompt =
      name == "UserPromptSubmit" || name == "BeforeAgent" || name == "beforeSubmitPrompt";
  return is_prompt ? HookKind::prompt : HookKind::other;
}

HookEvent read_event(const std::string& input) {
  HookEvent event;
  const Json json = Json::parse(input, nullptr, false);
  if (!json.is_object()) return event;
  event.name = first_text(json, {"hook_event_name", "hookEventName", "event"});
  event.session = first_text(json, {"session_id", "sessionId", "conversation_id"});
  event.folder = first_text(json, {"cwd", "workspace_roots"});
  if (event.folder.empty()) event.folder = absolute_path(".");
  event.prompt = first_text(json, {"prompt", "user_prompt"});
  event.kind = kind_of(event.name, first_text(json, {"source"}));
  return event;
}

// One hook of one agent, at work.
class HookRun {
 public:
  HookRun(const Context& context, const std::string& agent)
      : context_(context), row_(row_of(agent)), event_(read_event(context.program.in())) {}

  void run() {
    const std::string& data_dir = context_.settings.data_dir;
    if (event_.kind == HookKind::other || store::recall_is_off(data_dir, event_.folder) ||
        config::is_excluded(context_.settings, event_.folder, "")) {
      return;
    }
    service::IndexAccess::Options options;
    options.settings = context_.settings;
    options.world = [this] { return context_.world; };
    options.heal = false;
    service::IndexAccess access(std::move(options));
    if (!access.has_index()) return;
    remember();
    if (event_.kind == HookKind::compacted) {
      return remind("compact", service::remind_after_compaction(access, asking_));
    }
    if (event_.kind == HookKind::start) {
      if (!started_) remind("start", service::remind_at_start(access, asking_));
      return;
    }
    const auto found = service::remind_of_prompt(access, asking_, event_.prompt);
    if (!row_.has_start && !started_) add_start(access, found ? found->text.size() : 0);
    remind("prompt", found);
  }

 private:
  static const HookRow& row_of(const std::string& agent) {
    const auto known = std::ranges::find(kHookRows, agent, &HookRow::agent);
    return known == kHookRows.end() ? kUnknownHook : *known;
  }

  // At the first prompt, beside what is said to that: where there is room for both. One event takes
  // one answer where that is JSON.
  void add_start(service::IndexAccess& access, std::size_t said_bytes) const {
    if (said_bytes > 0 && row_.reply != Reply::plain) return;
    const auto start = service::remind_at_start(access, asking_);
    if (start && start->text.size() + said_bytes > service::kReminderBytes) return;
    remind("start", start);
  }

  // What this session was told before.
  void remember() {
    asking_.session = event_.session;
    asking_.folder = event_.folder;
    for (const store::RecallEntry& each : store::load_recalls(context_.settings.data_dir)) {
      if (event_.session.empty() || each.session != event_.session) continue;
      started_ = started_ || each.event == "start";
      asking_.known.insert(asking_.known.end(), each.turns.begin(), each.turns.end());
    }
  }

  // That there was nothing to say at a start is noted, where no event tells of the next one.
  void remind(std::string_view kind, const Result<service::Reminder>& reminder) const {
    const bool worth_noting = kind == "start" && !row_.has_start;
    if (!reminder || (reminder->text.empty() && !worth_noting)) return;
    store::RecallEntry entry;
    entry.time = context_.world.now;
    entry.agent = row_.agent;
    entry.event = kind;
    entry.session = event_.session;
    entry.folder = event_.folder;
    entry.bytes = static_cast<std::uint32_t>(reminder->text.size());
    entry.percent = static_cast<std::uint32_t>(reminder->relevance * 100 + 0.5);
    entry.turns = reminder->turns;
    // What cannot be logged would be said again and again.
    if (!store::append_recall(context_.settings.data_dir, entry)) return;
    if (!reminder->text.empty()) say(reminder->text);
  }

  void say(const std::string& text) const {
    if (row_.reply == Reply::plain) return context_.print(text + "\n");
    Json json;
    if (row_.reply == Reply::context) {
      json["additional_context"] = text;
    } else {
      json["hookSpecificOutput"] = {{"hookEventName", event_.name}, {"additionalContext", text}};
    }
    context_.print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  const Context& context_;
  const HookRow& row_;
  const HookEvent event_;
  service::Asking asking_;
  bool started_ = false;
};

int run_hook(const Context& context, const std::string& agent) {
  // A hook that hangs would hold its agent up.
  constexpr unsigned kSeconds = 3;
  std::signal(SIGALRM, [](int) { ::_exit(0); });
  ::alarm(kSeconds);
  HookRun(context, agent).run();
  ::alarm(0);
  return kFound;
}

// The log ---------------------------------------------------------------------------------------

Json log_json(const std::vector<store::RecallEntry>& entries) {
  Json list = Json::array();
  for (const store::RecallEntry& each : entries) {
    Json turns = Json::array();
    for (const store::RemindedTurn& turn : each.turns) {
      turns.push_back(
          {{"session_id", turn.session}, {"turn_number", turn.number}, {"chunk_id", turn.chunk}});
    }
    Json row = {{"timestamp", format_iso8601(each.time)},
                {"agent", each.agent},
                {"event", each.event},
                {"session_id", each.session},
                {"folder", each.folder},
                {"bytes", each.bytes},
                {"turns", std::move(turns)}};
    if (each.event == "prompt") row["relevance"] = each.percent / 100.0;
    list.push_back(std::move(row));
  }
  return Json{{"recalls", std::move(list)}};
}

int show_log(const Context& context) {
  auto entries = store::load_recalls(context.settings.data_dir);
  std::erase_if(entries, [](const store::RecallEntry& each) { return each.bytes == 0; });
  std::ranges::reverse(entries);
  if (context.globals.json) {
    print_json(context, log_json(entries));
    return kFound;
  }
  std::string out;
  for (const store::RecallEntry& each : entries) {
    out += fmt::format("{}  {}  {}  {} bytes", format_age(each.time, context.world.now),
                       context.display_name(each.agent), each.event, each.bytes);
    if (each.event == "prompt") out += fmt::format(", {}%", each.percent);
    out += "  " + text::one_line(shown_path(each.folder, context.home())) + "\n";
    for (const store::RemindedTurn& turn : each.turns) {
      out += context.style(Paint::dim, "    → yore chunk " + text::one_line(turn.chunk)) + "\n";
    }
  }
  context.print(out);
  if (entries.empty()) {
    context.note("No agent was reminded of anything yet. 'yore setup --recall' adds the hooks.");
  }
  return entries.empty() ? kNothing : kFound;
}

int switch_here(const Context& context, bool on) {
  const std::string folder = absolute_path(".");
  const Status done =
      store::switch_recall(context.settings.data_dir, folder, on, *context.world.files);
  if (!done) return context.fail(done.error());
  context.note(fmt::format("Agents {} reminded in {}.", on ? "are" : "are no longer",
                           text::one_line(shown_path(folder, context.home()))));
  return kFound;
}

int recall_compacted(Context& context, const RecallFlags& flags) {
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  search::Reader& reader = fresh->reader;
  const auto session = flags.session.empty()
                           ? search::session_to_recall(reader, context.world, absolute_path("."))
                           : reader.find_session(flags.session);
  if (!session) return context.fail(session.error());
  const auto answer = search::recall_since_compact(reader, *session);
  if (!answer) return context.fail(answer.error());
  if (context.globals.json) {
    print_json(context, service::recall_json(*answer, flags.max_chars));
  } else {
    context.print(service::recall_text(*answer, flags.max_chars));
  }
  return kFound;
}

int run_recall(Context& context, const RecallFlags& flags) {
  if (!flags.hook.empty()) return run_hook(context, flags.hook);
  if (flags.log) return show_log(context);
  if (flags.on || flags.off) return switch_here(context, flags.on);
  if (flags.since_compact) return recall_compacted(context, flags);
  return context.fail({Errc::invalid_argument,
                       "recall wants to know what: --since-compact gives back what a session "
                       "knew before its last compaction",
                       "yore recall --since-compact [SESSION]"});
}

}  // namespace

Action declare_recall(Options& options) {
  const auto flags = std::make_shared<RecallFlags>();  // shared with the action that outlives us
  options.rest("SESSION", flags->session,
               "id of a session, or the start of one (the one that is running)");
  options.flag("--since-compact", flags->since_compact,
               "what the session knew before its last compaction");
  options.number("--max-chars", "N", flags->max_chars, service::kLeastRecallChars,
                 fmt::format("at most so many characters ({})", service::kRecallChars));
  options.text("--hook", "AGENT", flags->hook,
               "run by the agent's hooks (yore setup --recall): reads what happened on standard "
               "input, says what is worth it, and never fails");
  options.flag("--log", flags->log, "what agents were reminded of, newest first");
  options.flag("--off", flags->off, "no more reminders in this folder and below");
  options.flag("--on", flags->on, "reminders in this folder again");
  return [flags](Context& context) { return run_recall(context, *flags); };
}

}  // namespace yore::cli
