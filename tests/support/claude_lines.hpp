// claude_lines.hpp — lines of a Claude Code transcript for tests, each answering the one before.
//
// Keys and times follow from the session id and the number of lines made, so equal calls give equal
// bytes. Every function returns one line with its newline.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.hpp"

namespace yore::fake {

class ClaudeLines {
 public:
  using Json = nlohmann::ordered_json;

  explicit ClaudeLines(std::string session, std::string cwd = "/home/ann/code/blog")
      : session_(std::move(session)), cwd_(std::move(cwd)) {}

  std::string prompt(std::string_view text) {
    return message("user", {{"role", "user"}, {"content", text}});
  }
  std::string answer(std::string_view text) { return said({{"type", "text"}, {"text", text}}); }
  std::string thinking(std::string_view text) {
    return said({{"type", "thinking"}, {"thinking", text}, {"signature", "c2ln"}});
  }
  std::string tool_call(std::string_view tool, Json input) {
    call_ = "toolu_" + session_ + std::to_string(count_);
    return said({{"type", "tool_use"}, {"id", call_}, {"name", tool}, {"input", std::move(input)}});
  }
  // Of the last call.
  std::string tool_result(std::string_view text) {
    Json block = {{"type", "tool_result"}, {"tool_use_id", call_}, {"content", text}};
    return message("user", {{"role", "user"}, {"content", Json::array({std::move(block)})}});
  }
  // Typed while the assistant worked.
  std::string queued(std::string_view text) {
    return line({{"type", "queue-operation"},
                 {"operation", "enqueue"},
                 {"timestamp", timestamp()},
                 {"content", text},
                 {"sessionId", session_}});
  }
  // `leaf` is the record that the summary belongs to, here or in another session.
  static std::string summary(std::string_view text, std::string_view leaf) {
    return line({{"type", "summary"}, {"summary", text}, {"leafUuid", leaf}});
  }
  std::string custom_title(std::string_view text) const {
    return line({{"type", "custom-title"}, {"customTitle", text}, {"sessionId", session_}});
  }
  std::string agent_name(std::string_view text) const {
    return line({{"type", "agent-name"}, {"agentName", text}, {"sessionId", session_}});
  }
  std::string ai_title(std::string_view text) const {
    return line({{"type", "ai-title"}, {"aiTitle", text}, {"sessionId", session_}});
  }
  std::string of_type(std::string_view type) const {
    return line({{"type", type}, {"sessionId", session_}});
  }

  // The next line answers this record in place of the last one: a rewind.
  void go_back_to(std::string key) { parent_ = std::move(key); }
  void set_cwd(std::string cwd) { cwd_ = std::move(cwd); }
  void set_slug(std::string slug) { slug_ = std::move(slug); }
  void set_branch(std::string branch) { branch_ = std::move(branch); }
  void set_time(Time time) { time_ = time; }
  [[nodiscard]] const std::string& last_key() const { return parent_; }
  [[nodiscard]] const std::string& session() const { return session_; }

 private:
  static std::string line(const Json& json) { return json.dump() + "\n"; }

  std::string timestamp() {
    time_ += std::chrono::seconds{7};
    return format_iso8601(time_);
  }

  std::string said(Json block) {
    return message("assistant", {{"model", "claude-sonnet-4-5"},
                                 {"id", "msg_" + session_ + std::to_string(count_)},
                                 {"type", "message"},
                                 {"role", "assistant"},
                                 {"content", Json::array({std::move(block)})},
                                 {"usage", {{"input_tokens", 3}, {"output_tokens", 5}}}});
  }

  std::string message(std::string_view type, Json body) {
    Json json = {{"parentUuid", parent_.empty() ? Json(nullptr) : Json(parent_)},
                 {"isSidechain", false},
                 {"userType", "external"},
                 {"cwd", cwd_},
                 {"sessionId", session_},
                 {"version", "2.1.55"},
                 {"gitBranch", branch_},
                 {"type", type},
                 {"message", std::move(body)}};
    if (!slug_.empty()) json["slug"] = slug_;
    parent_ = session_ + "-" + std::to_string(count_++);
    json["uuid"] = parent_;
    json["timestamp"] = timestamp();
    return line(json);
  }

  std::string session_;
  std::string cwd_;
  std::string branch_ = "main";
  std::string slug_;
  std::string parent_;
  std::string call_;
  std::uint64_t count_ = 0;
  Time time_ = from_ms(1'760'000'000'000);
};

}  // namespace yore::fake
