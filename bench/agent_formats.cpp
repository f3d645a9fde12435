#include "agent_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "claude_lines.hpp"

namespace yore::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr Time kSomeTime = from_ms(1'700'000'000'000);

std::string folder_of(const Document& document) {
  return "/home/ann/" + document.project;
}

// The id without the agent's name in front.
std::string bare_id(const Document& document) {
  return document.session.substr(document.session.find(':') + 1);
}

// Every record is a little later than the one before.
class Clock {
 public:
  explicit Clock(Time time) : time_(time) {}
  std::string iso() { return format_iso8601(tick()); }
  std::int64_t ms() { return to_ms(tick()); }

 private:
  Time tick() { return time_ += std::chrono::seconds{7}; }
  Time time_;
};

Status write_file(const std::string& path, std::string_view content) {
  if (Status made = make_directories(std::string(path_dirname(path))); !made) return made;
  std::ofstream file(path, std::ios::binary);
  file << content;
  return file.flush() ? Status{} : Status{Error{Errc::io, path + ": cannot be written"}};
}

// What an edit takes away (sign '-') or puts there ('+'), of a diff's lines.
std::string side_of(std::string_view diff, char sign) {
  std::string text;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    if (diff[at] == sign) text.append(diff.substr(at + 1, end - at - 1)) += '\n';
    at = end + 1;
  }
  return text;
}

// Names of an agent's tools and of their arguments.
struct ToolNames {
  std::string_view shell;
  std::string_view read;
  std::string_view edit;
  std::string_view path;
  std::string_view before;
  std::string_view after;
};
constexpr ToolNames kClaude{"Bash", "Read", "Edit", "file_path", "old_string", "new_string"};
constexpr ToolNames kOpenClaw{"exec", "read", "edit", "path", "old_string", "new_string"};
constexpr ToolNames kGemini{"run_shell_command", "read_file",  "replace",
                            "file_path",         "old_string", "new_string"};
constexpr ToolNames kOpenCode{"bash", "read", "edit", "filePath", "oldString", "newString"};

struct Call {
  std::string_view name;
  Json input;
  std::string output;
};

Call make_call(const Utterance& used, const ToolNames& names) {
  if (used.tool == Tool::shell) return {names.shell, {{"command", used.text}}, used.output};
  if (used.tool == Tool::read) return {names.read, {{names.path, used.text}}, used.output};
  return {names.edit,
          {{names.path, used.text},
           {names.before, side_of(used.output, '-')},
           {names.after, side_of(used.output, '+')}},
          "The file has been updated."};
}

Status write_claude(const Document& document, const Place& place) {
  const std::string cwd = folder_of(document);
  fake::ClaudeLines lines(document.session, cwd);
  lines.set_time(document.time == kNoTime ? kSomeTime : document.time);
  std::string text;
  for (const Utterance& said : document.utterances) {
    if (said.tool == Tool::none) {
      text += said.by_user ? lines.prompt(said.text) : lines.answer(said.text);
      continue;
    }
    Call call = make_call(said, kClaude);
    text += lines.tool_call(call.name, std::move(call.input));
    text += lines.tool_result(call.output);
  }
  if (!document.title.empty()) text += lines.ai_title(document.title);
  return write_file(place.session_path(cwd, document.session), text);
}

Status write_openclaw(const Document& document, const Place& place) {
  const std::string id = bare_id(document);
  Clock clock(document.time);
  Json parent = nullptr;
  int count = 0;
  std::string text = Json{{"type", "session"},
                          {"version", 3},
                          {"id", id},
                          {"timestamp", clock.iso()},
                          {"cwd", folder_of(document)}}
                         .dump() +
                     "\n";
  const auto entry = [&](std::string_view type, std::string_view key, Json value) {
    const std::string own = fmt::format("e{:07x}", ++count);
    text += Json{{"type", type},
                 {"id", own},
                 {"parentId", std::exchange(parent, own)},
                 {"timestamp", clock.iso()},
                 {key, std::move(value)}}
                .dump() +
            "\n";
  };
  const auto message = [&](std::string_view role, Json block, Json more = Json::object()) {
    Json body = {{"role", role}, {"content", Json::array({std::move(block)})}};
    body.update(more);
    entry("message", "message", std::move(body));
  };
  if (!document.title.empty()) entry("session_info", "name", document.title);
  for (const Utterance& said : document.utterances) {
    if (said.tool == Tool::none) {
      message(said.by_user ? "user" : "assistant", {{"type", "text"}, {"text", said.text}});
      continue;
    }
    Call call = make_call(said, kOpenClaw);
    const std::string key = fmt::format("call_{}", count);
    message("assistant", {{"type", "toolCall"},
                          {"id", key},
                          {"name", call.name},
                          {"arguments", std::move(call.input)}});
    message("toolResult", {{"type", "text"}, {"text", call.output}},
            {{"toolCallId", key}, {"toolName", call.name}, {"isError", false}});
  }
  return write_file(fmt::format("{}/home/.openclaw/agents/{}/sessions/{}.jsonl", place.base(),
                                document.project, id),
                    text);
}

// Codex has a shell and patches, no tool to read a file.
void append_codex_call(const Utterance& said, const std::string& key, const std::string& cwd,
                       const std::function<void(std::string_view, Json)>& line) {
  if (said.tool == Tool::edit) {
    line("response_item", {{"type", "custom_tool_call"},
                           {"name", "apply_patch"},
                           {"input", fmt::format("*** Begin Patch\n*** Update File: {}\n@@\n{}\n"
                                                 "*** End Patch\n",
                                                 said.text, said.output)},
                           {"call_id", key},
                           {"status", "completed"}});
    line("response_item",
         {{"type", "custom_tool_call_output"}, {"call_id", key}, {"output", "Success."}});
    return;
  }
  const std::string command = said.tool == Tool::read ? "sed -n 1,200p " + said.text : said.text;
  line("response_item", {{"type", "function_call"},
                         {"name", "shell_command"},
                         {"arguments", Json{{"command", command}, {"workdir", cwd}}.dump()},
                         {"call_id", key}});
  line("response_item", {{"type", "function_call_output"},
                         {"call_id", key},
                         {"output", "Exit code: 0\nOutput:\n" + said.output}});
}

Status write_codex(const Document& document, const Place& place) {
  const std::string id = bare_id(document);
  const std::string cwd = folder_of(document);
  Clock clock(document.time);
  std::string text;
  const auto line = [&](std::string_view type, Json payload) {
    text +=
        Json{{"timestamp", clock.iso()}, {"type", type}, {"payload", std::move(payload)}}.dump() +
        "\n";
  };
  line("session_meta", {{"id", id},
                        {"timestamp", format_iso8601(document.time)},
                        {"cwd", cwd},
                        {"originator", "codex-tui"},
                        {"cli_version", "0.118.0"},
                        {"source", "cli"}});
  int count = 0;
  for (const Utterance& said : document.utterances) {
    if (said.tool != Tool::none) {
      append_codex_call(said, fmt::format("call_{}", ++count), cwd, line);
      continue;
    }
    const Json content =
        Json::array({{{"type", said.by_user ? "input_text" : "output_text"}, {"text", said.text}}});
    line(
        "response_item",
        {{"type", "message"}, {"role", said.by_user ? "user" : "assistant"}, {"content", content}});
    line("event_msg",
         {{"type", said.by_user ? "user_message" : "agent_message"}, {"message", said.text}});
  }
  if (!document.title.empty()) {
    line("event_msg",
         {{"type", "thread_name_updated"}, {"thread_id", id}, {"thread_name", document.title}});
  }
  const std::string day = format_iso8601(document.time).substr(0, 10);
  return write_file(
      fmt::format("{}/home/.codex/sessions/{}/{}/{}/rollout-{}T12-00-00-{}.jsonl", place.base(),
                  day.substr(0, 4), day.substr(5, 2), day.substr(8, 2), day, id),
      text);
}

Status write_gemini(const Document& document, const Place& place) {
  const std::string id = bare_id(document);
  const std::string folder = fmt::format("{}/home/.gemini/tmp/{}", place.base(), document.project);
  Clock clock(document.time);
  const std::string start = clock.iso();
  std::string text = Json{{"sessionId", id},
                          {"projectHash", "ab"},
                          {"startTime", start},
                          {"lastUpdated", start},
                          {"kind", "main"}}
                         .dump() +
                     "\n";
  int count = 0;
  for (const Utterance& said : document.utterances) {
    Json message = {{"id", fmt::format("m{}", ++count)}, {"timestamp", clock.iso()}};
    message["type"] = said.by_user ? "user" : "gemini";
    if (said.tool == Tool::none) {
      message["content"] = Json::array({{{"text", said.text}}});
    } else {
      Call call = make_call(said, kGemini);
      const std::string key = fmt::format("t{}", count);
      const Json response = {
          {"id", key}, {"name", call.name}, {"response", {{"output", call.output}}}};
      message["content"] = "";
      message["toolCalls"] = Json::array({{{"id", key},
                                           {"name", call.name},
                                           {"args", std::move(call.input)},
                                           {"status", "success"},
                                           {"timestamp", clock.iso()},
                                           {"result", {{{"functionResponse", response}}}}}});
    }
    text += message.dump() + "\n";
  }
  if (!document.title.empty()) {
    text += Json{{"$set", {{"summary", document.title}}}}.dump() + "\n";
  }
  if (Status root = write_file(folder + "/.project_root", folder_of(document)); !root) return root;
  return write_file(fmt::format("{}/chats/session-{}T12-00-{}.jsonl", folder, start.substr(0, 10),
                                id.substr(0, 8)),
                    text);
}

Json opencode_part(const Utterance& said, const std::string& key, Clock& clock) {
  if (said.tool == Tool::none) return {{"type", "text"}, {"text", said.text}};
  Call call = make_call(said, kOpenCode);
  return {{"type", "tool"},
          {"callID", key},
          {"tool", call.name},
          {"state",
           {{"status", "completed"},
            {"input", std::move(call.input)},
            {"time", {{"start", clock.ms()}, {"end", clock.ms()}}},
            {"output", call.output}}}};
}

// A file for the session, for every message and for every part of one.
Status write_opencode(const Document& document, const Place& place) {
  const std::string id = bare_id(document);
  const std::string root = place.base() + "/home/.local/share/opencode/storage";
  Clock clock(document.time);
  const std::int64_t created = clock.ms();
  if (Status status = write_file(root + "/migration", "2"); !status) return status;
  Status status = write_file(
      fmt::format("{}/session/{}/{}.json", root, document.project, id),
      Json{{"id", id},
           {"version", "0.9.0"},
           {"projectID", document.project},
           {"directory", folder_of(document)},
           {"title", document.title.empty() ? "New session - " + format_iso8601(document.time)
                                            : document.title},
           {"time", {{"created", created}, {"updated", created}}}}
          .dump());
  int count = 0;
  for (const Utterance& said : document.utterances) {
    if (!status) break;
    const std::string message = fmt::format("msg_{}_{:03}", id, ++count);
    const std::string part = fmt::format("prt_{}_{:03}", id, count);
    Json head = {{"id", message}, {"sessionID", id}, {"role", said.by_user ? "user" : "assistant"}};
    const std::int64_t now = clock.ms();
    head["time"] = {{"created", now}};
    if (!said.by_user) head["time"]["completed"] = now;
    status = write_file(fmt::format("{}/message/{}/{}.json", root, id, message), head.dump());
    Json body = {{"id", part}, {"sessionID", id}, {"messageID", message}};
    body.update(opencode_part(said, fmt::format("call_{}", count), clock));
    if (status) {
      status = write_file(fmt::format("{}/part/{}/{}.json", root, message, part), body.dump());
    }
  }
  return status;
}

}  // namespace

Status write_session(const Document& document, const Place& place) {
  if (document.agent.empty() || document.agent == "claude-code") {
    return write_claude(document, place);
  }
  if (document.agent == "openclaw") return write_openclaw(document, place);
  if (document.agent == "codex") return write_codex(document, place);
  if (document.agent == "gemini") return write_gemini(document, place);
  if (document.agent == "opencode") return write_opencode(document, place);
  return Error{Errc::invalid_argument, document.agent + ": no transcripts can be written"};
}

}  // namespace yore::bench
