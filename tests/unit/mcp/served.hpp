// served.hpp — a server on a thread of its own with a client in memory, and tools to hold it up.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "mcp/server.hpp"
#include "support/memory_transport.hpp"

namespace yore::mcp {

inline const std::string kMetaPrefix = "io.modelcontextprotocol/";

// A door that tools wait at and tests open.
class Gate {
 public:
  // As the tool: counts the arrival, then waits. True: opened; false: asked to stop.
  bool pass(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    return changed_.wait(lock, stop, [this] { return open_; });
  }
  void open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait_for_arrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int arrived_ = 0;
  bool open_ = false;
};

inline Tool tool(std::string_view name, std::function<ToolAnswer(const ToolCall&)> call) {
  return {name,  "A title",      "What it does.", R"({"type":"object","properties":{}})",
          false, std::move(call)};
}

inline Tool echo_tool() {
  return tool("echo",
              [](const ToolCall& call) -> ToolAnswer { return {json_text(call.arguments)}; });
}

inline Json modern_meta(std::string_view version = "2026-07-28") {
  return {{kMetaPrefix + "protocolVersion", version},
          {kMetaPrefix + "clientCapabilities", Json::object()},
          {kMetaPrefix + "clientInfo", {{"name", "test"}, {"version", "0"}}}};
}

inline Json request(Json id, std::string_view method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}, {"params", params}};
}

inline Json modern(Json id, std::string_view method, Json params = Json::object()) {
  params["_meta"].update(modern_meta());
  return request(std::move(id), method, std::move(params));
}

inline Json notification(std::string_view method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

inline Json call_params(std::string_view name, Json arguments = Json::object()) {
  return {{"name", name}, {"arguments", std::move(arguments)}};
}

class Served {
 public:
  explicit Served(std::vector<Tool> tools = {echo_tool()}, Limits limits = {})
      : server_({"yore", "Yore", "1.2.3", "Search first."}, std::move(tools), limits),
        thread_([this] { exit_code_ = server_.run(client_); }) {}
  ~Served() { finish(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  fake::MemoryTransport& client() { return client_; }
  void send(const Json& message) { client_.push(json_text(message)); }
  void send_line(std::string line) { client_.push(std::move(line)); }
  Json take() { return Json::parse(client_.take()); }
  Json ask(const Json& message) {
    send(message);
    return take();
  }
  Json ask_line(std::string line) {
    send_line(std::move(line));
    return take();
  }
  Json initialize(std::string_view version) {
    return ask(request("init", "initialize", {{"protocolVersion", version}}));
  }
  // Ends the input and waits for the server; its exit code.
  int finish() {
    client_.finish();
    return join();
  }
  int join() {
    if (thread_.joinable()) thread_.join();
    return exit_code_;
  }

 private:
  fake::MemoryTransport client_;
  Server server_;
  int exit_code_ = -1;
  std::thread thread_;
};

inline int code_of(const Json& answer) {
  const Json* const error = member(answer, "error");
  return error == nullptr ? 0 : error->value("code", 0);
}

inline std::string text_of(const Json& answer) {
  return answer.at("result").at("content").at(0).at("text").get<std::string>();
}

}  // namespace yore::mcp
