// recalled.hpp — the four tools over a small machine of conversations.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "derive/keyword_index.hpp"
#include "mcp/tools/tools.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::mcp {

using Texts = std::vector<std::string>;

struct Told {
  Json json;
  std::string text;
  bool is_error = false;

  [[nodiscard]] std::string error() const { return is_error ? json.value("error", "") : ""; }
  [[nodiscard]] std::string note() const { return json.value("note", ""); }
  [[nodiscard]] Texts ids(std::string_view list) const {
    Texts ids;
    for (const Json& row : json.at(std::string(list))) ids.push_back(row.at("session_id"));
    return ids;
  }
};

class Recalled : public testing::Test {
 protected:
  // 2026-02-20 and so many days.
  static Time day(int number) {
    return from_ms(1'771'545'600'000) + std::chrono::hours{24 * number};
  }
  // A session of one turn for each pair of prompt and answer.
  void write(const std::string& session, std::string_view directory, int at_day,
             const std::vector<std::pair<std::string, std::string>>& turns) {
    fake::ClaudeLines lines(session, "/home/ann/code/" + std::string(directory));
    lines.set_time(day(at_day));
    std::string bytes;
    for (const auto& [prompt, answer] : turns) bytes += lines.prompt(prompt) + lines.answer(answer);
    machine.write(machine.session_path("-home-ann-code-" + std::string(directory), session), bytes);
  }
  // What was written is indexed now.
  void index() { machine.index(); }

  ToolBackend& recall(const config::Scope& scope = {}) {
    ToolBackend::Options options;
    options.settings = machine.settings();
    options.scope = scope;
    options.world = [this] { return machine.world(); };
    options.patience = std::chrono::milliseconds{0};
    options.folder = "/home/ann/code/blog";
    options.log = [this](std::string_view sentence) { logged.emplace_back(sentence); };
    recall_ = std::make_unique<ToolBackend>(std::move(options));
    return *recall_;
  }

  Told call(std::string_view name, const Json& arguments, std::string caller_session = "") {
    if (recall_ == nullptr) recall();
    for (const Tool& tool : all_tools(*recall_)) {
      if (tool.name != name) continue;
      const ToolAnswer answer =
          tool.call({arguments, std::move(caller_session), {}, {}, client, caller_model});
      Told told{Json::parse(answer.text, nullptr, false), answer.text, answer.is_error};
      EXPECT_TRUE(told.json.is_object()) << answer.text;
      EXPECT_EQ(told.is_error, told.json.contains("error")) << answer.text;
      return told;
    }
    ADD_FAILURE() << "no tool " << name;
    return {};
  }
  Told search(const Json& arguments, std::string caller_session = "") {
    return call("search_conversations", arguments, std::move(caller_session));
  }
  Told list(const Json& arguments = Json::object()) {
    return call("list_conversations", arguments);
  }
  Told read_turn(const Json& arguments) { return call("read_turn", arguments); }
  Told read_conversation(const Json& arguments) { return call("read_conversation", arguments); }

  fake::FakeWorld machine;
  Texts logged;
  std::string client;  // who calls, as it names itself
  std::string caller_model;

 private:
  std::unique_ptr<ToolBackend> recall_;
};

inline Texts keys(const Json& json) {
  Texts names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

}  // namespace yore::mcp
